"""The text of a JSON value: canonical for digests, plain for files, short for messages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here

_OF_JSON = (dict, list, tuple, str, int, float, type(None))
_CONSTANTS = {None: "null", True: "true", False: "false"}
_INTEGRAL = re.compile(r"\.0(?![0-9])|[0-9]e\+")
_UNREADABLE = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    order: Callable[[Iterable[tuple[str, Json]]], Iterable[tuple[str, Json]]]
    number: Callable[[Json], str]
    indent: int | None = None
    plain: Callable[[Any], Json] | None = None


def canonical(value: Json) -> bytes:
    """Write the one text that all equal values share, so that digests of equal values are equal.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except ValueError:  # NaN, which the writer refuses again, or an integer too long for json
        text = _written(value, _CANONICAL)
    if (".0" in text or "e+" in text) and _INTEGRAL.search(text):
        text = _written(value, _CANONICAL)
    return text.encode("ascii")


def digest(value: Json) -> str:
    """Return the SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def dumps(
    value: Json, indent: int | None = None, *, plain: Callable[[Any], Json] | None = None
) -> str:
    """Write ASCII JSON text with keys in their own order, whatever the code points and digits.

    `plain` makes JSON of what is none. Without an indent it is many times faster.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        return json.dumps(
            value, indent=indent, separators=separators, allow_nan=False, default=plain
        )
    except ValueError:
        style = _Style(order=iter, number=_shortest, indent=indent, plain=plain)
        return _written(value, style)


def _written(value: Json, style: _Style, level: int = 0) -> str:
    """Write what the standard json cannot: integers of any length, numbers in our own way."""
    if style.plain is not None and not isinstance(value, _OF_JSON):
        value = style.plain(value)
    if isinstance(value, dict):
        colon = ":" if style.indent is None else ": "
        pairs = style.order(value.items())
        items = [json.dumps(key) + colon + _written(item, style, level + 1) for key, item in pairs]
        return _enclosed("{}", items, style.indent, level)
    if isinstance(value, list | tuple):  # a dumped model holds tuples, as json writes
        items = [_written(item, style, level + 1) for item in value]
        return _enclosed("[]", items, style.indent, level)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    return json.dumps(value) if isinstance(value, str) else style.number(value)


def _enclosed(brackets: str, items: list[str], indent: int | None, level: int) -> str:
    if indent is None or not items:
        return brackets[0] + ",".join(items) + brackets[1]
    outer = "\n" + " " * indent * level
    inner = outer + " " * indent
    return brackets[0] + inner + ("," + inner).join(items) + outer + brackets[1]


def _shortest(number: Json) -> str:
    if isinstance(number, float):
        return json.dumps(number, allow_nan=False)
    try:
        return str(number)
    except ValueError:  # longer than sys.get_int_max_str_digits(); Decimal has no such limit
        return format(Decimal(number), "f")


def _exact(number: Json) -> str:
    integral = isinstance(number, float) and number.is_integer()
    return _shortest(int(number) if integral else number)


_CANONICAL = _Style(order=sorted, number=_exact)


def short(value: Json, limit: int = 120) -> str:
    """Write the value for a message: readable JSON text, cut visibly after `limit` characters."""
    text = ""
    for piece in _pieces(value, limit):
        text += piece
        if len(text) > limit:
            return f"{text[:limit]}… ({_size(value)})"
    return text


def _pieces(value: Json, limit: int) -> Iterator[str]:
    """Yield the text bit by bit; a string is cut first, as no more than `limit` is shown."""
    if isinstance(value, dict):
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield ", " if number else ""
            yield _readable(key[: limit + 1]) + ": "
            yield from _pieces(item, limit)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for number, item in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(item, limit)
        yield "]"
    else:
        yield _readable(value[: limit + 1]) if isinstance(value, str) else dumps(value)


def _readable(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNREADABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _size(value: Json) -> str:
    if isinstance(value, str):
        return f"{len(value):,} characters"
    if isinstance(value, list):
        return f"{len(value):,} items"
    return f"{len(value):,} keys" if isinstance(value, dict) else f"{len(dumps(value)):,} digits"
