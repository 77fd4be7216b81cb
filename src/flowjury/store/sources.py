"""Sources: hashes of the project's own source files that a run imported."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from stat import S_ISREG
from types import ModuleType
from typing import Final

from flowjury.loaded import digest_as_loaded, own
from flowjury.store.files import store_error
from flowjury.store.layout import FOLDER

_FOREIGN: Final = {"site-packages", "dist-packages", "node_modules", FOLDER}
_OURS: Final = Path(__file__).resolve().parent.parent


def imported_sources(
    root: Path, modules: Mapping[str, ModuleType], before: frozenset[str] = frozenset()
) -> dict[str, str]:
    """Return the SHA-256 of each source file of the project among modules, by relative path.

    It is that of what is loaded, whatever has become of the file. Modules that were there before do
    not count; nor do an environment's packages, and FlowJury.
    """
    there = {name: module for name, module in list(modules.items()) if name not in before}
    files = ((module, _file_of(module)) for module in there.values())
    places = ((module, _place_of(root, file)) for module, file in files if file)
    found = {
        place: digest_as_loaded(module, digest_of(root / place))
        for module, place in places
        if place is not None
    }
    return dict(sorted(found.items()))


class ImportedSources:
    """The project's own source files that a program has imported so far.

    Each is hashed when it is first seen: a file that is edited later is not what runs. What comes
    later is imported for the suite, too.
    """

    def __init__(self, root: Path, modules: dict[str, ModuleType]) -> None:
        """Watch the modules of a program, which `sys.modules` are."""
        self._root, self._modules = root, modules
        self._state: tuple[int, str | None] = (0, None)
        self._known = frozenset(modules)
        self._hashes: dict[str, str] = {}

    def now(self) -> dict[str, str]:
        """Return the SHA-256 of each, by relative path."""
        state = len(self._modules), next(reversed(self._modules), None)  # new ones come last
        if state != self._state:
            self._state = state
            own([self._modules[name] for name in self._modules.keys() - self._known])
            self._hashes = imported_sources(self._root, self._modules) | self._hashes
        return self._hashes


def rehash(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 that files have now, by the same relative paths; of a missing one, ''.

    Raises StoreError for a file that cannot be read.
    """
    return {path: digest_of(root / path) for path in sorted(paths)}


def _file_of(module: object) -> str | None:
    """Return where a module lies, without running the code of a lazy one."""
    file = getattr(module, "__dict__", {}).get("__file__")
    return file if isinstance(file, str) else None


def _place_of(root: Path, file: str) -> str | None:
    """Return a file's path relative to the root, if the file is the project's own."""
    if Path(file).is_symlink():
        return _place(root, file)
    folder, name = os.path.split(file)
    place = _place(root, folder)
    return None if place is None else (Path(place) / name).as_posix()


@cache
def _place(root: Path, file: str) -> str | None:
    """Return the path of a folder, or file, relative to the root, if it is the project's own."""
    written = Path(os.path.normpath(file)), Path(os.path.normpath(root.absolute()))
    meant = Path(file).resolve(), root.resolve()
    path, top = written if written[0].is_relative_to(written[1]) else meant
    if not path.is_relative_to(top) or meant[0].is_relative_to(_OURS):
        return None
    relative = path.relative_to(top)
    if not _FOREIGN.isdisjoint(relative.parts) or any(map(_is_environment, _between(path, top))):
        return None
    return relative.as_posix()


def _between(path: Path, top: Path) -> Iterable[Path]:
    """Return a path and the folders above it that are below the top."""
    above = [path, *path.parents]
    return [folder for folder in above if folder != top and folder.is_relative_to(top)]


@cache
def _is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").exists()


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, read again only where it changed; of a missing one, ''.

    Raises StoreError for a file that cannot be read.
    """
    try:
        state = path.stat()
        regular = S_ISREG(state.st_mode)
        return _digest(path, state.st_mtime_ns, state.st_size) if regular else ""
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last where no name is so
        return ""
    except OSError as error:
        raise store_error(error, path, "cannot be read") from error


@lru_cache(maxsize=4096)
def _digest(path: Path, _mtime_ns: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
