"""The database of the run store: its schema, and what is said where SQLite fails."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Self, TypeAlias
from urllib.parse import quote

from flowjury.errors import StoreError, UsageError

_Connection: TypeAlias = sqlite3.Connection

SCHEMA_VERSION: Final = 2
_SCHEMA: Final = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    suite TEXT NOT NULL,
    record TEXT NOT NULL,
    workflow BLOB,
    finished INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_of_suite ON runs (suite);
CREATE TABLE IF NOT EXISTS source_sets (digest TEXT PRIMARY KEY, sources TEXT NOT NULL)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cases (
    number INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id),
    case_id TEXT NOT NULL,
    trial INTEGER NOT NULL,
    position INTEGER NOT NULL,
    parts TEXT NOT NULL,
    sources TEXT NOT NULL REFERENCES source_sets (digest),
    fault TEXT,
    replayed INTEGER NOT NULL,
    seconds REAL,
    trace BLOB,
    printed TEXT,
    notes TEXT,
    UNIQUE (run, case_id, trial)
);
CREATE TABLE IF NOT EXISTS shelves (
    shelf TEXT NOT NULL,
    digest TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (shelf, digest)
) WITHOUT ROWID;
PRAGMA user_version = 2;
COMMIT;
"""
_UPGRADES: Final = {
    1: """
        BEGIN IMMEDIATE;
        ALTER TABLE cases ADD COLUMN printed TEXT;
        ALTER TABLE cases ADD COLUMN notes TEXT;
        PRAGMA user_version = 2;
        COMMIT;
    """
}
"""What makes the next format of an older one."""
_PATIENCE: Final = 30.0
"""Seconds to wait for another process that writes."""

_PRIMARY: Final = 0xFF
"""The bits of an error code that tell its kind."""
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space, run again (what was stored is intact)",
    sqlite3.SQLITE_IOERR: "the disk cannot be written or read; free some space, or mend the disk",
    sqlite3.SQLITE_READONLY: "it cannot be written to; give this user the permission",
    sqlite3.SQLITE_BUSY: "another process has kept it locked for too long; try again when it ends",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; give this user the permission to its folder",
    sqlite3.SQLITE_NOTADB: "it is not a database; it was left as it is: move it away for a new one",
    sqlite3.SQLITE_CORRUPT: "it is damaged; it was left as it is: move it away for a new one",
    sqlite3.SQLITE_CONSTRAINT: "a record belongs to a run that is not stored; begin the run first",
    sqlite3.SQLITE_TOOBIG: "a record is larger than the billion bytes that can be stored",
}


class Database:
    """One connection; every failure of SQLite becomes a StoreError that names the file."""

    def __init__(self, path: Path, mode: str, check: Callable[[_Connection, Path], None]) -> None:
        """Connect to a file in a mode of SQLite (`ro`, `rwc`), and close it if a check raises."""
        self.readonly = mode.startswith("ro")
        """Whether it can only be read."""
        self._path = path
        uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
        try:
            self._connection = sqlite3.connect(
                uri, uri=True, isolation_level=None, timeout=_PATIENCE
            )
        except sqlite3.Error as error:
            raise _said(error, path) from error
        try:
            check(self._connection, path)
            self._there = _identity(path)
        except BaseException as error:
            self._connection.close()
            if isinstance(error, sqlite3.Error):
                raise _said(error, path) from error
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a database to read and write; make it if it is not there.

        Raises StoreError.
        """
        if not path.exists():
            cls._put_new(path)
        return cls(path, "rwc", _prepare)

    @classmethod
    def open_readonly(cls, path: Path) -> Self:
        """Open a database that is there, to read.

        Raises UsageError if there is none, and StoreError.
        """
        if not path.exists():
            raise UsageError(f"nothing is stored yet: there is no {path}; `flowjury run` makes it")
        return cls(path, _reading_mode(path), _require_schema)

    @classmethod
    def _put_new(cls, path: Path) -> None:
        """Make a database elsewhere, and put it in its place whole, unless another is there by now.

        Processes that all prepared the same new file would lock each other out.
        """
        temporary = path.with_name(f".{token_hex(8)}.db")
        try:
            cls(temporary, "rwc", _prepare).close()
            with suppress(OSError):  # there is one by now, or the disk has no hard links
                path.hardlink_to(temporary)
        finally:
            temporary.unlink(missing_ok=True)

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> int:
        """Run one statement, and return how many rows it changed."""
        try:
            return self._connection.execute(statement, parameters).rowcount
        except sqlite3.Error as error:
            raise _said(error, self._path) from error

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        try:
            return self._connection.execute(statement, parameters).fetchall()
        except sqlite3.Error as error:
            raise _said(error, self._path) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make all that is executed inside one change, which happens whole or not at all."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite itself rolls back where the disk is full
                self.execute("ROLLBACK")
            raise

    def require_place(self) -> None:
        """Raise StoreError where the file was deleted or replaced: what was stored is lost."""
        there = None
        with suppress(OSError):
            there = _identity(self._path)
        if there != self._there:
            raise StoreError(
                f"{self._path}: it was deleted or replaced meanwhile, and what was stored is lost; "
                "run again, and leave it alone until the end"
            )

    def close(self) -> None:
        """Close the connection."""
        try:
            self._connection.close()
        except sqlite3.Error as error:
            raise _said(error, self._path) from error


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _reading_mode(path: Path) -> str:
    """Return how to read a database: SQLite makes a file beside it, unless it is told not to.

    Where none can be made, nobody can be writing either, unless their log is there.
    """
    log = path.with_name(f"{path.name}-wal")
    settled = not log.exists() and not os.access(path.parent, os.W_OK)
    return "ro&immutable=1" if settled else "ro"


def _said(error: sqlite3.Error, path: Path) -> StoreError:
    """Say what SQLite could not do with a database, and what would help."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    return StoreError(f"{path}: {_REASONS.get(code & _PRIMARY, error)}")


def _prepare(connection: _Connection, path: Path) -> None:
    """Make what an empty database lacks."""
    version = _version(connection, path)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    if version:
        connection.executescript(_UPGRADES.get(version, ""))
        return
    [mode] = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(
            f"{path}: SQLite cannot use its WAL here; keep the project on a local disk"
        )
    connection.executescript(_SCHEMA)


def _require_schema(connection: _Connection, path: Path) -> None:
    version = _version(connection, path)
    if not version:
        raise UsageError(f"nothing is stored yet: {path} is empty; `flowjury run` fills it")
    if version in _UPGRADES:
        raise StoreError(
            f"{path}: an older FlowJury wrote this store; `flowjury refresh`, in its project and "
            "where it can be written, brings it up to date"
        )


def _version(connection: _Connection, path: Path) -> int:
    """Return the format of a database of ours, 0 of an empty one; refuse any other."""
    version, tables = connection.execute(
        "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
    ).fetchone()
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: the store has format {version}, this FlowJury reads up to {SCHEMA_VERSION}; "
            "upgrade flowjury"
        )
    if tables and version != SCHEMA_VERSION and version not in _UPGRADES:
        raise StoreError(
            f"{path}: this is a database of something else; it was left as it is: move it away"
        )
    return int(version) if tables else 0
