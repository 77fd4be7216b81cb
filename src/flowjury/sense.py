"""The sense of a trace: what in it contradicts itself, so that nothing can be told from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from flowjury.trace import Execution, Trace


def contradictions(trace: Trace, at: str = "") -> Iterator[str]:
    """Yield what contradicts itself in a trace and in its steps, each with its pointer."""
    steps = trace.steps or ()
    for name in _doubles(step.id for step in steps):
        yield f"{at}/steps: two steps are named {name!r}; give each its own id"
    for number, step in enumerate(steps):
        yield from contradictions(step.trace, f"{at}/steps/{number}/trace")
    executions = trace.executions or ()
    for name in _doubles(execution.id for execution in executions):
        yield f"{at}/executions: two executions have the id {name!r}; give each its own"
    yield from _of_executions(executions, f"{at}/executions")


def _of_executions(executions: Sequence[Execution], at: str) -> Iterator[str]:
    ids = {execution.id for execution in executions}
    for number, execution in enumerate(executions):
        place = f"{at}/{number}"
        if execution.parent is not None and execution.parent not in ids:
            yield f"{place}/parent: no execution has the id {execution.parent!r}"
        if execution.end_ns < execution.start_ns:
            yield f"{place}/end_ns: {execution.end_ns} is before its start, {execution.start_ns}"
        for unit, number_spent in (execution.usage or {}).items():
            if number_spent < 0:
                yield f"{place}/usage/{unit}: {number_spent} is less than nothing"


def _doubles(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)
