"""The sequences: where two differ, and whether one can become the other."""

from __future__ import annotations

from collections.abc import Sequence


def difference(actual: Sequence[str], wanted: Sequence[str]) -> str:
    """Say where two sequences of visits first differ."""
    pairs = enumerate(zip(actual, wanted, strict=False))
    place = next((n for n, (a, w) in pairs if a != w), min(len(actual), len(wanted)))
    found = actual[place] if place < len(actual) else "none"
    expected = wanted[place] if place < len(wanted) else "none"
    return f"visit {place + 1} is {found}, where the check says {expected}"


def within(part: Sequence[str | None], whole: Sequence[str | None]) -> bool:
    """Tell whether one sequence can become another by adding to it."""
    rest = iter(whole)
    return all(name in rest for name in part)
