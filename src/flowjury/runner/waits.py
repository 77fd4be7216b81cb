"""The waits of a run that are pending, and the frames around them that are interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from flowjury.errors import NotWaiting, TargetError
from flowjury.pointer import nearest
from flowjury.runner.frame import Frame, Token
from flowjury.tracer.spans import Span


@dataclass(frozen=True, slots=True)
class Wait:
    """A token that waits, and the execution that was interrupted there."""

    token: Token
    span: Span

    @property
    def name(self) -> str:
        """The name of the wait."""
        return self.token.work.wait or ""


class Waits:
    """The pending waits of one run, by branch and iteration."""

    def __init__(self) -> None:
        self._pending: list[Wait] = []

    def add(self, wait: Wait) -> None:
        """Keep a wait."""
        self._pending.append(wait)
        self._pending.sort(key=lambda each: (each.token.index, each.name))

    def take(self, name: str) -> Wait:
        """Remove the wait of a name; of several, the one in the first branch or iteration.

        Raises NotWaiting where none is pending, and TargetError where only others are.
        """
        if not self._pending:
            raise NotWaiting
        names = [wait.name for wait in self._pending]
        if name not in names:
            near = nearest(name, names)
            hint = f"; nearest is {near!r}" if near else ""
            known = ", ".join(dict.fromkeys(names))
            raise TargetError(f"no wait named {name!r} is pending{hint} (pending: {known})")
        return self._pending.pop(names.index(name))

    def interrupt(self) -> str | None:
        """Interrupt the references around the waits; return the name of the first, if any."""
        for wait in self._pending:
            for frame in wait.token.frames():
                if frame.span is not None:
                    frame.span.end("interrupted")
        return self._pending[0].name if self._pending else None

    def give_up(self) -> Frame | None:
        """Remove the waits inside a frame that failed already, and return that frame, if any."""
        frame = next(filter(_failed, self._around()), None)
        if frame is None:
            return None
        for wait in [wait for wait in self._pending if frame in wait.token.frames()]:
            self._pending.remove(wait)
            for inner in takewhile(lambda one: one is not frame, wait.token.frames()):
                if inner.span is not None:
                    inner.span.end("cancelled")
        return frame

    def _around(self) -> Iterator[Frame]:
        return (frame for wait in self._pending for frame in wait.token.frames())


def _failed(frame: Frame) -> bool:
    return frame.failed
