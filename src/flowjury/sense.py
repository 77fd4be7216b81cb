"""The sense of a trace: what in it contradicts itself, so that nothing can be told from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from math import isclose
from typing import Final

from flowjury import pointer
from flowjury.json_values import equal, short
from flowjury.model import Json
from flowjury.trace import Execution, Trace
from flowjury.usage import as_number, exact, spent_by_node
from flowjury.visits import arrivals, in_time

_IN_STEPS: Final = ("executions", "tools", "messages", "activations", "usage")
"""The channels of which a conversation has those of its steps and no other."""


def contradictions(trace: Trace) -> Iterator[str]:
    """Yield what contradicts itself in a trace and in its steps, each with its pointer."""
    steps = trace.steps or ()
    for name in _doubles(step.id for step in steps):
        yield f"/steps: two steps are named {name!r}; give each its own id"
    yield from _of_one(trace, "")
    for number, step in enumerate(steps):
        at = f"/steps/{number}/trace"
        if step.trace.steps:
            yield f"{at}/steps: a step has no steps; list them all in /steps"
        yield from _of_one(step.trace, at)
        yield from _of_another_step(step.id, step.trace.executions or (), f"{at}/executions")
    if steps:
        yield from _beside_steps(trace)
    yield from _of_attempts(trace)


def _of_one(trace: Trace, at: str) -> Iterator[str]:
    """Yield what contradicts itself in one turn."""
    executions = trace.executions or ()
    for name in _doubles(execution.id for execution in executions):
        yield f"{at}/executions: two executions have the id {name!r}; give each its own"
    yield from _of_executions(executions, f"{at}/executions")
    yield from _of_totals(trace, f"{at}/usage")


def _of_executions(executions: Sequence[Execution], at: str) -> Iterator[str]:
    ids = {execution.id for execution in executions}
    for number, execution in enumerate(executions):
        place = f"{at}/{number}"
        if execution.parent is not None and execution.parent not in ids:
            yield f"{place}/parent: no execution has the id {execution.parent!r}"
        if execution.end_ns < execution.start_ns:
            yield f"{place}/end_ns: {execution.end_ns} is before its start, {execution.start_ns}"
        yield from _negative(execution.usage or {}, f"{place}/usage")


def _of_totals(trace: Trace, at: str) -> Iterator[str]:
    """Yield the stated totals that what the executions spent goes beyond."""
    stated = trace.usage or {}
    yield from _negative(stated, at)
    by_unit = spent_by_node(trace.executions or ()) if stated else {}
    for unit, number in stated.items():
        spent = sum(by_unit.get(unit, {}).values(), Decimal(0))
        if 0 <= exact(number) < spent and not _rounded(number, spent):
            place = at + pointer.join([unit])
            yield f"{place}: {number} is less than its executions spent, {as_number(spent)}"


def _rounded(stated: float, spent: Decimal) -> bool:
    """Tell whether a total is that sum, but for how an engine that adds up floats rounds."""
    return isclose(stated, spent, rel_tol=1e-12)


def _negative(usage: Mapping[str, int | float], at: str) -> Iterator[str]:
    for unit, number in usage.items():
        if number < 0:
            yield f"{at}{pointer.join([unit])}: {number} is less than nothing"


def _of_another_step(name: str, executions: Sequence[Execution], at: str) -> Iterator[str]:
    for number, execution in enumerate(executions):
        if execution.step not in {None, name}:
            yield f"{at}/{number}/step: {execution.step!r} is not the step in which it is, {name!r}"


def _beside_steps(trace: Trace) -> Iterator[str]:
    """Yield what a conversation says of itself and its steps do not."""
    for channel in _IN_STEPS:
        if getattr(trace, channel):
            yield f"/{channel}: a conversation has those of its steps; move them into /steps"
    turns = [step.trace for step in trace.steps or ()]
    for flag, whole in trace.complete.items():
        if flag in _IN_STEPS and not whole and all(turn.complete.get(flag) for turn in turns):
            yield f"/complete/{flag}: false, but every step says true"
    yield from _unlike(trace, turns[0], "input", "first")
    for key in ("status", "wait", "error", "output"):
        yield from _unlike(trace, turns[-1], key, "last")


def _unlike(trace: Trace, turn: Trace, key: str, which: str) -> Iterator[str]:
    """Yield that a conversation says another thing than the turn that it has it from."""
    if not (trace.recorded(key) and turn.recorded(key)):
        return
    said, others = _told(trace, key), _told(turn, key)
    if not equal(said, others):
        yield f"/{key}: {short(said)} is not that of the {which} step, {short(others)}"


def _told(trace: Trace, key: str) -> Json:
    """Return what is told under a key; of an error not its place, which may be written anyhow."""
    error = trace.error if key == "error" else None
    value: Json = error.described() if error else getattr(trace, key)
    return value


def _of_attempts(trace: Trace) -> Iterator[str]:
    """Yield the visits whose attempts are not numbered 1, 2, … in the order of their start.

    Where not all executions were recorded, some numbers may be missing.
    """
    turns = [step.trace for step in trace.steps or ()] or [trace]
    whole = all(turn.complete.get("executions") for turn in turns)
    for visit in arrivals(in_time(turn.executions or () for turn in turns)):
        numbers = [each.attempt for each in visit.attempts]
        right = range(1, len(numbers) + 1) if whole else sorted(set(numbers))
        if numbers != [*right]:
            said = ", ".join(map(str, numbers[:_SHOWN])) + (", …" if numbers[_SHOWN:] else "")
            named = f"visit {visit.last.visit!r} of {visit.node!r}"
            yield f"/executions: the attempts of {named} are {said}; number them 1, 2, … by start"


_SHOWN: Final = 10


def _doubles(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)


def other_steps(trace: Trace, steps: Sequence[str]) -> str | None:
    """Say how the steps of a trace are not those of a conversation; it may have ended early."""
    seen = [step.id for step in trace.steps or ()]
    if seen == [*steps[: len(seen)]]:
        return None
    place = next(n for n, name in enumerate(seen) if [name] != [*steps[n : n + 1]])
    wanted = repr(steps[place]) if place < len(steps) else "no more"
    return f"/steps/{place}: {seen[place]!r}, where the case has {wanted}"
