"""Numbers as text: integers are exact, and there are none that JSON does not have."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final, NoReturn

DIGITS_LIMIT: Final = 10_000
"""How many digits an integer may have: the time to read one grows with their square."""

_PREFIXES: Final = ("0o", "0x")


def integer(text: str) -> int:
    """Read an integer exactly, decimal or prefixed; raise ValueError if it is too long."""
    if len(text) > DIGITS_LIMIT:
        raise ValueError(f"an integer of {len(text):,} digits is too long; write it as a string")
    try:
        return int(text, 0 if text[:2] in _PREFIXES else 10)
    except ValueError:  # longer than sys.get_int_max_str_digits(); Decimal has no such limit
        return int(Decimal(text))


def finite(text: str) -> float:
    """Read a number with a fraction or an exponent; raise ValueError if it is too large."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:80]} is too large for a number; write it as a string")
    return value


def refuse(text: str) -> NoReturn:
    """Raise ValueError for the name of a number that JSON does not have."""
    raise ValueError(f"{text} is not a JSON value; write null or a string")
