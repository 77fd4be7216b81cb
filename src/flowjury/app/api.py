"""The Python face: one suite at a time, a `Report` comes back, and errors are raised."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flowjury.app import running, standing
from flowjury.app.choice import Choice
from flowjury.app.moments import run_id, timestamp
from flowjury.app.project import find_project, load_suites
from flowjury.report.model import Report
from flowjury.suite import Data


def run(
    suite: str | Path,
    *,
    cases: Sequence[str] = (),
    tags: Sequence[str] = (),
    words: str | None = None,
    data: Data | None = None,
) -> Report:
    """Run the cases of a suite in this process, store what they did, and return the report.

    Raises InputError where the suite or a name is wrong, and StoreError where nothing can be
    stored; whatever the workflow under test does is in the report.
    """
    orders = running.Orders(
        run=run_id(),
        started=timestamp(),
        choice=Choice(ids=tuple(cases), tags=tuple(tags), words=words),
        data=data,
    )
    loaded = load_suites([Path(suite)])
    [ran] = running.run(find_project(Path.cwd()), loaded, orders)
    if ran.interrupted:
        raise KeyboardInterrupt
    return ran.refreshed.report


def refresh(suite: str | Path, *, evaluate: bool = False) -> Report:
    """Build the report of the suite's newest run again from what is on disk, and return it.

    Raises InputError where the suite is wrong, and UsageError where it has no run yet.
    """
    [refreshed] = standing.refresh(find_project(Path.cwd()), [Path(suite)], evaluate=evaluate)
    return refreshed.report
