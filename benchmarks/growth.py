"""How the time for a large input grows with its size: twice as much may not take four times."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from _measure import Figure, cpu, least

from flowjury.app.project import suite_model
from flowjury.documents import Document, parse
from flowjury.errors import InputError
from flowjury.masking import masked
from flowjury.validation import validate

RATIO: Final = 3
"""Twice as much takes twice as long, with room for a busy machine; a square would be 4."""

_CASE: Final = {"id": "a", "input": {"message": "A refund"}, "checks": [{"kind": "path"}] * 4}
_HOSTILE: Final = (
    *("eyJ", "eyJ.", "sk-", "Bearer ", "AKIA", "ghp_", "-----BEGIN ", "://", "://a:", "...", "_"),
    *("password=", "token:", "'token':", "token='", "api_key='\\", "authorization: basic "),
    *("cookie: a", "cookie: a=b\n", "secret=a(", "key: 1"),
)
"""What a text may repeat so that a careless pattern would look at it again and again."""


def figures(rounds: int) -> Iterator[Figure]:
    """Measure each with an input and with one that is twice as long."""
    for name, make, count in (
        ("faults of a suite", _faults, 5_000),
        ("lines of a suite", _lines, 5_000),
    ):
        yield _growth(rounds, f"{count * 2:,} {name}", make(count), make(count * 2))
    for part in _HOSTILE:
        short, long = (_masking(part, size) for size in (200_000, 400_000))
        yield _growth(rounds, f"masking a text of {part!r}", short, long)


def _growth(
    rounds: int, name: str, short: Callable[[], object], long: Callable[[], object]
) -> Figure:
    once, twice = least(rounds, [lambda: cpu(short), lambda: cpu(long)])
    name = f"{name}, beside half as much"
    return Figure(name=name, measured=twice * 1e3, unit="ms", beside=once * 1e3, ratio_limit=RATIO)


def _faults(count: int) -> Callable[[], object]:
    document = Document({"checks": [{"kind": "pth"}] * count}, "s.json")
    model = suite_model()

    def refused() -> None:
        with suppress(InputError):
            validate(document, model)

    return refused


def _lines(count: int) -> Callable[[], object]:
    text = "\n".join([json.dumps({"format": 1}), *[json.dumps(_CASE)] * count])
    return lambda: parse(text, name="a.jsonl")


def _masking(part: str, size: int) -> Callable[[], object]:
    text = part * (size // len(part))
    return lambda: masked(text)
