"""What a worker of Dask does: it keeps child processes for a suite, and gives them its jobs."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import Final

from flowjury.errors import InputError
from flowjury.executors._wire import Ready, Refused, packed, unpacked
from flowjury.executors.processes import Processes

_POOLS: Final[dict[bytes, Processes]] = {}
"""By what is to be prepared."""
_LOCK: Final = Lock()


def prepared(order: bytes) -> bytes:
    """Prepare the target of a suite in a child process here, and say what came of it."""
    try:
        return packed(Ready(_pool(order).workflow, {}))
    except InputError as error:
        return packed(Refused(error.faults))


def done(order: bytes, job: bytes, topic: str) -> bytes:
    """Have a job done by a child process here, after telling the one who ordered it."""
    from distributed import get_worker  # noqa: PLC0415 - an extra

    worker = get_worker()
    worker.log_event(topic, (worker.get_current_task(), worker.address))
    return packed(_pool(order).submit(unpacked(job)).result())


def dismissed(order: bytes) -> None:
    """End the child processes of a suite."""
    with _LOCK:
        pool = _POOLS.pop(order, None)
    if pool is not None:
        with suppress(OSError):
            pool.close()


def _pool(order: bytes) -> Processes:
    from distributed import get_worker  # noqa: PLC0415 - an extra

    with _LOCK:
        if order not in _POOLS:
            _POOLS[order] = Processes(unpacked(order), get_worker().state.nthreads)
        return _POOLS[order]
