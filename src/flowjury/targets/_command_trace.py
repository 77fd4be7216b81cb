"""The trace of a program: what it said and left behind, turn by turn, as a trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from flowjury.documents import Document
from flowjury.errors import InputError, TargetError
from flowjury.job import Observed, Turn
from flowjury.json_values import equal, short
from flowjury.masking import masked, masked_text
from flowjury.model import Json
from flowjury.record import CaseFault
from flowjury.sense import contradictions
from flowjury.targets._command_answer import Answer
from flowjury.targets._command_workspace import Captured, Snapshot, shown
from flowjury.trace import FORMAT, ErrorInfo, StepTrace, Trace, TraceStatus
from flowjury.validation import validate

_TOLD: Final = ("executions", "tools", "messages", "usage", "activations", "complete", "workflow")
"""What a program may tell of itself in a trace; all else is observed from outside."""
_MOST_SAID: Final = 20
_ENDING: Final = ("input", "output", "status", "error", "wait")


@dataclass(slots=True, kw_only=True)
class Seen:
    """What was seen of one turn."""

    status: TraceStatus = "finished"
    answer: Answer | None = None
    error: ErrorInfo | None = None
    """Why there is no answer, where that is a fault of the case."""
    exited: str | None = None
    """Why an exit is a fault unless the case asserts exit, files or effects."""
    code: int | None = None
    stderr: str = ""
    heard: bool = True
    """Whether all of standard error was heard and kept."""
    before: Snapshot | None = None
    after: Snapshot | None = None
    captured: Captured | None = None
    ran: bool = True
    """Whether a program ran here; what is done elsewhere leaves nothing that can be seen."""


@dataclass(slots=True)
class Story:
    """The turns of one case that were seen."""

    mask: tuple[str, ...]
    turns: list[tuple[Turn, Seen, Trace]] = field(default_factory=list)

    def add(self, turn: Turn, seen: Seen) -> None:
        """Add a turn. Raises TargetError for a trace that is none."""
        self.turns.append((turn, seen, _of_turn(turn, seen, self.mask)))

    @property
    def waits_at(self) -> str | None:
        """The wait at which the last turn ended."""
        return self.turns[-1][2].wait if self.turns else None

    @property
    def rest(self) -> str:
        """How the last turn ended."""
        return f"it ended with {self.turns[-1][2].status}" if self.turns else "it never began"

    def trace(self) -> Trace | None:
        """Return the whole trace: of a conversation, one with a step for each turn."""
        if not self.turns:
            return None
        turn, _, only = self.turns[0]
        return only if turn.id is None else self._conversation()

    def observed(self, fault: CaseFault | None) -> Observed:
        """Return what came of the case, unless its trace contradicts itself."""
        trace = self.trace()
        found = [] if fault or trace is None else [*contradictions(trace)]
        if found:
            message = "\n".join(f"its trace: {each}" for each in found[:_MOST_SAID])
            return Observed(trace=None, fault=CaseFault(kind="target", message=message))
        return Observed(trace=trace, fault=fault)

    def _conversation(self) -> Trace:
        first, last = self.turns[0][2], self.turns[-1][2]
        seen = [each for _, each, _ in self.turns]
        steps = tuple(StepTrace(id=turn.id or "", trace=one) for turn, _, one in self.turns)
        whole = Seen(
            stderr="".join(each.stderr for each in seen),
            heard=all(each.heard for each in seen),
            before=seen[0].before,
            after=seen[-1].after,
            captured=seen[-1].captured,
            code=seen[-1].code,
            ran=seen[-1].ran,
        )
        sides = {"input": first, "output": last, "error": last, "wait": last}
        said = {key: getattr(one, key) for key, one in sides.items() if one.recorded(key)}
        return Trace(status=last.status, steps=steps, **said, **_left(whole))


def _of_turn(turn: Turn, seen: Seen, mask: Sequence[str]) -> Trace:
    given = turn.input if turn.resume is None else turn.resume.model_dump()
    value: dict[str, Json] = {"status": seen.status, "input": given}
    if seen.error is not None:
        value["error"] = seen.error.model_dump()
    if seen.answer is not None:
        value |= _ended(seen.answer)
        value |= _told(seen.answer, value)
    left = _left(seen)
    left["complete"] = value.pop("complete", {}) | left["complete"]
    if seen.exited is not None:
        left["exited"] = masked_text(seen.exited)
    document = Document({**masked(value, mask), **left}, "its trace")
    try:
        return validate(document, Trace)
    except InputError as error:
        raise TargetError("; ".join(map(str, error.faults))) from error


def _ended(answer: Answer) -> dict[str, Json]:
    if answer.error is not None:
        return {"status": "error", "error": answer.error.model_dump()}
    if answer.wait is not None:
        return {"status": "wait", "wait": answer.wait}
    return {"output": answer.output}


def _told(answer: Answer, known: dict[str, Json]) -> dict[str, Json]:
    """Return what a program tells of what it did; it may not contradict what is known."""
    told = answer.trace or {}
    for key, value in told.items():
        if key in _ENDING and not (key in known and equal(value, known[key])):
            raise TargetError(
                f"its trace has {key} {short(value, 40)}, but {short(known.get(key), 40)} is so;"
                " leave it out"
            )
        if key not in {*_ENDING, *_TOLD, "format"}:
            raise TargetError(
                f"its trace has {key!r}, which it cannot tell; it can tell {', '.join(_TOLD)}"
            )
    if told.get("format", FORMAT) != FORMAT:
        raise TargetError(f"its trace has format {short(told['format'])}, not {FORMAT}")
    if not isinstance(told.get("complete", {}), dict):
        raise TargetError(f"its trace has complete {short(told['complete'], 40)}, no object")
    return {key: told[key] for key in _TOLD if key in told} | _spent(answer, told)


def _spent(answer: Answer, told: dict[str, Json]) -> dict[str, Json]:
    """Return what a program says that it spent in all, which it knows best."""
    if answer.usage is None:
        return {}
    if "usage" in told and not equal(told["usage"], answer.usage):
        raise TargetError("its answer and its trace have another `usage` each; leave one out")
    complete = told.get("complete", {})
    return {"usage": answer.usage, "complete": {"usage": True, **complete}}


def _left(seen: Seen) -> dict[str, Any]:
    """Return what a program left behind, as far as that was looked at."""
    if not seen.ran:
        return {"complete": {}}
    effects: dict[str, Json] = {"stderr": masked_text(seen.stderr)}
    whole = seen.heard
    left: dict[str, Any] = {"effects": effects, "complete": {}}
    if seen.before is not None and seen.after is not None:
        effects["writes"] = [*map(shown, seen.after.writes(seen.before))]
        effects["deletes"] = [*map(shown, seen.after.deletes(seen.before))]
        whole = whole and seen.before.whole and seen.after.whole
    left["complete"]["effects"] = whole
    if seen.captured is not None:
        left["files"] = seen.captured.files
        left["complete"]["files"] = seen.captured.whole
    if seen.code is not None:
        left["exit_code"] = seen.code
    return left
