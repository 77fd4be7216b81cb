"""The executor `dask`: cases run on a cluster of Dask, each in a child process of its worker.

A case whose worker is lost is done once more elsewhere, and the report names the lost worker.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from flowjury.errors import UsageError
from flowjury.executors import Assignment, Executor, Seen
from flowjury.executors._dask_task import dismissed, done, prepared
from flowjury.executors._wire import Ready, Refused, packed, unpacked
from flowjury.job import Job, Observed
from flowjury.record import CaseFault
from flowjury.workflow import Workflow

if TYPE_CHECKING:
    from distributed import Client

_PATIENCE: Final = 30
"""Seconds in which a scheduler must answer."""
_STARTS: Final = 2
"""How often a case may start: its worker can be lost once."""


def hire(assignment: Assignment, *, workers: int, address: str) -> Executor:
    """Connect to a scheduler, and prepare the target on its cluster.

    Raises InputError with what is wrong with the target, and UsageError where there is no cluster.
    """
    if not address:
        raise UsageError("--executor dask needs the scheduler: write dask://HOST:PORT")
    here = replace(
        assignment,
        root=assignment.root.absolute(),
        folder=assignment.folder.absolute(),
        code_root=assignment.code_root.absolute(),
    )
    return Cluster(_connected(address), here, workers)


def _connected(address: str) -> Client:
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise UsageError("--executor dask needs Dask: pip install 'flowjury[dask]'") from error
    try:
        return Client(f"tcp://{address}", timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"--executor dask://{address}: no scheduler answers: {reason}") from error


class Cluster:
    """A cluster whose workers have a suite's target prepared in child processes."""

    def __init__(self, client: Client, assignment: Assignment, workers: int) -> None:
        self._client, self._order = client, packed(assignment)
        self._topic = f"flowjury-{token_hex(8)}"
        self.starts: dict[str, list[str]] = {}
        """The workers on which each job was started, by its key."""
        self._closed = False
        threads = sum(client.nthreads().values())
        self.slots = min(workers, threads) if workers else threads
        try:
            self.workflow: Workflow | None = self._prepared()
        except BaseException:
            client.close()
            raise
        client.subscribe_topic(self._topic, self._started)

    def submit(self, job: Job) -> Future[Seen]:
        """Have a job done by a worker of the cluster."""
        key, seen = f"{self._topic}-{token_hex(8)}", Future[Seen]()
        going = self._client.submit(
            done, self._order, packed(job), self._topic, key=key, pure=False, retries=0
        )
        self.starts[key] = []
        going.add_done_callback(self._passing_on(key, seen))
        return seen

    def close(self) -> None:
        """End the child processes, and let go of the cluster."""
        if self._closed:
            return
        self._closed = True
        self._client.run(dismissed, self._order)
        self._client.close()

    def _prepared(self) -> Workflow | None:
        if not self.slots:
            raise UsageError("the cluster has no workers; start one: dask worker HOST:PORT")
        answer: Ready | Refused = pickle.loads(  # noqa: S301 - from our own workers
            self._client.submit(prepared, self._order, pure=False).result()
        )
        if isinstance(answer, Refused):
            raise answer.error()
        return answer.workflow

    def _started(self, event: tuple[float, Any]) -> None:
        """Hear that a worker has begun a job; one that begins too often is given up."""
        key, worker = event[1]
        starts = self.starts.setdefault(key, [])
        starts.append(worker)
        if len(starts) > _STARTS:
            self._client.cancel([key], force=True)

    def _passing_on(self, key: str, seen: Future[Seen]) -> Callable[[Any], None]:
        def pass_on(going: Any) -> None:  # noqa: ANN401 - a future of Dask
            try:
                answer: Seen = unpacked(going.result())
            except BaseException as error:  # noqa: BLE001 - whatever Dask makes of a lost worker
                answer = self._lost(key, error)
            lost = self.starts.get(key, [])[:-1]
            notes = tuple(f"its worker {worker} was lost" for worker in lost)
            seen.set_result(replace(answer, notes=notes))

        return pass_on

    def _lost(self, key: str, error: BaseException) -> Seen:
        workers = ", ".join(self.starts.get(key, [])) or "none"
        message = (
            f"no worker of the cluster came to its end with it (begun on {workers}): "
            f"{type(error).__name__}: {' '.join(str(error).split())}"
        )
        return Seen(observed=Observed(trace=None, fault=CaseFault(kind="crash", message=message)))
