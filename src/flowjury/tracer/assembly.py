"""The assembly: the trace made of what a recording holds, masked, with what is complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from flowjury.masking import masked
from flowjury.model import Json
from flowjury.trace import Channel, Execution, Raised, StepTrace, ToolCall, Trace, TraceStatus
from flowjury.tracer.current import UNRECORDED, Place
from flowjury.tracer.spans import Span, add_usage
from flowjury.workflow import Workflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a turn ended, with live values."""

    status: TraceStatus = "finished"
    output: object = UNRECORDED
    error: Raised | None = None
    wait: str | None = None


@dataclass(slots=True, kw_only=True)
class Turned:
    """What a recording holds of one turn."""

    id: str | None
    input: Json = UNRECORDED
    output: Json = UNRECORDED
    ending: Ending = field(default_factory=Ending)
    whole: bool = True
    """Whether all that began had ended when the turn did."""
    usage: dict[str, int | float] = field(default_factory=dict)
    """What was spent outside of any node."""
    dropped: bool = False
    """Whether something spent outside of any node could not be counted."""
    spans: list[Span] = field(default_factory=list)
    tools: list[dict[str, Json]] = field(default_factory=list)
    messages: list[Json] = field(default_factory=list)
    activations: list[Json] = field(default_factory=list)

    def recorded(self) -> set[Channel]:
        """Name the channels in which something was recorded."""
        channels: dict[Channel, Sequence[object]] = {
            "executions": self.spans,
            "tools": self.tools,
            "messages": self.messages,
            "activations": self.activations,
        }
        return {channel for channel, items in channels.items() if items}


def executions(spans: Sequence[Span], *, mask: tuple[str, ...]) -> tuple[Execution, ...]:
    """Make the executions of the spans of a turn; one that still runs is cancelled.

    Their places are told where tasks ran beside each other; elsewhere the clock says the same.
    """
    forked = {span.parent for span in spans if len(span.place) > 1}
    return tuple(
        _execution(span, mask=mask, place=span.place if span.parent in forked else ())
        for span in spans
    )


def _execution(span: Span, *, mask: tuple[str, ...], place: Place) -> Execution:
    details: dict[str, Any] = {
        "parent": span.parent.id if span.parent else None,
        "caller": span.caller,
        "attempt": span.attempt if span.attempt > 1 else None,
        "index": span.index or None,
        "place": place or None,
        "step": span.step,
        "outcome": span.outcome,
        "action": span.action,
        "error": _masked_error(span.error, mask),
        "usage": dict(span.usage) or None,
        "replayed": span.replayed or None,
        "other_input": span.other_input or None,
    }
    return Execution(
        id=span.id,
        node=span.node,
        visit=span.visit,
        status=span.status or "cancelled",
        start_ns=span.start_ns,
        end_ns=span.end_ns if span.status else span.start_ns,
        **_given(details),
        **_sides(span.input, span.answered, mask),
    )


def trace(
    turns: Sequence[Turned],
    *,
    mask: tuple[str, ...],
    channels: Iterable[Channel],
    whole: bool,
    workflow: Workflow | None,
) -> Trace:
    """Make the trace of all turns: one document, or one per step of a conversation.

    The channels are those that the engine records by itself; others count once something is in
    them, but nobody knows whether all of it is.
    """
    by_itself = frozenset(channels)
    present = by_itself.union(*(turn.recorded() for turn in turns))
    made = [
        _turn(turn, mask=mask, by_itself=by_itself, present=present, whole=whole) for turn in turns
    ]
    if len(turns) == 1 and turns[0].id is None:
        return made[0].model_copy(update={"workflow": workflow} if workflow else {})
    return _conversation(turns, made, workflow)


def _turn(
    turn: Turned,
    *,
    mask: tuple[str, ...],
    by_itself: frozenset[Channel],
    present: frozenset[Channel],
    whole: bool,
) -> Trace:
    whole = whole and turn.whole
    lists: dict[Any, Any] = {
        "executions": executions(turn.spans, mask=mask),
        "tools": [ToolCall(**{k: masked(v, mask) for k, v in call.items()}) for call in turn.tools],
        "messages": [masked(message, mask) for message in turn.messages],
        "activations": [masked(activation, mask) for activation in turn.activations],
    }
    complete: dict[Channel, bool] = {
        channel: whole and (channel in by_itself or channel == "executions") for channel in present
    }
    complete["usage"] = whole and not (turn.dropped or any(span.dropped for span in turn.spans))
    details: dict[str, Any] = {
        "error": _masked_error(turn.ending.error, mask),
        "wait": turn.ending.wait,
        "usage": _total(turn) if turn.usage else None,
    } | {channel: tuple(items) for channel, items in lists.items() if channel in present}
    return Trace(
        status=turn.ending.status,
        complete=dict(sorted(complete.items())),
        **_given(details),
        **_sides(turn.input, turn.output, mask),
    )


def _total(turn: Turned) -> dict[str, int | float]:
    """Add up what was spent inside and outside of nodes."""
    total = dict(turn.usage)
    for span in turn.spans:
        add_usage(total, span.usage)
    return total


def _conversation(turns: Sequence[Turned], made: list[Trace], workflow: Workflow | None) -> Trace:
    """Join the turns: the first input, the last output; lists stay in their steps."""
    first, last = made[0], made[-1]
    steps = tuple(
        StepTrace(id=turn.id or "", trace=one) for turn, one in zip(turns, made, strict=True)
    )
    details = {"error": last.error, "wait": last.wait, "workflow": workflow}
    sides = {"input": first, "output": last}
    values = {side: getattr(one, side) for side, one in sides.items() if one.recorded(side)}
    return Trace(status=last.status, steps=steps, **_given(details), **values)


def _masked_error(error: Raised | None, mask: tuple[str, ...]) -> Raised | None:
    if error is None:
        return None
    return error.model_copy(update={"message": masked(error.message, mask)})


def _sides(given: Json, answered: Json, mask: tuple[str, ...]) -> dict[str, Json]:
    sides = {"input": given, "output": answered}
    return {side: masked(value, mask) for side, value in sides.items() if value is not UNRECORDED}


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is not there, so that a stored trace does not say so at length."""
    return {key: value for key, value in fields.items() if value is not None}
