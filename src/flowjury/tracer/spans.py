"""The span: one try of one node while it runs."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite

from flowjury.case import Fixture
from flowjury.model import Json
from flowjury.record import CaseFault, FaultKind
from flowjury.snapshot import snapshot
from flowjury.trace import ExecutionStatus, Raised
from flowjury.tracer.current import UNRECORDED, Outcome, Place
from flowjury.tracer.raising import told
from flowjury.tracer.revival import full_name, revived
from flowjury.usage import as_number, exact


@dataclass(slots=True, eq=False, kw_only=True)
class Span:
    """What is known so far of one try of a node. It ends once; what comes later is ignored."""

    id: str
    node: str
    visit: str
    clock: Callable[[], int]
    start_ns: int
    input: Json
    parent: Span | None
    caller: str | None
    attempt: int
    index: tuple[int, ...]
    step: str | None
    """Id of the turn in which it began."""
    keeps: bool
    """Whether its values are recorded."""
    place: Place = ()
    boundary: bool = False
    answer: Fixture | None = None
    """The fixture that answers it, on replay."""
    other_input: bool = False
    """The fixture was recorded for another input."""
    replayed: bool = False
    status: ExecutionStatus | None = None
    """How it ended; None while it runs."""
    answered: Json = UNRECORDED
    outcome: str | None = None
    action: str | None = None
    """What was done at the wait from which it goes on."""
    error: Raised | None = None
    raised: str | None = None
    """The class of that error, named in full, so that it can be raised again."""
    usage: dict[str, int | float] = field(default_factory=dict)
    dropped: bool = False
    """Whether something it spent could not be counted."""
    end_ns: int = 0

    def fault(self, kind: FaultKind, message: str) -> CaseFault:
        """Make a fault that happened in it."""
        return CaseFault(kind=kind, message=message, node=self.node, step=self.step)

    def output(self, value: object) -> None:
        """Keep what the node has answered so far, with its outcome if it is an `Outcome`."""
        if isinstance(value, Outcome):
            self.outcome, value = value.name, value.value
        if self.keeps and value is not UNRECORDED:
            self.answered = snapshot(value)

    def yielded(self, item: object) -> None:
        """Add an item to the list that the node has answered so far."""
        if self.answered is UNRECORDED:
            self.output([])
        if self.keeps:
            self.answered.append(snapshot(item))

    def finish(
        self,
        output: object = UNRECORDED,
        *,
        outcome: str | None = None,
        usage: Mapping[str, int | float] | None = None,
        at: int | None = None,
    ) -> None:
        """End it well."""
        if self.status is not None:
            return
        self.output(output)
        self.outcome = outcome or self.outcome
        if usage:
            self.spend(usage)
        self.end("ok", at=at)

    def fail(
        self, error: BaseException, *, status: ExecutionStatus = "error", at: int | None = None
    ) -> None:
        """End it by an exception; what it answered and spent before stays."""
        if self.status is not None:
            return
        self.error = told(error)
        self.raised = full_name(type(error))
        self.end(status, at=at)

    def end(self, status: ExecutionStatus, *, at: int | None = None) -> None:
        """End it without a word on why, once."""
        if self.status is None:
            self.end_ns = max(self.start_ns, self.clock() if at is None else at)
            self.status = status

    def spend(self, usage: Mapping[str, int | float]) -> None:
        """Add to what it spent, exactly; what is no number of things spent is not counted."""
        self.dropped |= not add_usage(self.usage, usage)

    def replay(self) -> Json:
        """Return a copy of the fixture's output, or raise its error.

        Raises:
            ValueError: there is no fixture: it is no boundary node, or this is no replay.
        """
        if self.answer is None:
            raise ValueError(f"node {self.node!r} has no fixture to replay")
        self.replayed = True
        self.outcome = self.answer.outcome
        self.spend(self.answer.usage or {})
        if self.answer.error is not None:
            raise revived(self.answer.error)
        return copy.deepcopy(self.answer.output)

    async def replay_async(self) -> Json:
        """Replay likewise, but give way to other tasks once, as what reaches outside would.

        So siblings that ran at the same time when they were recorded still do.
        """
        if _loop_is_running():
            await asyncio.sleep(0)
        return self.replay()


def running(span: Span | None) -> Span | None:
    """Return the innermost that still runs of a span and those around it.

    A context may outlive what ran in it: what begins there then is not inside what has ended.
    """
    while span is not None and span.status is not None:
        span = span.parent
    return span


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # another kind of loop, which has its own way to give way
        return False
    return True


def add_usage(total: dict[str, int | float], usage: Mapping[str, int | float]) -> bool:
    """Add to a total, exactly; tell whether each was a finite number of things spent."""
    numbers = {unit: _number(amount) for unit, amount in usage.items()}
    for unit, number in numbers.items():
        if number is not None:
            total[unit] = _sum(total[unit], number) if unit in total else number
    return None not in numbers.values()


def _number(amount: object) -> int | float | None:
    if isinstance(amount, bool) or not isinstance(amount, int | float | Decimal):
        return None
    number = int(amount) if isinstance(amount, int) else float(amount)
    return number if isfinite(number) and number >= 0 else None


def _sum(one: float, other: float) -> int | float:
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return as_number(exact(one) + exact(other))
