"""Executors: where the jobs of a suite are done. Each is one file with a function `hire`."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from flowjury.job import Job, Observed
from flowjury.suite import Data
from flowjury.target import Target
from flowjury.workflow import Workflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Everything that a process must know to do the jobs of one suite; it can be pickled."""

    target: Target
    root: Path
    """The folder of the suite."""
    workflow: str | None
    """The file of the workflow under test, relative to that folder."""
    folder: Path
    """The folder in which cases run."""
    code_root: Path
    """The folder whose source files are those of the project."""
    data: Data = "live"
    """Where the answers of boundary nodes come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What came of one job."""

    observed: Observed
    sources: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each source file of the project that was imported, by relative path."""
    seconds: float = 0.0
    """Wall time."""
    printed: str | None = None
    """What was written to standard output and error meanwhile; None where nobody listened."""
    lost: bool = False
    """Whether the process that did it ended before it had answered."""
    notes: tuple[str, ...] = ()
    """What happened to the one that did it, such as a worker that was lost."""


class Executor(Protocol):
    """Does jobs, several at a time."""

    @property
    def slots(self) -> int:
        """How many jobs it can have at a time."""
        ...

    @property
    def workflow(self) -> Workflow | None:
        """The static graph, where the target knows it."""
        ...

    def submit(self, job: Job) -> Future[Seen]:
        """Have a job done. What the workflow under test does is in the result, never raised."""
        ...

    def close(self) -> None:
        """Stop whatever is still going on, and let go of processes, threads and connections."""
        ...
