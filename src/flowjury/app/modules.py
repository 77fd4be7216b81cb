"""The modules: which files a module of the user's is made of, found without importing any."""

from __future__ import annotations

import ast
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Final

from flowjury.store.files import read_bytes
from flowjury.store.sources import digest_of

_OURS: Final = "flowjury"
_SUFFIXES: Final = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)


def code_of(name: str, folders: Sequence[Path]) -> dict[str, str]:
    """Map a module, and all of the project's that it imports, to the digests of their files.

    Where it is in no file, its distribution is mapped to its version; without one it is nothing.
    Raises StoreError for a file that cannot be read.
    """
    if file_of(name, (*folders, *_path())) is None:
        return _versions(name)
    own = (*folders, *(each for each in _path() if not _is_installed(each)))
    found: dict[str, str] = {}
    pending = [name]
    while pending:
        one = pending.pop()
        top = one.partition(".")[0]
        places = (*own, *_path()) if top == name.partition(".")[0] else own
        path = None if one in found or top == _OURS else file_of(one, places)
        if path is not None:
            found[one] = digest_of(path)
            pending += _needed(one, path, found[one])
    return found


def file_of(name: str, folders: Sequence[Path]) -> Path | None:
    """Return the file of a module, looked for as it would be imported."""
    inner = name.replace(".", "/")
    for folder in folders:
        files = [folder / inner / f"__init__{suffix}" for suffix in _SUFFIXES]
        files += [folder / f"{inner}{suffix}" for suffix in _SUFFIXES]
        if found := next(filter(Path.is_file, files), None):
            return found
    return None


def _path() -> Iterator[Path]:
    return map(Path, sys.path)


@lru_cache(maxsize=256)
def _is_installed(folder: Path) -> bool:
    """Tell an environment's folder, whose packages have versions, from one of the project."""
    paths = sysconfig.get_paths()
    installed = [Path(paths[key]).resolve() for key in ("stdlib", "platstdlib")]
    names = {"site-packages", "dist-packages"}
    place = folder.resolve()
    return any(map(place.is_relative_to, installed)) or not names.isdisjoint(place.parts)


def _versions(name: str) -> dict[str, str]:
    distributions = packages_distributions().get(name.partition(".")[0], [])
    return {f"{each}==": version(each) for each in sorted(set(distributions))}


@lru_cache(maxsize=1024)
def _needed(name: str, path: Path, _digest: str) -> tuple[str, ...]:
    """Return what may be imported by a file: modules, and names in them that may be modules."""
    packages = [name.rsplit(".", depth)[0] for depth in range(1, name.count(".") + 1)]
    if path.suffix not in SOURCE_SUFFIXES:
        return tuple(packages)
    try:
        tree = ast.parse(read_bytes(path))
    except (SyntaxError, ValueError, RecursionError):  # it cannot be imported either
        return tuple(packages)
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    named = [each for node in ast.walk(tree) for each in _imported(node, package)]
    return tuple(dict.fromkeys([*packages, *named]))


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from _with_packages(alias.name)
    elif isinstance(node, ast.ImportFrom):
        base = _base(node, package)
        yield from _with_packages(base)
        yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)


def _base(node: ast.ImportFrom, package: str) -> str:
    """Return the module from which names are imported; dots lead up from the package."""
    up = package.split(".")[: -(node.level - 1) or None] if node.level else []
    return ".".join(filter(None, [*up, node.module]))


def _with_packages(name: str) -> Iterator[str]:
    """Yield a module and the packages around it, which are run before it."""
    parts = name.split(".") if name else []
    yield from (".".join(parts[: end + 1]) for end in range(len(parts)))
