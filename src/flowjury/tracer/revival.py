"""The revival: an exception made again from what a fixture says of it."""

from __future__ import annotations

import builtins
import sys
from typing import Any, TypeAlias

from flowjury.trace import ErrorInfo

_Kind: TypeAlias = type[Exception]


def full_name(kind: type[BaseException]) -> str:
    """Name a class so that it can be found again: `module.Class`, or a built-in's own name."""
    name = kind.__qualname__
    return name if kind.__module__ == "builtins" else f"{kind.__module__}.{name}"


def revived(info: ErrorInfo) -> Exception:
    """Make an exception of the class that is named, if it is loaded, else of one like it.

    Its message is the recorded one even where its class wants other arguments.
    """
    kind = _found(info.type)
    if kind is None:
        return _named(info.type.rpartition(".")[2], Exception, info.message)
    try:
        error = kind(info.message)
        if str(error) == info.message:
            return error
        return _with_message(kind, info.message)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - likewise
        return _with_message(kind, info.message)


def _found(name: str) -> _Kind | None:
    """Look a class up among the built-ins and in the modules that are loaded; import nothing."""
    parts = name.split(".")
    if len(parts) == 1:
        return _reached(builtins, parts)
    cuts = range(len(parts) - 1, 0, -1)
    places = ((sys.modules.get(".".join(parts[:cut])), parts[cut:]) for cut in cuts)
    return next((kind for place in places if (kind := _reached(*place))), None)


def _reached(owner: Any, names: list[str]) -> _Kind | None:  # noqa: ANN401 - module or class
    for name in names:
        owner = getattr(owner, name, None)
    return owner if isinstance(owner, type) and issubclass(owner, Exception) else None


def _with_message(kind: _Kind, message: str) -> Exception:
    """Make an instance of a subclass that bears the same name and needs nothing but a message."""
    members = {
        "__init__": lambda _self, *_: None,
        "__str__": lambda _self: message,
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
    }
    try:
        return _named(kind.__name__, kind, message, members)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - likewise
        return _named(kind.__name__, Exception, message)


def _named(
    name: str, base: _Kind, message: str, members: dict[str, Any] | None = None
) -> Exception:
    kind: _Kind = type(name, (base,), members or {})
    return kind(message)
