"""Carrying: what a run has of an earlier one, where all that it depends on is as it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flowjury.app.preparing import Ready
from flowjury.app.project import Loaded, Project
from flowjury.app.recording import Key
from flowjury.app.resuming import finished
from flowjury.case import Case
from flowjury.record import RunRecord
from flowjury.store.runs import RunStore


def holding(
    project: Project, store: RunStore, loaded: Loaded, before: RunRecord, cases: Iterable[Case]
) -> dict[Key, bool]:
    """Return the trials of an earlier run that need not be done again for these cases.

    Each with whether it was wholly replayed. Those of another data mode never hold.
    """
    if before.data != loaded.suite.data:
        return {}
    trials = {case.id: loaded.suite.trials_of(case).n for case in cases if case.skip is None}
    done = finished(project, store, loaded, before, force=True)
    return {key: done[key] for key in done if key[1] <= trials.get(key[0], 0)}


def lacking(loaded: Loaded, cases: Iterable[Case], done: Mapping[Key, bool]) -> set[Key]:
    """Return the trials of cases that are still to be done."""
    found: set[Key] = set()
    for case in cases:
        if case.skip is None:
            trials = 1 if done.get((case.id, 1), False) else loaded.suite.trials_of(case).n
            found.update((case.id, trial) for trial in range(1, trials + 1))
    return found - done.keys()


def carry(
    project: Project, store: RunStore, ready: Ready, *, before: str, to: str
) -> dict[Key, bool]:
    """Copy into a run what holds of an earlier one, and return what that is."""
    done = holding(project, store, ready.loaded, store.run(before), ready.cases)
    positions = {case.id: place for place, case in enumerate(ready.loaded.suite.cases)}
    for case, trial in done:
        store.copy(before, to, (case, trial), position=positions[case])
    return done
