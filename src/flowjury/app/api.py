"""The Python face: one suite at a time, a `Report` comes back, and errors are raised."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flowjury.app import running, standing
from flowjury.app.choice import Choice
from flowjury.app.failing import only_failing
from flowjury.app.moments import run_id, timestamp
from flowjury.app.project import find_project, load_suites
from flowjury.app.staffing import Staffing, workers_of
from flowjury.interruption import heeded
from flowjury.report.model import Report
from flowjury.suite import Data


def run(  # noqa: PLR0913 - as many as the command has options
    suite: str | Path,
    *,
    cases: Sequence[str] = (),
    tags: Sequence[str] = (),
    words: str | None = None,
    last_failed: bool = False,
    data: Data | None = None,
    workers: int = 0,
    executor: str | None = None,
    fail_fast: bool = False,
    resume: bool = False,
    force: bool = False,
) -> Report:
    """Run the cases of a suite, store what they did, and return the report.

    Without workers they run in this process; the words are those of `flowjury run`. Raises
    InputError where the suite or a name is wrong, and StoreError where nothing can be stored;
    whatever the workflow under test does is in the report.
    """
    project, loaded = find_project(Path.cwd()), load_suites([Path(suite)])
    choice = Choice(ids=tuple(cases), tags=tuple(tags), words=words)
    if last_failed:
        choice = only_failing(project, loaded, choice, tell=lambda _: None)
    orders = running.Orders(
        run=run_id(),
        started=timestamp(),
        choice=choice,
        data=data,
        staffing=Staffing(workers_of(workers), executor),
        fail_fast=fail_fast,
        resume=resume,
        force=force,
    )
    with heeded():
        [ran] = running.run(project, loaded, orders)
    if ran.interrupted:
        raise KeyboardInterrupt
    return ran.refreshed.report


def refresh(suite: str | Path, *, evaluate: bool = False) -> Report:
    """Build the report of the suite's newest run again from what is on disk, and return it.

    Raises InputError where the suite is wrong, and UsageError where it has no run yet.
    """
    [refreshed] = standing.refresh(find_project(Path.cwd()), [Path(suite)], evaluate=evaluate)
    return refreshed.report
