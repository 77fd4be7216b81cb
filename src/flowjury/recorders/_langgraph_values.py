"""The values of LangGraph: messages and instructions in a form that reads well and recurs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeAlias

from langchain_core.messages import BaseMessage
from langgraph.types import Command, Interrupt, Send
from pydantic import BaseModel

_Live: TypeAlias = Any
"""A value of the user's."""

_FLAT: Final = frozenset({type(None), bool, int, float, str})
_DEEPEST: Final = 8
"""How deep in a state messages are looked for."""
_RANDOM_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ALWAYS: Final = frozenset({"type", "content"})


def readable(value: _Live, depth: int = _DEEPEST) -> _Live:
    """Return a value with the objects of LangGraph in it replaced by plain ones; change nothing.

    Of messages and instructions only what is set is kept, and no id that was drawn at random.
    """
    kind = type(value)
    if kind in _FLAT or not depth:
        return value
    if kind is dict:
        return _members(value, depth)
    if kind is list or kind is tuple:
        return _items(value, depth)
    return _plain(value, depth)


def _members(value: dict[_Live, _Live], depth: int) -> dict[_Live, _Live]:
    for item in value.values():
        if type(item) not in _FLAT:
            return {key: readable(each, depth - 1) for key, each in value.items()}
    return value


def _items(value: _Live, depth: int) -> _Live:
    for item in value:
        if type(item) not in _FLAT:
            return [readable(each, depth - 1) for each in value]
    return value


def _plain(value: _Live, depth: int) -> _Live:
    """Return what stands for an object: its members, where it has named ones; else itself."""
    match value:
        case BaseMessage():
            return _message(value, depth)
        case Command():
            return {key: readable(each, depth) for key, each in _fields(value) if _is_set(each)}
        case Send():
            return {"node": value.node, "arg": readable(value.arg, depth)}
        case Interrupt():
            return {"value": readable(value.value, depth)}
        case BaseModel():
            return _members(dict(value), depth)
    named = is_dataclass(value) and not isinstance(value, type)
    return _members(dict(_fields(value)), depth) if named else value


def _fields(value: _Live) -> Iterator[tuple[str, _Live]]:
    yield from ((field.name, getattr(value, field.name)) for field in fields(value))


def _is_set(field: _Live) -> bool:
    """Tell whether a field of a Command says something; False and 0 do."""
    return field is not None and field != ()


def _message(message: BaseMessage, depth: int) -> dict[str, _Live]:
    members = {key: readable(item, depth) for key, item in message if item or key in _ALWAYS}
    if _RANDOM_ID.search(members.get("id") or ""):
        del members["id"]
    if members.get("status") == "success":
        del members["status"]
    return members
