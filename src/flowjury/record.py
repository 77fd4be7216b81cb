"""The record of a run: its metadata, and one row per case and trial as each finished."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from flowjury.masking import masked_text
from flowjury.model import Model
from flowjury.suite import Data
from flowjury.trace import Trace
from flowjury.workflow import Workflow

FaultKind = Literal[
    "fixture-miss",
    "not-waiting",
    "limit",
    "timeout",
    "crash",
    "target",
    "store",
    "harness",
    "other-input",
]


class Stimulus(Model):
    """Digests of what a trace depends on, by part (input, target, workflow, fixtures, …)."""

    parts: dict[str, str]
    """Digest of each part."""
    sources: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of each source file of the project that the run imported, by relative path."""

    def changes(self, now: Stimulus) -> list[str]:
        """Name the parts and files that differ from what they are now."""
        named = [
            *_differing(self.parts, now.parts),
            *_differing(self.sources, {key: now.sources.get(key, "") for key in self.sources}),
        ]
        return sorted(named)


class CaseFault(Model):
    """Why a case could not be observed to its end; no fault of the workflow under test."""

    kind: FaultKind
    """What failed."""
    message: Annotated[str, AfterValidator(masked_text)]
    """What happened and what to do about it, without the secrets that an error may quote."""
    node: str | None = None
    """The node at which it happened."""
    step: str | None = None
    """The step in which it happened."""


class CaseRecord(Model):
    """What is stored of one trial of one case."""

    case: str
    """Id of the case."""
    trial: int = Field(ge=1)
    """Number of the trial, from 1."""
    stimulus: Stimulus
    """What the trace depends on."""
    trace: Trace | None = None
    """What was observed; on a fault, what was observed before it."""
    fault: CaseFault | None = None
    """Why it could not be observed to its end."""
    replayed: bool = False
    """Whether every boundary node was answered from a fixture."""
    seconds: float | None = None
    """Wall time of the trial."""
    printed: str | None = None
    """What was written to standard output and error meanwhile, where that was kept."""
    notes: tuple[str, ...] = ()
    """What happened to the one that recorded it: no part of a report, which it does not change."""


class RunRecord(Model):
    """What is stored of one run."""

    id: str
    """Names the run."""
    command: str = ""
    """Names the command that made it, and with it a run of each of its suites."""
    suite: str
    """Name of the suite."""
    suite_file: str
    """Path of the suite file, relative to the project."""
    data: Data
    """Where the answers of boundary nodes came from."""
    started: str
    """When, in ISO 8601 with a time zone."""
    selected: tuple[str, ...] | None = None
    """Ids of the cases that were selected; absent if all were."""
    shard: str | None = None
    """Which part of several it was, as `I/N`."""
    whole: tuple[str, ...] | None = None
    """Of a part, ids of the cases that all parts are asked to run; absent if that is all."""
    workflow: Workflow | None = None
    """The static graph on which it ran."""
    finished: bool = False
    """Whether it came to its end."""


def _differing(then: dict[str, str], now: dict[str, str]) -> list[str]:
    return [key for key in then.keys() | now.keys() if then.get(key) != now.get(key)]
