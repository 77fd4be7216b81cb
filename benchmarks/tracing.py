"""What recording costs for each node of a Python program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from _measure import Figure, cpu, least

from flowjury import node
from flowjury.tracer.active import Recording, active

CALLS: Final = 2_000
_STATE: Final = {
    "n": 3,
    "messages": [
        {"id": f"m{n}", "role": "user", "content": "The customer asks about an order. " * 6}
        for n in range(20)
    ],
}


def plain(state: dict[str, Any]) -> dict[str, Any]:
    """Answer what was given."""
    return state


def figures(rounds: int) -> Iterator[Figure]:
    """Measure what a decorated function takes more than a plain one, without values and with."""
    decorated = node(plain)
    times = least(
        rounds * 3,
        [
            lambda: cpu(lambda: _calls(plain)),
            lambda: _recorded(decorated, values=False),
            lambda: _recorded(decorated, values=True),
        ],
    )
    base, bare, whole = (seconds / CALLS * 1e6 for seconds in times)
    yield Figure(name="tracing a node without values", measured=bare - base, unit="µs", limit=15)
    yield Figure(
        name="tracing a node with 20 messages as input and output",
        measured=whole - base,
        unit="µs",
        limit=60,
    )


def _recorded(function: Callable[[dict[str, Any]], object], *, values: bool) -> float:
    with active(Recording(time.perf_counter_ns, values=values)):
        return cpu(lambda: _calls(function))


def _calls(function: Callable[[dict[str, Any]], object]) -> None:
    for _ in range(CALLS):
        function(_STATE)
