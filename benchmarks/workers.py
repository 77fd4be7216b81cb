"""What worker processes cost and gain: how long a run takes on the clock with none, one and two."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from _measure import Figure, flowjury, least
from _suites import refunds

from flowjury.executors import Assignment, Executor
from flowjury.executors.inline import hire as inline
from flowjury.executors.processes import hire as processes
from flowjury.job import Job, Turn
from flowjury.targets.python import PythonTarget

CASES: Final = 1_000
TRIVIAL: Final = 500
BUSY: Final = 200
_CODE: Final = """
import time

def answer(given):
    end = time.process_time() + given
    while time.process_time() < end:
        pass
    return given
"""


def figures(rounds: int) -> Iterator[Figure]:
    """Measure runs of the refund desk with stored traces, and workers by themselves."""
    yield from _runs(rounds)
    yield from _workers(rounds)


def _runs(rounds: int) -> Iterator[Figure]:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary, "refunds")
        suite = refunds(folder, CASES).name
        calls = [partial(_run, folder, suite, workers) for workers in (2, 1, 0)]
        two, one, none = least(rounds, calls)
    yield Figure(
        name="run of 1,000 refunds on two workers, on the clock", measured=two, unit="s", limit=8
    )
    yield Figure(
        name="the same, beside one worker",
        measured=two,
        unit="s",
        beside=one,
        ratio_limit=round(1 / 1.6, 3),
    )
    yield Figure(name="the same, beside no worker", measured=two, unit="s", beside=none)


def _run(folder: Path, suite: str, workers: int) -> float:
    shutil.rmtree(folder / ".flowjury")
    (folder / ".flowjury").mkdir()
    return _elapsed(lambda: flowjury("run", "--workers", str(workers), suite, folder=folder))


def _workers(rounds: int) -> Iterator[Figure]:
    """Measure a function that does nothing, so what is left is ours, and one that is busy."""
    with TemporaryDirectory() as temporary:
        Path(temporary, "trivial.py").write_text(_CODE, encoding="utf-8")
        assignment = _assignment(Path(temporary))
        [start] = least(rounds, [lambda: _elapsed(lambda: _hired(assignment).close())])
        with (
            closing(_hired(assignment)) as apart,
            closing(_hired(assignment, 2)) as pair,
            closing(inline(assignment, workers=0, address="")) as here,
        ):
            calls = [partial(_done, executor, TRIVIAL, 0) for executor in (apart, here)]
            calls += [partial(_done, executor, BUSY, 0.01) for executor in (pair, apart)]
            there, alone, two, one = least(rounds, [partial(_elapsed, call) for call in calls])
    yield Figure(
        name="our own time for a case in a worker, on the clock",
        measured=(there - alone) / TRIVIAL * 1000,
        unit="ms",
        limit=1,
    )
    yield Figure(
        name=f"{BUSY} cases of 10 ms on two workers, on the clock, beside one",
        measured=two,
        unit="s",
        beside=one,
        ratio_limit=round(1 / 1.6, 3),
    )
    yield Figure(name="start and end of a worker, on the clock", measured=start, unit="s", limit=1)


def _assignment(folder: Path) -> Assignment:
    target = PythonTarget(kind="python", call="trivial:answer")
    return Assignment(
        target=target, root=folder, workflow=None, folder=folder, code_root=folder, data="live"
    )


def _hired(assignment: Assignment, workers: int = 1) -> Executor:
    return processes(assignment, workers=workers, address="")


def _done(executor: Executor, jobs: int, seconds: float) -> None:
    """Have jobs done that are busy so long each."""
    for future in [executor.submit(_job(number, seconds)) for number in range(jobs)]:
        future.result()


def _job(number: int, seconds: float) -> Job:
    return Job(
        case=f"c{number}",
        trial=1,
        turns=(Turn(id=None, input=seconds),),
        data="live",
        fixtures={},
        ignore={},
        mask=(),
        timeout=30,
    )


def _elapsed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
