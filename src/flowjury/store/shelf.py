"""The shelf: values by digest in the run store, as a mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from flowjury.store._database import Database

V = TypeVar("V")

_GET: Final = "SELECT value FROM shelves WHERE shelf = ? AND digest = ?"
_LIST: Final = "SELECT digest FROM shelves WHERE shelf = ? ORDER BY digest"
_COUNT: Final = "SELECT count(*) FROM shelves WHERE shelf = ?"
_PUT: Final = "INSERT OR REPLACE INTO shelves (shelf, digest, value) VALUES (?, ?, ?)"


class Shelf(Mapping[str, V]):
    """Values by digest, each read when it is asked for."""

    def __init__(
        self, database: Database, name: str, *, write: Callable[[V], str], read: Callable[[str], V]
    ) -> None:
        """Use an open database, a name there, and what makes text of the values and back."""
        self._database = database
        self._name = name
        self._write = write
        self._read = read

    def __getitem__(self, digest: str) -> V:
        for (value,) in self._database.rows(_GET, (self._name, digest)):
            return self._read(value)
        raise KeyError(digest)

    def __iter__(self) -> Iterator[str]:
        for (digest,) in self._database.rows(_LIST, (self._name,)):
            yield digest

    def __len__(self) -> int:
        [(count,)] = self._database.rows(_COUNT, (self._name,))
        return int(count)

    def keep(self, values: Mapping[str, V]) -> None:
        """Store values, all or none; one that is there is replaced.

        Raises StoreError.
        """
        with self._database.transaction():
            for digest, value in values.items():
                self._database.execute(_PUT, (self._name, digest, self._write(value)))
