"""The loaded: the user's modules in this process, with the digests that their files had then."""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final
from weakref import WeakKeyDictionary, WeakSet

_OURS: Final = str(Path(__file__).resolve().parent) + os.sep
_INSTALLED: Final = {"site-packages", "dist-packages"}

_DIGESTS: Final[WeakKeyDictionary[ModuleType, str]] = WeakKeyDictionary()
_OWN: Final[WeakSet[ModuleType]] = WeakSet()
"""Those that were imported for a suite; what the program imported that called us is its own."""


def digest_as_loaded(module: object, digest: str) -> str:
    """Return the digest that a module's file had when it was first asked for; now, it has this."""
    if not issubclass(type(module), ModuleType):
        return digest
    return _DIGESTS.setdefault(module, digest)  # type: ignore[arg-type]  # see above


def own(modules: Iterable[ModuleType]) -> None:
    """Note modules that were imported for a suite, as their files are now."""
    for module in modules:
        if issubclass(type(module), ModuleType) and not _is_foreign(module):
            _DIGESTS.setdefault(module, _digest(_file(module)))
            _OWN.add(module)


def forget_stale() -> None:
    """Forget all modules of suites if the file of one has changed, so that they are loaded again.

    Its dependants hold what they took from it, so the others go, too.
    """
    own_ones = {name: each for name, each in list(sys.modules.items()) if _is_own(each)}
    stale = [each for each in own_ones.values() if _digest(_file(each)) != _DIGESTS[each]]
    for module in stale:
        _remove_bytecode(module)
    for name in own_ones if stale else ():
        del sys.modules[name]


def _is_own(module: object) -> bool:
    return issubclass(type(module), ModuleType) and module in _OWN


def _remove_bytecode(module: ModuleType) -> None:
    """Remove the bytecode of a file: Python trusts it where second and size are as before."""
    spec = getattr(module, "__spec__", None)
    if spec is not None and spec.cached:
        with suppress(OSError):
            Path(spec.cached).unlink()


def _is_foreign(module: ModuleType) -> bool:
    """Tell whether a module is of Python, of an installed package, of FlowJury, or of no file."""
    place = _file(module) or next(iter(getattr(module, "__path__", ())), None)
    if place is None:
        return True
    path = os.path.realpath(place)
    return path.startswith((_OURS, *_libraries())) or not _INSTALLED.isdisjoint(Path(path).parts)


@cache
def _libraries() -> tuple[str, ...]:
    return tuple(
        os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib")
    )


def _file(module: ModuleType) -> str | None:
    file = module.__dict__.get("__file__")
    return file if isinstance(file, str) else None


def _digest(file: str | None) -> str:
    """Return the SHA-256 of a file; of one that cannot be read, and of none, ''."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else ""
    except (OSError, ValueError):
        return ""
