"""JSON values: equality, canonical form, text; what is none becomes a tagged opaque value.

A JSON value is None, bool, int, finite float, str, list of such, or dict of str to such. A string
may hold lone surrogates, but no surrogate pair: `paired` makes one character of each.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from flowjury._json_text import canonical, digest, dumps, short

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here

__all__ = [
    "DOCUMENT_LIMIT",
    "NESTING_LIMIT",
    "OPAQUE_KEY",
    "OPAQUE_TEXT",
    "OPAQUE_TEXT_LIMIT",
    "TYPE_NAMES",
    "canonical",
    "depth",
    "digest",
    "dumps",
    "equal",
    "holds_opaque",
    "is_opaque",
    "loads",
    "loads_strict",
    "matches",
    "opaque",
    "paired",
    "short",
    "too_deep",
    "type_name",
]

NESTING_LIMIT = 200
"""How deep a value may nest; `[[]]` is two levels deep, a scalar none."""

DOCUMENT_LIMIT = NESTING_LIMIT + 40
"""How deep a document of data may nest: a recorded value lies some levels inside its trace."""

OPAQUE_KEY = "$flowjury.opaque"
OPAQUE_TEXT = "text"
OPAQUE_TEXT_LIMIT = 200

TYPE_NAMES = ("null", "boolean", "integer", "number", "string", "array", "object")
_TYPES = dict(zip((type(None), bool, int, float, str, list, dict), TYPE_NAMES, strict=True))
_CONTAINERS = (list, dict)


def type_name(value: Json) -> str:
    """Name the JSON type; a float is a `number` even when it is integral."""
    return _TYPES[type(value)]


def equal(a: Json, b: Json) -> bool:
    """Compare as JSON: true is not 1, 1 equals 1.0, numbers exact, strings by code point."""
    return bool(a == b) and _booleans_agree(a, b)


def _booleans_agree(a: Json, b: Json) -> bool:
    """Tell whether two values that Python finds equal have their booleans in the same places."""
    pending = [([a], [b])]
    while pending:
        left, right = pending.pop()
        kinds = {*map(type, left), *map(type, right)}
        pairs = zip(left, right, strict=True)
        if bool in kinds and any((type(x) is bool) != (type(y) is bool) for x, y in pairs):
            return False
        if not kinds.isdisjoint(_CONTAINERS):
            pairs = zip(left, right, strict=True)
            pending.extend(_children(x, y) for x, y in pairs if type(x) in _CONTAINERS)
    return True


def _children(a: Json, b: Json) -> tuple[list[Json], list[Json]]:
    return (a, b) if isinstance(a, list) else (list(a.values()), [b[key] for key in a])


def matches(actual: Json, expected: Json) -> bool:
    """Compare with a pattern: its keys must be there and match, its arrays match item by item."""
    pending = [(actual, expected)]
    while pending:
        a, b = pending.pop()
        if type(a) is dict and type(b) is dict and b.keys() <= a.keys():
            pending.extend((a[key], value) for key, value in b.items())
        elif type(a) is list and type(b) is list and len(a) == len(b):
            pending.extend(zip(a, b, strict=True))
        elif a != b or type(b) in _CONTAINERS or (type(a) is bool) != (type(b) is bool):
            return False
    return True


def _levels(value: Json) -> Iterator[list[Json]]:
    """Yield the containers level by level, the outermost first."""
    level = [value] if type(value) in _CONTAINERS else []
    while level:
        yield level
        level = [
            child
            for parent in level
            for child in (parent.values() if type(parent) is dict else parent)
            if type(child) in _CONTAINERS
        ]


def depth(value: Json) -> int:
    """Count the levels of arrays and objects."""
    return sum(1 for _ in _levels(value))


def too_deep(value: Json) -> bool:
    """Tell whether the value nests past NESTING_LIMIT."""
    return depth(value) > NESTING_LIMIT


def opaque(type_name: str, text: str) -> Json:
    """Stand in for something that is no JSON value; the text is cut to OPAQUE_TEXT_LIMIT."""
    cut = text if len(text) <= OPAQUE_TEXT_LIMIT else text[: OPAQUE_TEXT_LIMIT - 1] + "…"
    return {OPAQUE_KEY: type_name, OPAQUE_TEXT: cut}


def is_opaque(value: Json) -> bool:
    """Tell whether the value itself stands in for something that is no JSON value."""
    return type(value) is dict and OPAQUE_KEY in value


def holds_opaque(value: Json) -> bool:
    """Tell whether the value is, or holds anywhere inside, an opaque one."""
    return any(is_opaque(container) for level in _levels(value) for container in level)


def paired(text: str) -> str:
    """Make one character of each surrogate pair, as JSON text does; lone ones stay."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def loads(text: str | bytes) -> Json:
    """Read recorded JSON text; a number that is none (NaN, 1e400) becomes opaque.

    Raises:
        ValueError: it is not JSON, a key occurs twice, or it nests past DOCUMENT_LIMIT.
    """
    return _loads(text, _opaque_number, DOCUMENT_LIMIT)


def loads_strict(text: str | bytes) -> Json:
    """Read JSON text that someone wrote by hand; a number that is none is refused.

    Raises:
        ValueError: as `loads`, also for NaN or 1e400, or when it nests past NESTING_LIMIT.
    """
    return _loads(text, _refuse_number, NESTING_LIMIT)


def _loads(text: str | bytes, no_number: Callable[[str], Json], limit: int) -> Json:
    def read_float(digits: str) -> Json:
        number = float(digits)
        return number if math.isfinite(number) else no_number(digits)

    try:
        value = json.loads(
            text.removeprefix("\ufeff") if isinstance(text, str) else text,
            object_pairs_hook=_unique,
            parse_float=read_float,
            parse_int=_integer,
            parse_constant=no_number,
        )
    except RecursionError as error:
        raise ValueError(_nested_past(limit)) from error
    if depth(value) > limit:
        raise ValueError(_nested_past(limit))
    return value


def _nested_past(limit: int) -> str:
    return f"nested deeper than {limit} levels"


def _opaque_number(digits: str) -> Json:
    return opaque("float", digits)


def _refuse_number(digits: str) -> Json:
    raise ValueError(
        f"{short(digits)[1:-1]} is not a number that JSON can hold; write a finite one"
    )


def _integer(digits: str) -> int:
    """Read digits of any number: by halves past sys.get_int_max_str_digits()."""
    try:
        return int(digits)
    except ValueError:
        if digits.startswith("-"):
            return -_integer(digits[1:])
        half = len(digits) // 2
        scale: int = 10**half
        return _integer(digits[:-half]) * scale + _integer(digits[-half:])


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        [(key, times)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {short(key)} occurs {times} times in one object")
    return value
