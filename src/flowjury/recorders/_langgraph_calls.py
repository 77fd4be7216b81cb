"""The calls of a LangGraph: of tools, in an order that recurs, and what models spent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import LLMResult

from flowjury.recorders._langgraph_asked import AskedCalls, answers
from flowjury.recorders._langgraph_tries import Order
from flowjury.recorders._langgraph_values import readable
from flowjury.snapshot import snapshot
from flowjury.tracer.current import UNRECORDED
from flowjury.tracer.recording import Recording
from flowjury.tracer.spans import Span

_Live: TypeAlias = Any
"""What a tool is given or answers."""

_UNITS: Final = ("input_tokens", "output_tokens")
_UNKNOWN: Final = dict.fromkeys(_UNITS, math.nan)
"""What a call spent that does not say: the recording keeps that it could not be counted."""


@dataclass(slots=True, eq=False, kw_only=True)
class _Call:
    """One call of a tool."""

    name: str
    arguments: _Live
    order: Order
    span: Span | None
    start_ns: int
    result: _Live = UNRECORDED
    status: Literal["ok", "error", "refused"] | None = None
    """None while it runs, and for good where it was interrupted: it will be called again."""


class Calls:
    """The calls of one case, kept until the turn is over."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._calls: dict[UUID, _Call] = {}
        self._asked = AskedCalls()
        self._askers: dict[UUID, tuple[Span | None, Order]] = {}
        self._spending = Lock()

    def begin(  # noqa: PLR0913 - what is known of a call
        self,
        run: UUID,
        name: str,
        arguments: _Live,
        *,
        asked: str | None,
        span: Span | None,
        order: Order,
    ) -> None:
        """Begin a call of a tool; `asked` is the id under which a model asked for it."""
        self._asked.begin(asked, name, arguments)
        self._calls[run] = _Call(
            name=name,
            arguments=snapshot(readable(arguments)),
            order=order,
            span=span,
            start_ns=self._recording.clock(),
        )

    def end(self, run: UUID, output: _Live) -> None:
        """End a call of a tool; the content of its message is what it answered."""
        if (call := self._calls.get(run)) is not None:
            answer = output.content if isinstance(output, ToolMessage) else output
            failed = isinstance(output, ToolMessage) and output.status == "error"
            call.result = snapshot(readable(answer))
            call.status = "error" if failed else "ok"

    def fail(self, run: UUID) -> None:
        """End a call of a tool by an exception."""
        if (call := self._calls.get(run)) is not None:
            call.status = "error"

    def settle(self, *, suspended: bool) -> None:
        """Record the tools that were called, in an order that is the same in every run.

        What a model asked for may yet begin where the run is suspended, and else never will.
        """
        unbegun = [] if suspended else self._unbegun()
        calls = [*unbegun, *self._calls.values()]
        calls.sort(key=lambda call: (call.order, call.start_ns))
        self._calls.clear()
        for call in calls:
            if call.status is not None:
                self._recording.tool(
                    call.name,
                    arguments=call.arguments,
                    result=call.result,
                    status=call.status,
                    span=call.span,
                    at=call.start_ns,
                )

    def _unbegun(self) -> list[_Call]:
        return [
            _Call(
                name=asked.name,
                arguments=snapshot(readable(asked.arguments)),
                order=asked.order,
                span=asked.span,
                start_ns=asked.start_ns,
                result=snapshot(readable(asked.answer.content)) if asked.answer else UNRECORDED,
                status=asked.status,
            )
            for asked in self._asked.settle()
        ]

    def ask(self, run: UUID, given: _Live, *, span: Span | None, order: Order) -> None:
        """Keep who calls a model; what it is given may answer what it asked for before."""
        self._askers[run] = span, order
        self.told(given)

    def told(self, value: _Live) -> None:
        """Keep the answers, in what a node answers, to calls that no tool has begun."""
        self._asked.answered(answers(value))

    def answered(self, run: UUID, response: LLMResult) -> None:
        """Add what a model says that it spent to whoever called it, and keep what it asks for."""
        span, order = self._askers.get(run, (None, ()))
        for generation in (each for batch in response.generations for each in batch):
            message = getattr(generation, "message", None)
            if isinstance(message, AIMessage):
                self._asked.ask(message, order=order, span=span, at=self._recording.clock())
            told = getattr(message, "usage_metadata", None)
            usage = {unit: told.get(unit, math.nan) for unit in _UNITS} if told else _UNKNOWN
            self._spend(run, usage)

    def unanswered(self, run: UUID) -> None:
        """Keep that nobody knows what a call of a model that failed has spent."""
        self._spend(run, _UNKNOWN)

    def _spend(self, run: UUID, usage: Mapping[str, float]) -> None:
        with self._spending:
            (self._askers.get(run, (None, ()))[0] or self._recording).spend(usage)
