"""The session: the turns of one job, played in this process, recorded, guarded and timed."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Final, TypeAlias, TypeVar

from flowjury.errors import FixtureMiss, FlowJuryError, LimitReached, NotWaiting, TargetError
from flowjury.exits import barred
from flowjury.fixtures import Shelf
from flowjury.guard import guarded
from flowjury.job import Job, Observed, Turn
from flowjury.names import Names
from flowjury.record import CaseFault, FaultKind
from flowjury.trace import Channel
from flowjury.tracer.active import Ending, Recording, active, current_span
from flowjury.tracer.raising import told
from flowjury.tracer.revival import text_of
from flowjury.workflow import Workflow

T = TypeVar("T")
Play: TypeAlias = Callable[[Turn, Recording], Ending | Awaitable[Ending]]
"""Plays one turn under a recording. What it raises is what the workflow under test raised."""

_KINDS: Final[tuple[tuple[type[FlowJuryError], FaultKind], ...]] = (
    (FixtureMiss, "fixture-miss"),
    (NotWaiting, "not-waiting"),
    (LimitReached, "limit"),
    (TargetError, "target"),
    (FlowJuryError, "harness"),
)
_SECOND: Final = 1_000_000_000


class _OutOfTimeError(Exception):
    """The turn was stopped, or ended, after the time of the case was over."""


def observed(
    job: Job,
    play: Play,
    *,
    workflow: Workflow | None = None,
    channels: Iterable[Channel] = ("executions",),
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Observed:
    """Play the turns of a job one after the other until one is at fault, and say what came of it.

    Asynchronous turns share one event loop, and are cancelled when the time of the case is over;
    others cannot be stopped, but are at fault all the same when they took too long. Where a loop
    runs in this thread already, all this happens in a thread of its own.
    """
    recording = Recording(
        clock,
        data=job.data,
        shelf=Shelf.of(job, Names(workflow=workflow).node if workflow else None),
        mask=job.mask,
        channels=channels,
    )
    stage = _Stage(job, play, recording, asyncio.Runner(), clock() + int(job.timeout * _SECOND))
    apart(stage.play_all)
    recorded = recording.fixtures() if job.data == "record" else {}
    trace = recording.trace(workflow=workflow)
    unused = recording.shelf.unused() if job.data == "replay" and recording.fault is None else ()
    return Observed(
        trace=trace.model_copy(update={"unused": unused}) if unused else trace,
        fault=recording.fault,
        recorded=recorded,
        replayed=recording.replayed(),
    )


@dataclass(frozen=True, slots=True)
class _Stage:
    """Where the turns of one job are played."""

    job: Job
    play: Play
    recording: Recording
    runner: asyncio.Runner
    deadline: int
    endings: list[Ending] = field(default_factory=list)
    """How the turns so far ended."""

    def play_all(self) -> None:
        """Play turn by turn; after a fault, no other."""
        with ExitStack() as stack:
            stack.enter_context(closing(self.runner))
            stack.enter_context(active(self.recording))
            stack.enter_context(barred(self._left))
            if self.job.data == "replay":
                stack.enter_context(guarded(self._went_live))
            for turn in self.job.turns:
                self._play(turn)
                if self.recording.fault is not None:
                    return

    def _play(self, turn: Turn) -> None:
        given = turn.input if turn.resume is None else turn.resume.model_dump()
        self.recording.begin_turn(turn.id, input=given)
        try:
            ending = self._ending(turn)
        except _OutOfTimeError:
            took = f"took longer than its timeout of {self.job.timeout:g} seconds"
            ending = self._at_fault("timeout", took, turn, Ending(status="timeout"))
        except SystemExit as error:
            left = f"the workflow left by SystemExit({error.code!r}) instead of answering"
            ending = self._at_fault("crash", left, turn, Ending(status="crashed"))
        except FlowJuryError as error:
            kind = next(kind for each, kind in _KINDS if isinstance(error, each))
            how = f" ({self._rest()})" if isinstance(error, NotWaiting) else ""
            ending = self._at_fault(kind, text_of(error) + how, turn, _raised(error))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - an observation
            ending = _raised(error)
        self.recording.end_turn(ending)
        self.endings.append(ending)

    def _rest(self) -> str:
        """Say how the turn before ended."""
        return f"it ended with {self.endings[-1].status}" if self.endings else "it never began"

    def _ending(self, turn: Turn) -> Ending:
        ending = self.play(turn, self.recording)
        if isawaitable(ending):
            bounded = self._bounded(ending)
            ending = self.runner.run(bounded, context=contextvars.copy_context())
        if self.recording.clock() > self.deadline:
            raise _OutOfTimeError
        return ending

    async def _bounded(self, ending: Awaitable[Ending]) -> Ending:
        left = (self.deadline - self.recording.clock()) / _SECOND
        bound = asyncio.timeout(max(0.0, left))
        try:
            async with bound:
                return await ending
        except TimeoutError as error:
            if bound.expired():
                raise _OutOfTimeError from error
            raise

    def _at_fault(self, kind: FaultKind, message: str, turn: Turn, ending: Ending) -> Ending:
        self.recording.refuse(CaseFault(kind=kind, message=message, step=turn.id))
        return ending

    def _left(self, call: str) -> None:
        message = f"called {call}, which would end this process without a report; raise instead"
        self._refuse("crash", message)

    def _went_live(self, address: str) -> None:
        message = (
            f"connected to {address} on `data: replay`: only fixtures may answer there; make what"
            " reaches outside a boundary node, or run the suite with `data: live`"
        )
        self._refuse("target", message)

    def _refuse(self, kind: FaultKind, message: str) -> None:
        """Remember what code did that may not be done, and the node in which it ran."""
        inside = current_span()
        node, step = (inside.node, inside.step) if inside else (None, None)
        self.recording.refuse(CaseFault(kind=kind, message=message, node=node, step=step))


def _raised(error: BaseException) -> Ending:
    return Ending(status="error", error=told(error))


def apart(work: Callable[[], T]) -> T:
    """Do the work here, or in a thread of its own where an event loop is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(work).result()
