"""What one long trace costs: reading, storing, weighing and reporting it, messages included."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from _measure import Figure, flowjury, least
from _suites import long

EXECUTIONS: Final = 10_000


def figures(rounds: int) -> Iterator[Figure]:
    """Measure one trace of 10,000 executions, and one twice as long."""
    with TemporaryDirectory() as temporary:
        folders = {count: Path(temporary, str(count)) for count in (EXECUTIONS, 2 * EXECUTIONS)}
        suites = {count: long(folder, count).name for count, folder in folders.items()}

        def ran(count: int) -> float:
            return flowjury("run", suites[count], folder=folders[count], exits=1).seconds

        once, twice = least(rounds, [lambda: ran(EXECUTIONS), lambda: ran(2 * EXECUTIONS)])
    yield Figure(name="run of one trace of 10,000 executions", measured=once, unit="s", limit=1)
    yield Figure(
        name="run of one twice as long, beside it",
        measured=twice,
        unit="s",
        beside=once,
        ratio_limit=2,
    )
