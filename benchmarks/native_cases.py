"""What 1,000 cases on a native graph cost, run in this process and replayed from fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from _measure import Figure, flowjury, least
from _suites import refunds

CASES: Final = 1_000


def figures(rounds: int) -> Iterator[Figure]:
    """Measure a run of the whole process; three of the six nodes of a case are replayed."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary, "refunds")
        suite = refunds(folder, CASES).name
        [seconds] = least(
            rounds, [lambda: flowjury("run", "--workers", "0", suite, folder=folder).seconds]
        )
    yield Figure(name="run of 1,000 cases on a native graph", measured=seconds, unit="s")
