"""The executor `threads`: for targets that wait for something outside this process."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from flowjury.executors import Assignment, Executor, Seen
from flowjury.executors._observer import Observer
from flowjury.job import Job
from flowjury.workflow import Workflow


def hire(assignment: Assignment, *, workers: int, address: str) -> Executor:  # noqa: ARG001 - as all
    """Prepare the target here. Raises InputError with everything that is wrong with it."""
    return Threads(Observer.of(assignment), max(1, workers))


class Threads:
    """A target in this process, whose jobs wait side by side."""

    def __init__(self, observer: Observer, workers: int) -> None:
        self.slots = workers
        self._observer = observer
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="flowjury-case")

    @property
    def workflow(self) -> Workflow | None:
        """The static graph, where the target knows it."""
        return self._observer.workflow

    def submit(self, job: Job) -> Future[Seen]:
        """Have a job done by the next thread that is free."""
        return self._threads.submit(self._observer.observe, job)

    def close(self) -> None:
        """End what the target holds, so that nothing waits for it any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._observer.close()
        self._threads.shutdown()
