"""The loading of the user's code: what `module:attribute` names, or what is wrong with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from importlib.machinery import PathFinder
from pathlib import Path
from pkgutil import iter_modules
from traceback import extract_tb
from types import ModuleType
from typing import Any, Final

from flowjury.errors import Fault, InputError
from flowjury.exits import barred
from flowjury.interruption import heed, let_through
from flowjury.loaded import own
from flowjury.pointer import nearest
from flowjury.reason import reason_of

_EXTRAS: Final = {
    "langchain": "langgraph",
    "langchain_core": "langgraph",
    "langgraph": "langgraph",
    "openai": "openai",
    "opentelemetry": "otlp",
    "tenacity": "openai",
}
"""The extra of ours that installs a package."""


def installing(package: str | None) -> str | None:
    """Return the command that installs a package, where an extra of ours does."""
    extra = _EXTRAS.get((package or "").partition(".")[0])
    return f"pip install 'flowjury[{extra}]'" if extra else None


def load(call: str, *, root: Path, path: Sequence[str]) -> Any:  # noqa: ANN401 - the user's object
    """Return what `module:attribute` names; modules are found first in the folders of the path.

    The folders, relative to the root, stay on sys.path, since imports may come late. Modules of
    the same name that came from elsewhere make way: one process can load the code of many suites.

    Raises InputError, whose fault names the call as its file.
    """
    module_name, colon, attribute = call.partition(":")
    names = [*module_name.split("."), *attribute.split(".")]
    if not colon or not all(name.isidentifier() for name in names):
        raise _fault(call, f"{call!r} does not name code; write it as 'module:attribute'")
    folders = [os.path.realpath(root / folder) for folder in path]
    sys.path[:] = [*folders, *(each for each in sys.path if each not in folders)]
    invalidate_caches()
    for found in iter_modules(folders):
        _forget_namesake(found.name, folders)
    module = _imported(call, module_name, folders)
    owner: Any = module
    for name in attribute.split("."):
        owner = _attribute(call, owner, name, module)
    return owner


def _attribute(call: str, owner: Any, name: str, module: ModuleType) -> Any:  # noqa: ANN401 - any
    try:
        return getattr(owner, name)
    except AttributeError as error:
        raise _fault(call, _no_attribute(owner, name, module)) from error
    except BaseException as error:  # a module or class may make its attributes by any code
        let_through(error)
        raise _fault(call, f"{name!r} cannot be read: {reason_of(error)}") from error


def _forget_namesake(name: str, folders: Sequence[str]) -> None:
    """Forget a module that is loaded from elsewhere than where it would be found now."""
    there = sys.modules.get(name)
    if there is None or name in sys.stdlib_module_names or name in {"__main__", "flowjury"}:
        return
    spec = PathFinder.find_spec(name, list(folders))
    if spec is not None and spec.origin != _origin(there):
        for each in [key for key in sys.modules if f"{key}.".startswith(f"{name}.")]:
            del sys.modules[each]


def _origin(module: ModuleType) -> str | None:
    return module.__spec__.origin if module.__spec__ else getattr(module, "__file__", None)


def _imported(call: str, name: str, folders: Sequence[str]) -> ModuleType:
    try:
        with barred(), _owning(name):
            module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise _fault(call, _no_module(error.name, folders)) from error
        reason: BaseException = error
    except BaseException as error:  # noqa: BLE001 - the module may raise anything
        let_through(error)
        reason = error
    else:
        heed()
        return module
    place = next(_place(reason, folders), "unknown line")
    message = f"module {name!r} cannot be imported: {reason_of(reason)}{_cure(reason)} (at {place})"
    raise _fault(call, message) from reason


@contextmanager
def _owning(name: str) -> Iterator[None]:
    """Note what is imported with a module, also where that fails: it may be mended meanwhile."""
    before = None if name in sys.modules else set(sys.modules)
    try:
        yield
    finally:
        if before is not None:
            own([sys.modules[each] for each in sys.modules.keys() - before])


def _no_module(name: str, folders: Sequence[str]) -> str:
    hint = _hint(name, (found.name for found in iter_modules(folders)))
    searched = ", ".join(folders)
    return f"no module is named {name!r}{hint} (searched {searched} and the installed packages)"


def _no_attribute(owner: Any, name: str, module: ModuleType) -> str:  # noqa: ANN401 - any object
    place = f"module {module.__name__!r} ({_origin(module)})"
    where = place if owner is module else f"{getattr(owner, '__qualname__', owner)!r} of {place}"
    return f"{where} has no {name!r}{_hint(name, (n for n in dir(owner) if n[0] != '_'))}"


def _hint(name: str, known: Iterable[str]) -> str:
    near = nearest(name, known)
    return f"; nearest is {near!r}" if near else ""


def _place(error: BaseException, folders: Sequence[str]) -> Iterator[str]:
    """Yield the lines at which it went wrong: the innermost of the user's, then any other."""
    if isinstance(error, SyntaxError) and error.filename:
        yield f"{error.filename}:{error.lineno}"
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename[0] != "<"]
    theirs = [frame for frame in frames if frame.filename.startswith(tuple(folders))]
    for frame in reversed([*frames, *theirs]):
        yield f"{frame.filename}:{frame.lineno}"


def _cure(error: BaseException) -> str:
    how = installing(error.name) if isinstance(error, ModuleNotFoundError) else None
    return f": {how}" if how else ""


def _fault(call: str, message: str) -> InputError:
    return InputError(Fault(file=call, message=message))
