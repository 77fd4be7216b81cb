"""The report as data: statuses, findings, decisions and gates of one run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from pydantic import Field

from flowjury.decision import RubricReport
from flowjury.finding import Finding
from flowjury.model import Model
from flowjury.verdict import Status

NOT_SELECTED: Final = "not selected"
"""The reason of a case that the run was not asked to run."""


class StepReport(Model):
    """What came of one turn of a conversation."""

    id: str
    """The step."""
    reason: str | None = None
    """Why it was not observed; absent if it was."""
    findings: tuple[Finding, ...] = ()
    """What came of its own checks."""


class TrialReport(Model):
    """What came of one trial of a case."""

    number: int
    """Its number, from 1."""
    status: Status
    """What came of it."""
    reason: str | None = None
    """Why it erred or was not run."""
    replayed: bool = False
    """Whether every boundary node was answered from a fixture."""
    seconds: float | None = None
    """Wall time in seconds; absent if not measured."""
    findings: tuple[Finding, ...] = ()
    """What came of the checks of the whole case."""
    steps: tuple[StepReport, ...] = ()
    """What came of each turn."""
    rubrics: tuple[RubricReport, ...] = ()
    """What came of each rubric."""
    unused: tuple[str, ...] = ()
    """Fixtures that answered nothing, each in words."""
    programs: tuple[str, ...] = ()
    """Programs that it started on replay, where nobody sees what they do."""

    def all_findings(self) -> Iterator[Finding]:
        """Yield the findings of the case and of its steps."""
        yield from self.findings
        for step in self.steps:
            yield from step.findings


class CaseReport(Model):
    """What came of one case."""

    id: str
    """The case."""
    title: str | None = None
    """Its title."""
    tags: tuple[str, ...] = ()
    """Its tags."""
    status: Status
    """What came of it."""
    reason: str | None = None
    """Why it was skipped or not run, or how its trials decided."""
    passed: int = 0
    """Number of trials that passed."""
    needed: int = 1
    """Number of trials that must pass."""
    planned: int = 1
    """Number of trials."""
    trials: tuple[TrialReport, ...] = ()
    """What came of each trial that has a record."""

    @property
    def selected(self) -> bool:
        """Tell whether the run was asked to run it."""
        return self.reason != NOT_SELECTED


class GateReport(Model):
    """What came of one gate."""

    name: str
    """The gate."""
    bound: str
    """Its bound, as the suite writes it."""
    status: Literal["passed", "failed", "open"]
    """What came of it; open while cases that are not decided could still move it."""
    message: str
    """The numbers behind it."""


class Unused(Model):
    """Answers to a question that their case no longer asks."""

    request: str
    """Digest of the request they answer."""
    case: str
    """The case."""
    step: str | None = None
    """The step."""
    judges: tuple[str, ...]
    """Who answered."""
    changed: tuple[str, ...]
    """What is different now."""


class Report(Model):
    """Everything that a run showed, as computed from what is on disk."""

    format: Literal[1] = 1
    """The number of this format."""
    suite: str
    """Name of the suite."""
    title: str | None = None
    """Its title."""
    suite_file: str
    """Path of the suite file."""
    run: str
    """The run."""
    started: str
    """When the run started, in ISO 8601."""
    data: str
    """Where the answers of boundary nodes came from: replay, record or live."""
    status: Status
    """Worst status of the selected cases and suite checks."""
    exit: int
    """Exit code: 0 passed, 1 failed, 3 incomplete, 4 error."""
    partial: bool
    """Whether some cases were not selected."""
    totals: dict[str, int]
    """Number of cases by status."""
    warnings: int = 0
    """Number of failed or unknown checks with `enforcement: warn`."""
    noted: int = 0
    """Number of failed or unknown checks with `enforcement: report`."""
    spent: dict[str, int | float] = Field(default_factory=dict)
    """What all recorded trials together reported to have spent, by unit."""
    gates: tuple[GateReport, ...] = ()
    """What came of each gate."""
    findings: tuple[Finding, ...] = ()
    """What came of the checks of the whole suite."""
    cases: tuple[CaseReport, ...]
    """What came of each case, in suite order."""
    unused: tuple[Unused, ...] = ()
    """Answers that count no more, with what changed."""
    notes: tuple[str, ...] = ()
    """What a reader should know besides."""
