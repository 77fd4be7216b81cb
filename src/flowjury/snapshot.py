"""The snapshot: a structural JSON copy of a live Python value, taken at once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite
from reprlib import Repr
from typing import TYPE_CHECKING, Any, TypeAlias

from flowjury.json_values import NESTING_LIMIT, OPAQUE_TEXT_LIMIT, opaque, paired

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here

_Live: TypeAlias = Any
"""An object of the user's, of any type, seen from outside."""

_AS_IS = frozenset({type(None), bool, int})
_FLAT = frozenset({str, float})
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+| id='[0-9]+'")
_REPR = Repr()
_REPR.maxlevel = 2
_MOST_MEMBERS = 1000
_MOST_REVISITS = 100_000


@dataclass(slots=True)
class _Walk:
    """What one snapshot has met: it ends at cycles, and where sharing would make it explode."""

    inside: dict[int, bool] = field(default_factory=dict)
    """By id, every container that holds others: True while the walk is inside it."""
    revisits: int = 0


def snapshot(value: object) -> Json:
    """Copy a live value as JSON. Never raises, never changes the value, consumes no iterator.

    Kept are None, bool, int, float, str, and by structure list, tuple, dict with text keys,
    dataclass, named tuple and pydantic model. All else, also NaN, a cycle and what nests past
    NESTING_LIMIT, becomes opaque.
    """
    if type(value) in _AS_IS:
        return value
    try:
        return _copied(value, 1, _Walk())
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the value is the user's: its code may raise anything
        return _opaque(value)


def _copied(value: _Live, depth: int, walk: _Walk) -> Json:
    """Copy what the loops of `_array` and `_object` do not keep as it is."""
    kind = type(value)
    if kind is dict:
        return _object(value.copy(), value, depth, walk)
    if kind is list:
        return _array(value.copy(), value, depth, walk)
    if kind is str:
        return paired(value)
    try:
        return _reduced(value, kind, depth, walk)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - as in snapshot
        return _opaque(value)


def _array(items: list[_Live], owner: object, depth: int, walk: _Walk) -> Json:
    """Complete the copied items of the owner; inlined tests, for this is a tracer's hot path."""
    inner = [
        (place, item)
        for place, item in enumerate(items)
        if not (
            ((kind := type(item)) is str and item.isascii())
            or kind in _AS_IS
            or (kind is float and isfinite(item))
        )
    ]
    return _filled(items, inner, owner, depth, walk) if inner else items


def _object(members: dict[_Live, _Live], owner: object, depth: int, walk: _Walk) -> Json:
    """Complete the copied members of the owner; inlined tests, for this is a tracer's hot path."""
    inner = [
        (key, item)
        for key, item in members.items()
        if not (
            type(key) is str
            and key.isascii()
            and (
                ((kind := type(item)) is str and item.isascii())
                or kind in _AS_IS
                or (kind is float and isfinite(item))
            )
        )
    ]
    if not inner:
        return members
    if all(type(key) is str and key.isascii() for key, _ in inner):
        return _filled(members, inner, owner, depth, walk)
    if not all(issubclass(type(key), str) for key in members):
        return _opaque(owner)
    renamed = {paired(str.__str__(key)): item for key, item in members.items()}
    return _filled(renamed, list(renamed.items()), owner, depth, walk)


def _filled(
    copy: _Live, inner: list[tuple[_Live, _Live]], owner: object, depth: int, walk: _Walk
) -> Json:
    """Replace the inner items of the copy by their own copies."""
    nested = any(type(item) not in _FLAT for _, item in inner)
    if nested and (reason := _stopped(owner, depth, walk)):
        return opaque(_qualified_name(type(owner)), reason)
    for place, item in inner:
        copy[place] = item if type(item) in _AS_IS else _copied(item, depth + 1, walk)
    walk.inside[id(owner)] = False
    return copy


def _stopped(owner: object, depth: int, walk: _Walk) -> str:
    """Enter the owner, or say why not."""
    met = walk.inside.get(id(owner))
    if met:
        return "<cycle>"
    if depth >= NESTING_LIMIT:
        return f"<nested deeper than {NESTING_LIMIT} levels>"
    walk.revisits += met is False
    if walk.revisits > _MOST_REVISITS:
        return "<shared too often to be copied>"
    walk.inside[id(owner)] = True
    return ""


def _reduced(value: _Live, kind: type, depth: int, walk: _Walk) -> Json:
    """Copy by what the type derives from, through the base type: no code of a subclass runs."""
    if issubclass(kind, str):
        return paired(str.__str__(value))
    if issubclass(kind, int):
        return int.__int__(value)
    if issubclass(kind, float):
        number = float.__float__(value)
        return number if isfinite(number) else opaque("float", repr(number))
    members = _members(value, kind)
    if members is not None:
        return _object(members, value, depth, walk)
    if issubclass(kind, list | tuple):
        items = list.copy(value) if issubclass(kind, list) else [*tuple.__iter__(value)]
        return _array(items, value, depth, walk)
    return _opaque(value)


def _members(value: _Live, kind: type) -> dict[_Live, _Live] | None:
    """Read the members of what has named ones, else None."""
    if issubclass(kind, dict):
        return dict(dict.items(value))
    names = _field_names(kind)
    if names is None:
        return None
    members = {name: getattr(value, name) for name in names}
    return members | (getattr(value, "__pydantic_extra__", None) or {})


def _field_names(kind: _Live) -> tuple[str, ...] | None:
    """Name the fields of a dataclass, a pydantic model (old or new) or a named tuple."""
    if is_dataclass(kind):
        return tuple(each.name for each in fields(kind))
    for attribute in ("__pydantic_fields__", "model_fields", "__fields__"):
        if isinstance(names := getattr(kind, attribute, None), dict):
            return tuple(names)
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None


def _opaque(value: object) -> Json:
    try:
        text = _ADDRESS.sub("", _described(value)[: 10 * OPAQUE_TEXT_LIMIT])
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - as in snapshot
        text = "<repr failed>"
    return opaque(_qualified_name(type(value)), text)


def _described(value: _Live) -> str:
    """Write the repr, bounded where a built-in type may be huge, in one order for sets."""
    kind = type(value)
    if kind in {bytes, bytearray}:
        return repr(value[:OPAQUE_TEXT_LIMIT])
    if kind in {set, frozenset} and len(value) > _MOST_MEMBERS:
        return f"<{len(value):,} members>"
    if kind in {set, frozenset}:
        return "{" + ", ".join(sorted(map(repr, value))) + "}"
    return _REPR.repr(value) if kind in {dict, tuple} else repr(value)


def _qualified_name(kind: type) -> str:
    name = kind.__qualname__
    return name if kind.__module__ == "builtins" else f"{kind.__module__}.{name}"
