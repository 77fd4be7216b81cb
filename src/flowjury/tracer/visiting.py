"""The visiting of a node: a block of code that is a span, with all that runs inside it."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from concurrent.futures import CancelledError as FutureCancelledError
from contextvars import Token
from types import TracebackType
from typing import Protocol, cast

from flowjury.trace import ExecutionStatus
from flowjury.tracer.current import HERE, STRAND, Here, Recorder, Strand
from flowjury.tracer.lateness import refuse
from flowjury.tracer.spans import Span, running
from flowjury.tracer.strands import begun, entered

_CANCELLED = (GeneratorExit, CancelledError, FutureCancelledError)


class Server(Recorder, Protocol):
    """A recording that answers boundary nodes."""

    over: bool
    """Whether it was a replay, and has ended."""

    def serve(self, span: Span) -> None:
        """Give a span of a boundary node its answer from the fixtures; do nothing for others."""
        ...


class Visiting:
    """Begin a span, make it the current one, end it with the block, by its exception if any."""

    __slots__ = ("_begin", "_inside", "_outside", "_recorder", "_span", "_token")

    _inside: Strand | None

    def __init__(self, recorder: Server, *, begin: Callable[[Span | None], Span]) -> None:
        self._recorder = recorder
        self._begin = begin

    def __enter__(self) -> Span:
        """Begin the span, inside the current one of the same recording."""
        here = HERE.get()
        inside = cast("Span | None", here[1]) if here and here[0] is self._recorder else None
        around = running(inside)
        self._span = span = self._begin(around)
        if around is inside:
            span.place, self._inside = begun(span, inside=around)
        else:
            self._inside = entered(span)
        try:
            if self._recorder.over and span.boundary:
                refuse(span.node)
            self._recorder.serve(span)
        except BaseException as error:
            span.fail(error)
            raise
        self.enter()
        return span

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the span and go back to the one around it."""
        self.leave()
        if error is None:
            self._span.finish()
        else:
            self._span.fail(error, status=status_of(error))

    def enter(self) -> None:
        """Make the span the current one."""
        self._outside = STRAND.get()
        STRAND.set(self._inside)
        self._token: Token[Here | None] = HERE.set((self._recorder, self._span))

    def leave(self) -> None:
        """Make the one around it the current one again."""
        HERE.reset(self._token)
        self._inside = STRAND.get()
        STRAND.set(self._outside)


def status_of(error: BaseException) -> ExecutionStatus:
    """Tell a cancellation from an error."""
    return "cancelled" if isinstance(error, _CANCELLED) else "error"
