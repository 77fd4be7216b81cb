"""JSON Pointers (RFC 6901): how they are written, where they lead, how far they lead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from flowjury.json_values import holds_opaque, is_opaque, short, type_name

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here

_BAD_ESCAPE = re.compile(r"~(?![01])")
_INDEX = re.compile(r"0|[1-9][0-9]*")
_LONGEST_NAME = 200
_MOST_NAMES = 2000
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Found:
    """The pointer leads to this value, which holds nothing opaque."""

    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The pointer leads nowhere; how far it resolved and what was wrong there."""

    pointer: str
    resolved: str
    """The longest prefix that resolved."""
    token: str
    """The first token that did not."""
    reason: str
    nearest: str | None = None
    """The nearest key of the object there."""
    parent_resolved: bool = False
    """Only the last token is missing, and its parent could have held it."""

    def sentence(self) -> str:
        """Say how far it resolved, what was wrong there and which key is nearest."""
        return f"{self.resolved or 'the document'} {self.reason}"


@dataclass(frozen=True, slots=True)
class Opaque:
    """The pointer leads into, or to, something that could not be recorded as JSON."""

    pointer: str


Resolution: TypeAlias = Found | Missing | Opaque


def parse(pointer: str) -> tuple[str, ...]:
    """Split a pointer into its unescaped tokens.

    Raises:
        ValueError: it is neither empty nor starts with '/', or has a bad escape.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        likely = "/" + pointer.lstrip("#$./").replace(".", "/")
        raise ValueError(
            f"{pointer!r} must be empty or start with '/'; perhaps {likely!r} is meant"
        )
    if bad := _BAD_ESCAPE.search(pointer):
        raise ValueError(
            f"{pointer!r} has a bare '~' at {bad.start()}; write '~0' for '~', '~1' for '/'"
        )
    return tuple(map(_unescaped, pointer[1:].split("/")))


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def join(tokens: Iterable[str]) -> str:
    """Write tokens as a pointer, escaping '~' and '/'."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name most like the one given, if any is like it enough to be meant."""
    candidates = [other for other in islice(names, _MOST_NAMES) if len(other) <= _LONGEST_NAME]
    if len(name) > _LONGEST_NAME:
        return None
    same = (other for other in candidates if other.casefold() == name.casefold())
    close = get_close_matches(name, candidates, n=1)
    return next(same, close[0] if close else None)


def resolve(document: Json, pointer: str) -> Resolution:
    """Follow the pointer as far as it leads.

    Raises:
        ValueError: it is not a pointer.
    """
    tokens = parse(pointer)
    value = document
    for number, token in enumerate(tokens):
        if is_opaque(value):
            return Opaque(pointer)
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and _is_index_of(token, value):
            value = value[int(token)]
        else:
            return _missing(value, pointer, tokens, number)
    return Opaque(pointer) if holds_opaque(value) else Found(value)


def _is_index_of(token: str, items: list[Json]) -> bool:
    canonical = _INDEX.fullmatch(token) and len(token) <= _MOST_DIGITS
    return bool(canonical) and int(token) < len(items)


def _missing(value: Json, pointer: str, tokens: tuple[str, ...], number: int) -> Missing:
    """Say why the token at this number does not lead on from the value."""
    token = tokens[number]
    near = nearest(token, value) if isinstance(value, dict) else None
    could_hold = isinstance(value, dict) or (
        isinstance(value, list) and _INDEX.fullmatch(token) is not None
    )
    return Missing(
        pointer=pointer,
        resolved=join(tokens[:number]),
        token=token,
        reason=_reason(value, token, near),
        nearest=near,
        parent_resolved=could_hold and number == len(tokens) - 1,
    )


def _reason(value: Json, token: str, near: str | None) -> str:
    if isinstance(value, dict):
        hint = f"; nearest is {near!r}" if near is not None else ""
        return f"resolves, {_shown(token)} is not a key there{hint}"
    if not isinstance(value, list):
        article = "an" if type_name(value) == "integer" else "a"
        kind = "null" if value is None else f"{article} {type_name(value)}"
        return f"is {kind}, it has no keys"
    count = "1 item" if len(value) == 1 else f"{len(value)} items"
    if _INDEX.fullmatch(token):
        return f"resolves, index {token[:40]} is past the end ({count})"
    return f"resolves, {_shown(token)} is not an index of the array there ({count})"


def _shown(token: str) -> str:
    return repr(token) if len(token) <= _LONGEST_NAME else short(token)
