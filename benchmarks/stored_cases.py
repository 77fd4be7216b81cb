"""What 1,000 small cases on stored traces cost: the whole process, the store and the reports."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from _measure import Figure, Spent, flowjury, least, python
from _suites import stored

CASES: Final = 1_000
MANY: Final = 10_000
_BARE: Final = """
import json, sys
from pathlib import Path
from pydantic import BaseModel

folder = Path(sys.argv[1])
for line in (folder / "stored.suite.jsonl").read_text().splitlines():
    json.loads(line)
for path in (folder / "traces").iterdir():
    json.loads(path.read_text())
"""


def figures(rounds: int) -> Iterator[Figure]:
    """Measure a run beside a bare script that reads the same files, and a refresh."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary, "stored")
        suite = stored(folder, CASES).name
        peaks: list[float] = []

        def ran() -> float:
            spent = _run(folder, suite)
            peaks.append(spent.peak)
            return spent.seconds

        ours, bare, refreshed = least(
            rounds,
            [
                ran,
                lambda: python("-c", _BARE, str(folder)).seconds,
                lambda: flowjury("refresh", suite, folder=folder).seconds,
            ],
        )
        yield Figure(
            name="run of 1,000 stored cases, beside a bare script that reads the same files",
            measured=ours,
            unit="s",
            beside=bare,
            ratio_limit=4,
        )
        yield Figure(name="its peak memory", measured=max(peaks), unit="MB", limit=120)
        yield Figure(name="refresh of its report", measured=CASES / refreshed, unit="cases/s")
    yield from _many()


def _many() -> Iterator[Figure]:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary, "stored")
        spent = _run(folder, stored(folder, MANY).name)
    yield Figure(name="run of 10,000 stored cases", measured=spent.seconds, unit="s")
    yield Figure(name="its peak memory", measured=spent.peak, unit="MB")


def _run(folder: Path, suite: str) -> Spent:
    shutil.rmtree(folder / ".flowjury")
    (folder / ".flowjury").mkdir()
    return flowjury("run", suite, folder=folder)
