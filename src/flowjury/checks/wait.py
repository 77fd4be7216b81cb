"""The check `wait`: what happened at a human or timed wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Self, get_args

from pydantic import ConfigDict, model_validator

from flowjury.check import Check, Claim, Flaw, Scope, Truth, Want
from flowjury.checks._bounds import Counted, Times
from flowjury.checks._sequences import within
from flowjury.checks._visited import Name, look
from flowjury.evidence import Visit
from flowjury.finding import Actual
from flowjury.names import Names
from flowjury.scalars import Flag
from flowjury.trace import Execution, ExecutionStatus

Action = Literal["approve", "reject", "feedback", "timeout"]
_PARTS = ("suspensions", "resumptions", "actions", "pending", "retries", "exhausted")


@dataclass(frozen=True, slots=True)
class _Seen:
    """The visits of the nodes at which a wait suspends the run."""

    visits: Sequence[Visit]
    gap: str | None
    unverified: str | None

    def following(self, status: ExecutionStatus) -> list[Execution]:
        """Return the attempts that came after one that ended so, in the same visit."""
        return [
            after
            for visit in self.visits
            for before, after in pairwise(visit.attempts)
            if before.status == status
        ]

    @property
    def resumptions(self) -> list[Execution]:
        """Return the attempts that began because the wait was resumed.

        Where actions are recorded, one that has none and is interrupted again is not among them:
        the engine tried it since another wait beside it was resumed.
        """
        after = self.following("interrupted")
        if not any(each.action for each in after):
            return after
        return [each for each in after if each.action or each.status != "interrupted"]

    @property
    def suspensions(self) -> list[Execution]:
        """Return the attempts that suspended the run, without those that only still did."""
        begun = {each.id for each in self.resumptions}
        still = {each.id for each in self.following("interrupted")} - begun
        attempts = (each for visit in self.visits for each in visit.attempts)
        return [a for a in attempts if a.status == "interrupted" and a.id not in still]

    @property
    def absence(self) -> Truth:
        """What it means if something is not found."""
        if self.gap is not None:
            return Truth.UNKNOWN
        return Truth.FAILS if self.unverified is None else Truth.MISSING


class WaitCheck(Check):
    """Holds if a wait went as is said."""

    model_config = ConfigDict(title="wait")
    of_one_run = True
    kind: Literal["wait"]
    """Names this kind."""
    wait: Name
    """The name of the wait, or of the node that waits."""
    suspensions: Times | None = None
    """How often it suspended the run."""
    resumptions: Times | None = None
    """How often it was resumed."""
    actions: tuple[Action, ...] | None = None
    """What was done at its resumptions, in order."""
    pending: Flag | None = None
    """Whether the run ended suspended at it."""
    retries: Times | None = None
    """How often it was tried again after it had failed."""
    exhausted: Flag | None = None
    """Whether it failed for good after it had been tried again."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if all(getattr(self, part) is None for part in _PARTS):
            raise ValueError(f"it asserts nothing: write at least one of {', '.join(_PARTS)}")
        return self

    def flaws(self, names: Names) -> Iterator[Flaw]:
        """Yield that the graph has no such wait."""
        if message := names.wait_fault(self.wait):
            yield Flaw("/wait", message)

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim each part."""
        return list(self._claims(scope, _seen(scope, self.wait)))

    def _claims(self, scope: Scope, seen: _Seen) -> Iterator[Claim]:
        counts = (
            ("suspensions", self.suspensions, seen.suspensions),
            ("resumptions", self.resumptions, seen.resumptions),
            ("retries", self.retries, seen.following("error")),
        )
        for what, bounds, found in counts:
            if bounds is not None:
                counted = Counted(
                    what=f"{what} of {self.wait}",
                    count=len(found),
                    gap=seen.gap,
                    unverified=seen.unverified,
                )
                yield from counted.claims(bounds)
        if self.actions is not None:
            yield _acted(self.wait, self.actions, seen)
        if self.pending is not None:
            yield _pending(scope, self.wait, seen, "holds" if self.pending else "fails")
        if self.exhausted is not None:
            yield _exhausted(self.wait, seen, "holds" if self.exhausted else "fails")


def _seen(scope: Scope, wait: str) -> _Seen:
    found = [look(scope, node) for node in scope.names.waiting(wait)]
    visits = sorted((v for each in found for v in each.visits), key=lambda visit: visit.start)
    unverified = None if visits else next((e.unverified for e in found if e.unverified), None)
    return _Seen(visits, found[0].gap, unverified)


def _acted(wait: str, actions: Sequence[str], seen: _Seen) -> Claim:
    """Claim what was done at the resumptions: the action, or the outcome by which a wait was left.

    In an engine whose nodes ask and go on by themselves, an outcome is a way and no action.
    """
    done = [_done(attempt) for attempt in seen.resumptions]
    says = f"done at {wait}: {', '.join(action or 'not recorded' for action in done) or 'nothing'}"
    if None in done:
        truth = Truth.UNKNOWN
    elif done == list(actions):
        truth = Truth.UNKNOWN if seen.gap or seen.unverified else Truth.HOLDS
    elif seen.gap is not None and within(done, actions):
        truth = Truth.UNKNOWN
    else:
        truth = Truth.FAILS if seen.unverified is None else Truth.MISSING
    reason = seen.gap if truth is Truth.UNKNOWN and seen.gap else seen.unverified
    return Claim(
        truth=truth,
        says=f"{says}; {reason}" if reason else says,
        expected=list(actions),
        actual=Actual.of(done),
    )


def _done(attempt: Execution) -> str | None:
    known = get_args(Action)
    return next((word for word in (attempt.action, attempt.outcome) if word in known), None)


def _pending(scope: Scope, wait: str, seen: _Seen, want: Want) -> Claim:
    """Claim that the run ended suspended at a wait."""
    trace = scope.evidence.trace
    if trace.status != "wait":
        truth = Truth.FAILS if seen.unverified is None else Truth.MISSING
        says = f"the run ended as {trace.status}, not suspended at {wait}"
    elif trace.wait == wait or any(v.last.status == "interrupted" for v in seen.visits):
        truth, says = Truth.HOLDS, f"the run is suspended at {wait}"
    elif trace.wait is None:
        truth, says = Truth.UNKNOWN, "where the run is suspended was not recorded"
    else:
        truth, says = seen.absence, f"the run is suspended at {trace.wait}, not at {wait}"
    hint = f"; {seen.unverified}" if truth is Truth.MISSING else ""
    return Claim(truth=truth, says=says + hint, want=want, where="/status")


def _exhausted(wait: str, seen: _Seen, want: Want) -> Claim:
    """Claim that a wait failed for good after it had been tried again."""
    failed = any(v.last.status == "error" and len(v.attempts) > 1 for v in seen.visits)
    if failed and seen.gap is None:
        truth, says = Truth.HOLDS, f"{wait} failed for good after it had been tried again"
    else:
        truth, says = seen.absence, f"{wait} did not fail for good after it had been tried again"
        reason = seen.gap or seen.unverified
        says = f"{says}; {reason}" if reason else says
    return Claim(truth=truth, says=says, want=want)
