"""The read-only view of a JSON value: equal to it, and every change to it is refused."""

from __future__ import annotations

from typing import Any, NoReturn

from flowjury.model import Json


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("evidence cannot be changed; copy it first (copy.deepcopy gives a plain copy)")


class ReadOnlyDict(dict[str, Any]):
    """An object that cannot be changed."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        """Return a plain copy, which can be changed."""
        return {key: _plain(value, memo) for key, value in self.items()}


class ReadOnlyList(list[Any]):
    """An array that cannot be changed."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        """Return a plain copy, which can be changed."""
        return [_plain(value, memo) for value in self]


def readonly(value: Json) -> Json:
    """Return a read-only copy of a JSON value."""
    if isinstance(value, dict):
        return ReadOnlyDict({key: readonly(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return ReadOnlyList([readonly(item) for item in value])
    return value


def _plain(value: Json, memo: dict[int, Any]) -> Json:
    copied = getattr(value, "__deepcopy__", None)
    return value if copied is None else copied(memo)
