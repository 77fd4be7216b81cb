"""The basis of a report: what it is computed from, besides the records of its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from flowjury.check import Outcome
from flowjury.names import Names
from flowjury.record import RunRecord, Stimulus
from flowjury.request import Judgement, Ticket
from flowjury.suite import Suite


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What was answered: judgements, and recorded outcomes of evaluators."""

    judgements: Callable[[str], Sequence[Judgement]] = lambda _: ()
    """The judgements of a request, by its digest."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """Outcomes of evaluators, by digest."""
    evaluators: Mapping[str, str] = field(default_factory=dict)
    """Digest of the code of each evaluator, by `module:function`."""
    tickets: Sequence[Ticket] = ()
    """Every request that has answers beside the suite."""


@dataclass(frozen=True, kw_only=True)
class Basis:
    """A suite as it is now, one of its runs, and what was answered."""

    suite: Suite
    run: RunRecord
    answers: Answers = field(default_factory=Answers)
    now: Mapping[str, Stimulus] = field(default_factory=dict)
    """What the trace of each case would depend on today; of a case that is absent, what it did."""

    @cached_property
    def names(self) -> Names:
        """The names that the suite may use."""
        return Names(self.run.workflow, self.suite.declares)
