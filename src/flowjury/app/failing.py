"""The failing: the cases that did not pass when their suite ran last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from flowjury.analysis.static import suite_faults
from flowjury.app.choice import Choice
from flowjury.app.project import Loaded, Project
from flowjury.app.refreshing import fresh_basis
from flowjury.names import Names
from flowjury.plural import numbered
from flowjury.record import RunRecord
from flowjury.report.build import build
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore
from flowjury.verdict import Status

_WELL = frozenset({Status.PASSED, Status.SKIPPED})


def only_failing(
    project: Project, suites: Sequence[Loaded], choice: Choice, *, tell: Callable[[str], None]
) -> Choice:
    """Narrow a choice to the cases that did not pass in the newest run of their suite.

    Where all did, or nothing ran yet, it stays as it is, and that is told. Raises StoreError.
    """
    if not Layout(project.root).database.exists():
        tell("--last-failed: no run is stored, so no case is left out")
        return choice
    with RunStore.open_as_allowed(project.root) as store:
        failed = {one.suite.name: _failing(project, store, one) for one in suites}
    number = sum(map(len, failed.values()))
    if not number:
        tell("--last-failed: nothing failed in the newest run, so no case is left out")
        return choice
    tell(f"--last-failed: {numbered(number, 'case')} did not pass in the newest run")
    return replace(choice, failed=failed)


def _failing(project: Project, store: RunStore, loaded: Loaded) -> frozenset[str]:
    """Return the cases that did not pass; all, where it is not known what did.

    What they depend on may have changed since, to mend them: they are weighed as they ran.
    """
    run = store.latest(loaded.suite.name)
    if run is None or not _fits(loaded, run):
        return frozenset(case.id for case in loaded.suite.cases)
    report = build(fresh_basis(project, store, loaded, run), store.records(run.id)).report
    return frozenset(case.id for case in report.cases if case.selected and case.status not in _WELL)


def _fits(loaded: Loaded, run: RunRecord) -> bool:
    """Tell whether a suite, which may have been edited, can be held against the graph it ran on."""
    names = Names(loaded.workflow or run.workflow, loaded.suite.declares)
    return not suite_faults(loaded.suite, names, loaded.document)
