"""The job: what a target is given of a case (nothing that it asserts), and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from flowjury.case import Case, Fixture, Fixtures, Resume
from flowjury.model import Json
from flowjury.record import CaseFault
from flowjury.suite import Data, Suite
from flowjury.trace import Trace
from flowjury.workflow import Workflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a suite stands, for a target that prepares itself."""

    root: Path
    """The folder of the suite; what the suite names is relative to it."""
    workflow: str | None
    """The file of the workflow under test."""
    read: Callable[[Path], bytes]
    """Reads a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One call of the workflow: an input, or what is done at a wait."""

    id: str | None
    """The step's id; None where the case has no steps."""
    input: Json = None
    resume: Resume | None = None
    fixtures: Mapping[str, tuple[Fixture, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One trial of one case, without anything that the suite expects of it."""

    case: str
    trial: int
    turns: tuple[Turn, ...]
    data: Data
    fixtures: Mapping[str, tuple[Fixture, ...]]
    """Answers of boundary nodes for the whole case: inline ones before those in files."""
    ignore: Mapping[str, tuple[str, ...]]
    """Pointers into a node's input that do not matter for its fixtures."""
    mask: tuple[str, ...]
    """Keys, beside the usual ones, whose values are secrets."""
    timeout: float
    """Seconds."""
    trace: str | None = None
    """The case's trace file, for target `trace`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What a target gives back: a trace, and where it broke, why."""

    trace: Trace | None
    text: bytes | None = None
    """The trace as the JSON text of exactly this value, where there is one already."""
    fault: CaseFault | None = None
    recorded: Fixtures = field(default_factory=dict)
    """Answers of boundary nodes, masked, where `data: record`."""
    replayed: bool = False
    """Whether at least one boundary node was answered, and all of them from fixtures."""


class Prepared(Protocol):
    """A target that is ready to observe cases."""

    @property
    def workflow(self) -> Workflow | None:
        """The static graph, where the target knows it."""
        ...

    def observe(self, job: Job) -> Observed:
        """Turn a job into a trace. Raises nothing for what the workflow under test does."""
        ...


def job_of(suite: Suite, case: Case, *, trial: int, recorded: Fixtures) -> Job:
    """Make the job of one trial; inline fixtures of a node replace those recorded in files."""
    turns = tuple(
        Turn(id=step.id, input=step.input, resume=step.resume, fixtures=step.fixtures)
        for step in case.steps
    )
    return Job(
        case=case.id,
        trial=trial,
        turns=turns or (Turn(id=None, input=case.input),),
        data=suite.data,
        fixtures={**recorded, **case.fixtures},
        ignore=suite.ignore,
        mask=suite.mask,
        timeout=case.timeout or suite.timeout,
        trace=case.trace,
    )
