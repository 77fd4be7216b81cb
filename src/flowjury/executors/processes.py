"""The executor `processes`: worker processes that are spawned, each with one job at a time.

A job that hangs is killed with everything it started; one that ends its process costs only itself.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Final

from flowjury.errors import FlowJuryError
from flowjury.executors import Assignment, Executor, Seen
from flowjury.executors._process import Worker
from flowjury.job import Job, Observed
from flowjury.record import CaseFault
from flowjury.workflow import Workflow

PATIENCE: Final = 30.0
_TIMES: Final = 10
"""A worker that is not ready in so many seconds, and times what the first took, never will be."""


def hire(assignment: Assignment, *, workers: int, address: str) -> Executor:  # noqa: ARG001 - as all
    """Start the first worker. Raises InputError with what is wrong with the target."""
    return Processes(assignment, max(1, workers))


class Processes:
    """Threads that each wait for one worker; a worker is spawned when there is a job for it."""

    def __init__(self, assignment: Assignment, workers: int) -> None:
        self.slots = workers
        self._assignment = assignment
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._hired: set[Worker] = set()
        self._closed = False
        self._patience: float | None = None
        """Seconds in which a further worker must be ready; nobody knows it before the first is."""
        began = time.monotonic()
        first = self._hire()
        self._patience = PATIENCE + _TIMES * (time.monotonic() - began)
        self.workflow: Workflow | None = first.workflow
        self._idle.put(first)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="flowjury-worker")

    def submit(self, job: Job) -> Future[Seen]:
        """Have a job done by the next worker that is free."""
        return self._threads.submit(self._observe, job)

    def close(self) -> None:
        """End the workers; what one is doing now is killed."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        idle = set(self._drained())
        for worker in self._hired - idle:
            worker.kill()
        for worker in idle:
            worker.dismiss()
        for worker in idle:
            worker.end()
        self._hired -= idle
        self._threads.shutdown()

    def _observe(self, job: Job) -> Seen:
        """Have a job done; one that ended a worker which others had used is done once more, alone.

        Something that an earlier job had left behind may have ended it.
        """
        try:
            worker = self._free()
            shared = not worker.fresh
            seen = self._by(worker, job)
            again = shared and seen.lost and not self._closed
            return self._by(self._hire(), job) if again else seen
        except (FlowJuryError, OSError) as error:  # what it needs to begin is gone by now
            message = f"no process can be started for the case: {' '.join(str(error).split())}"
            fault = CaseFault(kind="harness", message=message)
            return Seen(observed=Observed(trace=None, fault=fault))

    def _by(self, worker: Worker, job: Job) -> Seen:
        seen = worker.observe(job)
        if worker.alive:
            self._idle.put(worker)
        else:
            self._let_go(worker)
        return seen

    def _free(self) -> Worker:
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._hire()

    def _hire(self) -> Worker:
        worker = Worker(self._assignment)
        self._hired.add(worker)
        if self._closed:
            worker.kill()
        try:
            worker.prepare(self._patience)
        except BaseException:
            self._let_go(worker)
            raise
        return worker

    def _let_go(self, worker: Worker) -> None:
        self._hired.discard(worker)
        worker.kill()
        worker.end()

    def _drained(self) -> list[Worker]:
        found: list[Worker] = []
        while True:
            try:
                found.append(self._idle.get_nowait())
            except Empty:
                return found
