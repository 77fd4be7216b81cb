"""The target `python`: a callable, or an object of an engine that we can record, run in process."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from inspect import isasyncgen, isawaitable, isgenerator
from typing import Any, Literal, TypeAlias

from flowjury import families
from flowjury.errors import Fault, InputError, TargetError
from flowjury.job import Job, Observed, Place, Prepared, Turn
from flowjury.loading import load
from flowjury.session import observed
from flowjury.target import Target
from flowjury.tracer import Ending, Outcome, Recording
from flowjury.workflow import Workflow

_Live: TypeAlias = Any
"""What the user's code answers."""


class PythonTarget(Target):
    """A callable of Python: sync, async or a generator, called with the input as one argument."""

    kind: Literal["python"]
    """Calls Python code in the process that runs the case."""
    call: str
    """What is called, as `module:attribute`; also an object of an engine such as a LangGraph."""
    path: tuple[str, ...] = (".",)
    """Folders in which modules are found first, relative to the suite's folder."""

    def prepare(self, place: Place) -> Prepared:
        """Import what is to be called.

        Raises:
            InputError: it cannot be imported, or is nothing that can be called.
        """
        found = load(self.call, root=place.root, path=self.path)
        for module in families.members("recorders").values():
            if hasattr(module, "recognises") and module.recognises(found):
                prepared: Prepared = module.prepared(found)
                return prepared
        if not callable(found):
            message = f"{self.call!r} is of type {type(found).__name__!r}, which cannot be called"
            raise InputError(Fault(file=self.call, message=message))
        return PreparedCall(found)


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
