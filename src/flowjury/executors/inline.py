"""The executor `inline`: in this process, one job after the other; a debugger works in it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import ClassVar

from flowjury.executors import Assignment, Executor, Seen
from flowjury.executors._observer import Observer
from flowjury.job import Job
from flowjury.workflow import Workflow


def hire(assignment: Assignment, *, workers: int, address: str) -> Executor:  # noqa: ARG001 - as all
    """Prepare the target here. Raises InputError with everything that is wrong with it."""
    return Inline(Observer.of(assignment))


class Inline:
    """A target that is prepared in this process."""

    slots: ClassVar[int] = 1

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    @property
    def workflow(self) -> Workflow | None:
        """The static graph, where the target knows it."""
        return self._observer.workflow

    def submit(self, job: Job) -> Future[Seen]:
        """Do a job at once."""
        done: Future[Seen] = Future()
        done.set_result(self._observer.observe(job))
        return done

    def close(self) -> None:
        """Let go of what the target holds."""
        self._observer.close()
