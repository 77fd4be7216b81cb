"""The callable that is ready to be called with each turn's input."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from inspect import isasyncgen, isawaitable, isgenerator
from typing import Any, TypeAlias

from flowjury.errors import TargetError
from flowjury.job import Job, Observed, Turn
from flowjury.session import observed
from flowjury.tracer.active import Ending, Outcome, Recording
from flowjury.workflow import Workflow

_Live: TypeAlias = Any
"""What the user's code answers."""


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A callable that is ready to be called with each turn's input."""

    call: Callable[[_Live], _Live]
    workflow: Workflow | None = None

    def observe(self, job: Job) -> Observed:
        """Call it once per turn; its decorated functions are the executions."""
        return observed(job, self._play, channels=())

    def _play(self, turn: Turn, _recording: Recording) -> Ending | Awaitable[Ending]:
        if turn.resume is not None:
            raise TargetError(
                f"step {turn.id!r} resumes the wait {turn.resume.wait!r}, but a plain callable"
                " never waits; give the step an `input`, or use a target that can wait"
            )
        answer = self.call(copy.deepcopy(turn.input))
        if isawaitable(answer) or isasyncgen(answer):
            return _awaited(answer)
        return _ending([*answer] if isgenerator(answer) else answer)


async def _awaited(answer: Awaitable[_Live] | AsyncIterator[_Live]) -> Ending:
    if isawaitable(answer):
        answer = await answer
    return _ending([item async for item in answer] if isasyncgen(answer) else answer)


def _ending(answer: _Live) -> Ending:
    return Ending(output=answer.value if isinstance(answer, Outcome) else answer)
