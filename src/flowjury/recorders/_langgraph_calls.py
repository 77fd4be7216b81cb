"""The calls of a LangGraph: of tools, in an order that recurs, and what models spent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from langchain_core.messages import ToolMessage
from langchain_core.outputs import LLMResult

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
    status: Literal["ok", "error"] | None = None
    """None while it runs, and for good where it was interrupted: it will be called again."""


class Calls:
    """The calls of one case, kept until the turn is over."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._calls: dict[UUID, _Call] = {}
        self._spenders: dict[UUID, Span | None] = {}
        self._spending = Lock()

    def begin(
        self, run: UUID, name: str, arguments: _Live, *, span: Span | None, order: Order
    ) -> None:
        """Begin a call of a tool."""
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

    def settle(self) -> None:
        """Record the tools that were called, in an order that is the same in every run."""
        calls = sorted(self._calls.values(), key=lambda call: (call.order, call.start_ns))
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

    def ask(self, run: UUID, span: Span | None) -> None:
        """Keep who calls a model."""
        self._spenders[run] = span

    def answered(self, run: UUID, response: LLMResult) -> None:
        """Add what a model says that it spent to whoever called it."""
        for generation in (each for batch in response.generations for each in batch):
            told = getattr(getattr(generation, "message", None), "usage_metadata", None)
            usage = {unit: told.get(unit, math.nan) for unit in _UNITS} if told else _UNKNOWN
            self._spend(run, usage)

    def unanswered(self, run: UUID) -> None:
        """Keep that nobody knows what a call of a model that failed has spent."""
        self._spend(run, _UNKNOWN)

    def _spend(self, run: UUID, usage: Mapping[str, float]) -> None:
        with self._spending:
            (self._spenders.get(run) or self._recording).spend(usage)
