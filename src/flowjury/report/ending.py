"""The implicit findings: a run ended as expected, with an output, on fixtures made for it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from flowjury.case import Case, ExpectedError, ExpectError, Step
from flowjury.check import walk_all
from flowjury.finding import ABSENT, Actual, Finding
from flowjury.json_values import short
from flowjury.model import Json
from flowjury.trace import Execution, Trace
from flowjury.verdict import Verdict

_SHOWN: Final = 3
_CAPTURED: Final = frozenset({"files", "effects", "exit"})
"""The kinds of checks of programs, which answer by what they leave behind."""


def ending(part: Case | Step, trace: Trace) -> tuple[Finding, ...]:
    """Return what is asserted of every run, whatever its suite says."""
    found = [_ended(part, trace)]
    if part.expect == trace.status == "finished" and not captured(part):
        found.append(_answered(trace))
    if stale := _other_input(trace):
        found.append(stale)
    return tuple(found)


def ended_as_expected(case: Case, trace: Trace) -> bool:
    """Tell whether a run, or every turn of a conversation, ended as its case expects."""
    turns = {turn.id: turn.trace for turn in trace.steps or ()}
    ends = [_ended(step, turns[step.id]) for step in case.steps if step.id in turns]
    whole = ends if case.steps else [_ended(case, trace)]
    passed = [end for end in whole if end.verdict is Verdict.PASSED]
    return len(passed) == max(1, len(case.steps))


def unobserved(step: str) -> Finding:
    """Return the finding on a turn that nothing broke and that is not in the trace."""
    return Finding(
        kind="ending",
        verdict=Verdict.UNKNOWN,
        message=f"step {step} is not in the trace",
        actual=ABSENT,
    )


def captured(part: Case | Step) -> bool:
    """Tell whether what a program leaves behind is asserted, so that its exit is its end."""
    asserted = [check for check in part.checks if check.enforcement == "fail"]
    return any(check.kind in _CAPTURED for _, check in walk_all(asserted, ""))


def _ended(part: Case | Step, trace: Trace) -> Finding:
    expect = part.expect
    if isinstance(expect, ExpectError):
        return _ended_by_error(expect.error, trace)
    shown: dict[str, Json] = {"expected": expect, "actual": Actual.of(trace.status)}
    if trace.status == expect:
        return Finding(kind="ending", verdict=Verdict.PASSED, message=_how(trace), **shown)
    message = f"expected to end with {expect}, but {_how(trace)}"
    return Finding(kind="ending", verdict=Verdict.FAILED, message=message, **shown)


def _ended_by_error(expected: ExpectedError, trace: Trace) -> Finding:
    wanted = expected.model_dump(exclude_none=True)
    actual = Actual.of(trace.error.described()) if trace.error else ABSENT
    matches = (
        trace.status == "error"
        and trace.error is not None
        and expected.type in {None, trace.error.type}
        and (expected.message or "") in trace.error.message
    )
    if matches:
        message, verdict = _how(trace), Verdict.PASSED
    elif trace.status == "error" and trace.error is None:
        message, verdict = "ended with an error that was not recorded", Verdict.UNKNOWN
    else:
        message = f"expected to end with error {short(wanted)}, but {_how(trace)}"
        verdict = Verdict.FAILED
    return Finding(
        kind="ending", verdict=verdict, message=message, expected={"error": wanted}, actual=actual
    )


def _how(trace: Trace) -> str:
    """Say how the run ended, and where an error came from."""
    if trace.status == "wait":
        return f"the run waits at {trace.wait}" if trace.wait else "the run waits"
    if trace.status != "error" or trace.error is None:
        return f"the run ended with {trace.status}"
    what = f"the run ended with {trace.error.type}: {short(trace.error.message)}"
    origin, where = _origin(trace), trace.error.where
    if origin is None:
        return f"{what}, raised at {where}" if where else what
    return f"{what}, raised in node {origin}{f' ({_line(where)})' if where else ''}"


def _line(where: str) -> str:
    return where.partition(" in ")[0]


def _origin(trace: Trace) -> str | None:
    """Return the node whose error ended the run: the innermost of the last to fail."""
    ended = trace.error and trace.error.described()
    failed = [
        e
        for e in trace.executions or ()
        if e.status == "error" and e.error and e.error.described() == ended
    ]
    parents = {execution.parent for execution in failed}
    return next((e.node for e in reversed(failed) if e.id not in parents), None)


def _answered(trace: Trace) -> Finding:
    if trace.recorded("output"):
        return Finding(
            kind="output",
            verdict=Verdict.PASSED,
            message="the run produced an output",
            where="/output",
        )
    return Finding(
        kind="output",
        verdict=Verdict.UNKNOWN,
        message="the run finished, and its output was not recorded",
        actual=ABSENT,
        where="/output",
    )


def _other_input(trace: Trace) -> Finding | None:
    calls = Counter[str]()
    others: list[str] = []
    for execution in trace.executions or ():
        calls[execution.node] += 1
        if execution.other_input:
            others.append(_call(execution, calls[execution.node]))
    if not others:
        return None
    shown = ", ".join(others[:_SHOWN]) + (", …" if len(others) > _SHOWN else "")
    return Finding(
        kind="fixtures",
        verdict=Verdict.UNKNOWN,
        message=(
            f"recorded for another input: {shown}; record again, ignore the parts of the input that"
            " do not matter, or remove the fixture's `input` if its answer fits any"
        ),
    )


def _call(execution: Execution, number: int) -> str:
    caller = f", called by {execution.caller}" if execution.caller else ""
    return f"{execution.node} (call {number}{caller})"
