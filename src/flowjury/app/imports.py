"""The imports: modules of a suite's code, kept apart from those that the process had before."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from flowjury.store.files import resolved


class Imports:
    """What one suite's code imported in the place of namesakes, and where it looks for modules.

    What it imported besides stays for all, as it would between two test modules.
    """

    def __init__(self) -> None:
        """Begin as the process is."""
        self._path: list[str] = []
        self._own: dict[str, ModuleType | None] = {}

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Let the suite's code see its own modules for as long as a block lasts."""
        path, before = sys.path[:], dict(sys.modules)
        sys.path[:] = self._path or path
        _put(self._own)
        try:
            yield
        finally:
            self._path, sys.path[:] = sys.path[:], path
            displaced = {
                name: module
                for name, module in before.items()
                if sys.modules.get(name) is not module
            }
            self._own = {name: sys.modules.get(name) for name in displaced}
            _put(displaced)


@contextmanager
def passing(folders: Iterable[Path]) -> Iterator[None]:
    """Forget the modules in these folders that are imported while a block lasts."""
    before, places = set(sys.modules), [resolved(folder) for folder in folders]
    try:
        yield
    finally:
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and any(resolved(Path(file)).is_relative_to(place) for place in places):
                del sys.modules[name]


def _put(modules: Mapping[str, ModuleType | None]) -> None:
    """Make modules those of their names; under a name without one there is none."""
    for name, module in modules.items():
        if module is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = module
