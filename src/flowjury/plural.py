"""The plural: a number with its noun, as messages count things."""

from __future__ import annotations


def numbered(number: int, noun: str) -> str:
    """Write `1 case` or `2,000 cases`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
