"""Plain scalars of YAML by the core schema of version 1.2: `no` is a string, `0o7` is seven."""

from __future__ import annotations

import re
from typing import Final

from flowjury.documents import numbers
from flowjury.model import Json

_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FIRST_OF_NUMBER: Final = frozenset("+-.0123456789")
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def resolve(text: str) -> Json:
    """Return the value of a plain scalar; raise ValueError if JSON does not have it."""
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _FIRST_OF_NUMBER else text


def _number(text: str) -> Json:
    if _INTEGER.fullmatch(text):
        return numbers.integer(text)
    if _FLOAT.fullmatch(text):
        return numbers.finite(text)
    if _NO_NUMBER.fullmatch(text):
        numbers.refuse(text)
    return text
