"""What a program costs: one that is kept, and one for each case, side by side and one by one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from _measure import Figure, cpu, least

from flowjury.job import Job, Place, Turn
from flowjury.targets.command import CommandTarget

KEPT_CASES: Final = 500
CASES: Final = 40
PYTHON: Final = (sys.executable, "-I", "-c")
_KEPT: Final = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"output": json.loads(line)["input"]}), flush=True)
"""
_ONCE: Final = """
import asyncio, json, sys
print(json.dumps({"output": json.load(sys.stdin)["input"]}))
"""


def figures(rounds: int) -> Iterator[Figure]:
    """Measure our own time with a kept program, and what two threads gain with one per case."""
    with closing(_prepared(_KEPT, keep=True)) as kept, closing(_prepared(_ONCE)) as once:
        [own] = least(rounds, [lambda: cpu(lambda: _observed(kept, KEPT_CASES, threads=1))])
        together, alone, bare = least(
            rounds,
            [
                lambda: _elapsed(lambda: _observed(once, CASES, threads=2)),
                lambda: _elapsed(lambda: _observed(once, CASES, threads=1)),
                lambda: _elapsed(lambda: _bare(CASES, threads=2)),
            ],
        )
    yield Figure(
        name="our own time for a case of a kept program",
        measured=own / KEPT_CASES * 1000,
        unit="ms",
        limit=1,
    )
    yield Figure(
        name=f"{CASES} programs in two threads, on the clock, beside one after the other",
        measured=together,
        unit="s",
        beside=alone,
        ratio_limit=round(1 / 1.5, 2),
    )
    yield Figure(
        name="the same in two threads, beside subprocess.run in two threads",
        measured=together,
        unit="s",
        beside=bare,
        ratio_limit=1.3,
    )
    with TemporaryDirectory() as folder:
        Path(folder, "notes.txt").write_text("notes", encoding="utf-8")
        target = {"workspace": folder}
        with closing(_prepared(_ONCE, **target)) as prepared:
            [seconds] = least(rounds, [lambda: cpu(lambda: _observed(prepared, CASES, threads=1))])
    yield Figure(
        name="our own time for a program with a workspace",
        measured=seconds / CASES * 1000,
        unit="ms",
    )


def _prepared(program: str, **options: Any) -> Any:  # noqa: ANN401 - a target's own
    target = CommandTarget(kind="command", run=(*PYTHON, program), **options)
    return target.prepare(Place(root=Path.cwd(), workflow=None, read=Path.read_bytes))


def _observed(prepared: Any, cases: int, *, threads: int) -> None:  # noqa: ANN401 - likewise
    with ThreadPoolExecutor(threads) as pool:
        for observed in pool.map(lambda n: prepared.observe(_job(n)), range(cases)):
            if observed.fault is not None:
                raise SystemExit(observed.fault.message)


def _bare(cases: int, *, threads: int) -> None:
    """Run as many programs with nothing around them."""
    run = partial(
        subprocess.run, [*PYTHON, _ONCE], input=b'{"input": 1}', capture_output=True, check=True
    )
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: run(), range(cases)))


def _job(number: int) -> Job:
    given = {"order": f"A-{number}", "amount": number}
    return Job(
        case=f"case-{number}",
        trial=1,
        turns=(Turn(id=None, input=given),),
        data="live",
        fixtures={},
        ignore={},
        mask=(),
        timeout=60,
    )


def _elapsed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
