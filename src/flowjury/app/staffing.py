"""The staffing: which executor does the jobs of a suite, and with how many workers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from flowjury import families
from flowjury.app.project import Loaded, Project
from flowjury.errors import UsageError
from flowjury.executors import Assignment, Executor
from flowjury.target import Target


@dataclass(frozen=True, slots=True)
class Staffing:
    """Where cases run."""

    workers: int | None = 0
    """How many cases run at a time; with 0, one after the other in this process, and with None as
    many as there are processors."""
    executor: str | None = None
    """An executor by name, or as `name://address`; without one, what suits the target."""

    def hire(self, project: Project, loaded: Loaded) -> Executor:
        """Prepare the target of a suite where its cases are to run.

        Raises InputError with what is wrong with the target, and UsageError for the executor.
        """
        name, _, address = (self.executor or self._fitting(loaded.suite.target)).partition("://")
        module = families.member("executors", name, "hire")
        # Elsewhere there may be other processors: an executor with an address counts them itself.
        workers = (self.workers or 0) if address else self._here
        executor: Executor = module.hire(
            assignment_of(project, loaded), workers=workers, address=address
        )
        return executor

    @property
    def _here(self) -> int:
        return _processors() if self.workers is None else self.workers

    def _fitting(self, target: Target) -> str:
        if not self._here or target.runs == "nothing":
            return "inline"
        return "processes" if target.runs == "code" else "threads"


def _processors() -> int:
    """Count the processors that this process may use, which in a container can be a few of many."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def assignment_of(project: Project, loaded: Loaded) -> Assignment:
    """Return what a process must know to do the jobs of a suite."""
    return Assignment(
        target=loaded.suite.target,
        root=loaded.folder,
        workflow=loaded.suite.workflow,
        folder=Path.cwd(),
        code_root=project.code_root(loaded.path),
        data=loaded.suite.data,
    )


def workers_of(wanted: int | None) -> int | None:
    """Return how many workers there shall be. Raises UsageError for fewer than none."""
    if wanted is not None and wanted < 0:
        raise UsageError(
            f"--workers {wanted}: write 0 for this process, or how many there shall be"
        )
    return wanted
