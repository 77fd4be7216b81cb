"""The standing: for each suite, its newest run and what its report says now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from flowjury.analysis.static import suite_faults
from flowjury.app.evaluating import evaluate as run_evaluators
from flowjury.app.project import Loaded, Project, load_suites
from flowjury.app.refreshing import Refreshed, refresh_run
from flowjury.app.suite_files import suite_paths
from flowjury.errors import InputError, UsageError
from flowjury.names import Names
from flowjury.record import RunRecord
from flowjury.store.runs import RunStore


@dataclass(frozen=True)
class Standing:
    """A suite with the run that its report is made of."""

    loaded: Loaded
    run: RunRecord


def standings(
    project: Project, store: RunStore, given: Iterable[Path] = (), *, run: str | None = None
) -> list[Standing]:
    """Return the suites given, or every suite that has a run, with the run to look at.

    Raises InputError where a suite is wrong, and UsageError where there is no run.
    """
    if run is not None:
        record = store.run(run)
        paths = list(given) or [project.root / record.suite_file]
        return [_of_run(loaded, record) for loaded in load_suites(paths)]
    paths = suite_paths(project, given) if list(given) else _with_runs(project, store)
    loaded_suites = load_suites(paths)
    return [_standing(loaded, _latest(store, loaded)) for loaded in loaded_suites]


def _with_runs(project: Project, store: RunStore) -> list[Path]:
    """Return, by path, the suite files that have a run and are still there."""
    files = {stored.run.suite_file for stored in store.runs()}
    paths = [project.root / file for file in sorted(files) if (project.root / file).is_file()]
    if not paths:
        raise UsageError("no run is stored here; run a suite first: flowjury run SUITE")
    return paths


def _latest(store: RunStore, loaded: Loaded) -> RunRecord:
    record = store.latest(loaded.suite.name)
    if record is None:
        name = loaded.suite.name
        raise UsageError(f"suite {name!r} has no run yet: flowjury run {loaded.path}")
    return record


def _of_run(loaded: Loaded, run: RunRecord) -> Standing:
    if loaded.suite.name != run.suite:
        raise UsageError(f"run {run.id} is one of suite {run.suite!r}, not of {loaded.path}")
    return _standing(loaded, run)


def _standing(loaded: Loaded, run: RunRecord) -> Standing:
    """Hold the names of the suite, which may have been edited, against the graph it ran on."""
    names = Names(loaded.workflow or run.workflow, loaded.suite.declares)
    faults = suite_faults(loaded.suite, names, loaded.document)
    if faults:
        raise InputError(faults)
    return Standing(loaded, run)


def refresh(
    project: Project,
    suites: Iterable[Path] = (),
    *,
    run: str | None = None,
    evaluate: bool = False,
) -> list[Refreshed]:
    """Build the reports of suites again; with `evaluate`, evaluators answer first what they can.

    Raises InputError where a suite is wrong, UsageError where there is no run, and StoreError.
    """
    with RunStore.open(project.root) as store:
        all_of = standings(project, store, suites, run=run)
        if evaluate:
            for one in all_of:
                run_evaluators(project, store, one.loaded, one.run)
        return refreshed(project, store, all_of)


def current(
    project: Project, suites: Iterable[Path] = (), *, run: str | None = None
) -> list[Refreshed]:
    """Build the reports of suites as they are now, also where the store can only be read.

    Raises InputError where a suite is wrong, UsageError where there is no run, and StoreError.
    """
    with RunStore.open_as_allowed(project.root) as store:
        return refreshed(project, store, standings(project, store, suites, run=run))


def refreshed(project: Project, store: RunStore, all_of: Iterable[Standing]) -> list[Refreshed]:
    """Build and write the reports of several suites."""
    return [refresh_run(project, store, one.loaded, one.run) for one in all_of]
