"""The session: the turns of one job, played in this process, recorded, guarded and timed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Final, TypeAlias, TypeVar

from flowjury.errors import FixtureMiss, FlowJuryError, LimitReached, NotWaiting, TargetError
from flowjury.exits import barred
from flowjury.fixtures import Shelf
from flowjury.guard import guarded
from flowjury.interruption import heed, let_through
from flowjury.job import Job, Observed, Turn
from flowjury.loop import GRACE, Loop, OutOfTimeError, UnendingError
from flowjury.names import Names
from flowjury.reason import text_of
from flowjury.record import CaseFault, FaultKind
from flowjury.trace import Channel
from flowjury.tracer.active import Ending, Recording, active, current_span
from flowjury.tracer.raising import told
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


def observed(  # noqa: PLR0913 - what a case is played by
    job: Job,
    play: Play,
    *,
    workflow: Workflow | None = None,
    channels: Iterable[Channel] = ("executions",),
    clock: Callable[[], int] = time.perf_counter_ns,
    grace: float = GRACE,
) -> Observed:
    """Play the turns of a job one after the other until one is at fault, and say what came of it.

    Asynchronous turns share one event loop, and are cancelled when the time of the case is over;
    what goes on all the same is left behind after the seconds of grace. Others cannot be stopped,
    but are at fault all the same when they took too long. Where a loop runs in this thread
    already, all this happens in a thread of its own.
    """
    recording = Recording(
        clock,
        data=job.data,
        shelf=Shelf.of(job, Names(workflow=workflow).node if workflow else None),
        mask=job.mask,
        channels=channels,
    )
    stage = _Stage(job, play, recording, Loop(grace=grace), clock() + int(job.timeout * _SECOND))
    with _going(stage, workflow):
        apart(stage.play_all)
    heed()
    recorded = recording.fixtures() if job.data == "record" else {}
    trace = recording.trace(workflow=workflow)
    unused = recording.shelf.unused() if job.data == "replay" and recording.fault is None else ()
    aside = {"unused": unused, "programs": tuple(stage.programs)}
    return Observed(
        trace=trace.model_copy(update={key: each for key, each in aside.items() if each}),
        fault=recording.fault,
        recorded=recorded,
        replayed=recording.replayed(),
    )


def cut_short() -> Observed | None:
    """Return what was seen so far of the case that runs in this process, as its time is over.

    It is asked in another thread than that of the case, just before the process is ended.
    """
    return _GOING[-1][0].so_far(_GOING[-1][1]) if _GOING else None


_GOING: Final[list[tuple[_Stage, Workflow | None]]] = []


@contextmanager
def _going(stage: _Stage, workflow: Workflow | None) -> Iterator[None]:
    _GOING.append((stage, workflow))
    try:
        yield
    finally:
        _GOING.remove((stage, workflow))


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """Where the turns of one job are played."""

    job: Job
    play: Play
    recording: Recording
    loop: Loop
    deadline: int
    endings: list[Ending] = field(default_factory=list)
    """How the turns so far ended."""
    programs: dict[str, None] = field(default_factory=dict)
    """The programs that were started on replay, each once."""

    def play_all(self) -> None:
        """Play turn by turn; after a fault, no other."""
        with ExitStack() as stack:
            stack.enter_context(active(self.recording))
            stack.enter_context(barred(self._left))
            if self.job.data == "replay":
                stack.enter_context(guarded(self._went_live, started=self._started))
            stack.callback(self._close)
            for turn in self.job.turns:
                self._play(turn)
                if self.recording.fault is not None:
                    return

    def so_far(self, workflow: Workflow | None) -> Observed:
        """End the case where it is, and say where that is."""
        inside = self.recording.cut(Ending(status="timeout"))
        where = f" in node {inside.node}" if inside else ""
        message = (
            f"still running{where} after {self.job.timeout:g} s; its process was killed with all"
            " it had started"
        )
        fault = CaseFault(kind="timeout", message=message)
        self.recording.refuse(inside.fault("timeout", message) if inside else fault)
        trace = self.recording.trace(workflow=workflow)
        return Observed(trace=trace, fault=self.recording.fault)

    def _play(self, turn: Turn) -> None:
        given = turn.input if turn.resume is None else turn.resume.model_dump()
        self.recording.begin_turn(turn.id, input=given)
        try:
            ending = self._ending(turn)
        except BaseException as error:  # noqa: BLE001 - the code under test may raise anything
            let_through(error)
            ending = self._broken(error, turn)
        heed()
        self.recording.end_turn(ending)
        self.endings.append(ending)

    def _broken(self, error: BaseException, turn: Turn) -> Ending:
        """Say how a turn ended by an exception, which is an observation or a fault."""
        match error:
            case OutOfTimeError():
                took = f"took longer than its timeout of {self.job.timeout:g} seconds"
                return self._at_fault("timeout", took, turn, Ending(status="timeout"))
            case UnendingError():
                took = f"{self._unending()} (its timeout is {self.job.timeout:g} seconds)"
                return self._at_fault("timeout", took, turn, Ending(status="timeout"))
            case SystemExit():
                left = f"the workflow left by SystemExit({_code(error)}) instead of answering"
                return self._at_fault("crash", left, turn, Ending(status="crashed"))
            case FlowJuryError():
                kind = next(kind for each, kind in _KINDS if isinstance(error, each))
                how = f" ({self._rest()})" if isinstance(error, NotWaiting) else ""
                return self._at_fault(kind, text_of(error) + how, turn, _raised(error))
        return _raised(error)

    def _rest(self) -> str:
        """Say how the turn before ended."""
        return f"it ended with {self.endings[-1].status}" if self.endings else "it never began"

    def _ending(self, turn: Turn) -> Ending:
        ending = self.play(turn, self.recording)
        if isawaitable(ending):
            ending = self.loop.run(ending, seconds=self._left_seconds)
        if self.recording.clock() > self.deadline:
            raise OutOfTimeError
        return ending

    def _left_seconds(self) -> float:
        return (self.deadline - self.recording.clock()) / _SECOND

    def _close(self) -> None:
        try:
            self.loop.close()
        except (UnendingError, KeyboardInterrupt) as error:
            let_through(error)
            self.recording.refuse(CaseFault(kind="timeout", message=self._unending()))

    def _unending(self) -> str:
        return (
            f"did not end within {self.loop.grace:g} seconds after it was cancelled, and was left"
            " behind; let asyncio.CancelledError through"
        )

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

    def _started(self, program: str) -> None:
        self.programs[program] = None

    def _refuse(self, kind: FaultKind, message: str) -> None:
        """Remember what code did that may not be done, and the node in which it ran."""
        inside = current_span()
        node, step = (inside.node, inside.step) if inside else (None, None)
        self.recording.refuse(CaseFault(kind=kind, message=message, node=node, step=step))


def _code(error: SystemExit) -> str:
    """Show the code of an exit; that of an object may say anything, or fail to."""
    code: object = error.code
    return repr(code) if code is None or isinstance(code, int | str) else type(code).__name__


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
