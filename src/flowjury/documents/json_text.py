"""JSON text, read strictly: no duplicate keys, no NaN, bounded nesting; each fault has a place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Literal

from flowjury.documents import numbers
from flowjury.documents.place import Finder, Path, Source, near
from flowjury.errors import Fault, InputError
from flowjury.json_values import NESTING_LIMIT, depth
from flowjury.model import Json

_TOKEN = re.compile(
    r"""
    (?P<string> "[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z) )  # an unfinished one goes to the end
    | [\[\]{}:,]
    | [^\s\[\]{}:,"]+
    """,
    re.VERBOSE | re.DOTALL,
)
_NO_NUMBERS = {"NaN", "Infinity", "-Infinity"}


def read(text: str, source: Source) -> Json:
    """Return the value of a JSON text.

    Raises InputError with every fault up to the first error of syntax.
    """
    try:
        value = _decoded(text)
    except (ValueError, RecursionError) as error:
        raise InputError(_faults(text, source)) from error
    room = NESTING_LIMIT - len(source.path)
    if text.count("{") + text.count("[") > room and depth(value) > room:
        raise InputError(_faults(text, source))
    return value


def finder(text: str) -> Finder:
    """Return what finds lines in a text that was read; nothing is scanned before it is asked."""
    table = cache(partial(_lines, text))
    return lambda tokens: _nearest(table(), tokens)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("duplicate keys")
    return value


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=numbers.finite,
    parse_int=numbers.integer,
    parse_constant=numbers.refuse,
)
_QUICK = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=numbers.finite, parse_constant=numbers.refuse
)
"""The same, but for integers of thousands of digits."""


def _decoded(text: str) -> Json:
    try:
        return _QUICK.decode(text)
    except ValueError:
        return _STRICT.decode(text)


_LENIENT = json.JSONDecoder(parse_int=len, parse_float=len, parse_constant=len)


def _faults(text: str, source: Source) -> list[Fault]:
    """Find again, with their places, the faults for which a text was refused."""
    syntax = _syntax_error(text)
    end = len(text) if syntax is None else syntax.pos
    faults = list(_faults_before(text[:end], source))
    if syntax is not None:
        problem = syntax.msg[0].lower() + syntax.msg[1:].removesuffix(" at")
        message = f"not JSON: {problem} at {near(text, syntax.pos)}"
        faults.append(source.fault(message, line=syntax.lineno))
    return faults


def _syntax_error(text: str) -> json.JSONDecodeError | None:
    try:
        _LENIENT.decode(text)
    except json.JSONDecodeError as error:
        return error
    except RecursionError:
        return None
    return None


def _faults_before(text: str, source: Source) -> Iterator[Fault]:
    for spot in _spots(text):
        if len(spot.path) + len(source.path) == NESTING_LIMIT and spot.token in ("[", "{"):
            message = f"nested deeper than {NESTING_LIMIT} levels, at {near(text, spot.index)}"
            yield source.fault(message, line=spot.line)
            return
        message = _wrong_key(spot, source) if spot.role == "key" else _wrong_value(spot.token)
        if message:
            yield source.fault(message, line=spot.line, path=spot.path)


def _wrong_key(spot: _Spot, source: Source) -> str:
    if spot.first is None:
        return ""
    first = source.line + spot.first - 1
    return f"key {spot.path[-1]!r} occurs twice, first on line {first}; keep one"


def _wrong_value(token: str) -> str:
    try:
        if token in _NO_NUMBERS:
            numbers.refuse(token)
        elif token[0] in "-0123456789":
            read_number = numbers.finite if set(token) & set(".eE") else numbers.integer
            read_number(token)
    except ValueError as error:
        return str(error)
    return ""


@dataclass(frozen=True, slots=True)
class _Spot:
    """One key or value in a text, and where it stands."""

    role: Literal["key", "value"]
    path: Path
    token: str
    index: int
    line: int
    first: int | None = None
    """The line where the same key stood before."""


@dataclass(slots=True)
class _Open:
    """A list or object whose end has not been reached; `at` is None where a key comes next."""

    at: str | int | None
    lines: dict[str, int] = field(default_factory=dict)


def _spots(text: str) -> Iterator[_Spot]:
    """Yield every key and value of a text, which is valid as far as it goes."""
    stack: list[_Open] = []
    line, last = 1, 0
    for match in _TOKEN.finditer(text):
        token, index = match[0], match.start()
        line, last = line + text.count("\n", last, index), index
        match token:
            case ":":
                continue
            case ",":
                _advance(stack[-1])
            case "]" | "}":
                stack.pop()
            case _ if stack and stack[-1].at is None:
                yield _key(stack, match, line)
            case _:
                yield _Spot("value", _path(stack), token, index, line)
                if token in ("[", "{"):
                    stack.append(_Open(0 if token == "[" else None))


def _advance(top: _Open) -> None:
    top.at = top.at + 1 if isinstance(top.at, int) else None


def _path(stack: Sequence[_Open]) -> Path:
    return tuple(frame.at for frame in stack if frame.at is not None)


def _key(stack: list[_Open], match: re.Match[str], line: int) -> _Spot:
    top, token = stack[-1], match[0]
    key = str(json.loads(token)) if len(token) > 1 and token.endswith('"') else token
    top.at = key
    first = top.lines.get(key)
    top.lines.setdefault(key, line)
    return _Spot("key", _path(stack), token, match.start(), line, first)


def _lines(text: str) -> dict[tuple[str, ...], int]:
    table: dict[tuple[str, ...], int] = {}
    for spot in _spots(text):
        table.setdefault(tuple(map(str, spot.path)), spot.line)
    return table


def _nearest(table: dict[tuple[str, ...], int], tokens: Sequence[str]) -> int | None:
    """Return the line of a path or of its nearest parent."""
    paths = (tuple(tokens[:length]) for length in range(len(tokens), -1, -1))
    return next((table[path] for path in paths if path in table), None)
