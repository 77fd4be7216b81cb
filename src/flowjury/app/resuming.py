"""Resuming: what a run that was cut short has already, if nothing that it depends on changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from flowjury.app.project import Loaded, Project
from flowjury.app.recording import Key
from flowjury.app.refreshing import current_stimuli
from flowjury.errors import UsageError
from flowjury.plural import numbered
from flowjury.record import RunRecord, Stimulus
from flowjury.store.runs import Kept, RunStore

_SHOWN: Final = 3


def command_to_resume(store: RunStore, suites: Sequence[Loaded]) -> str:
    """Return the name of the command that made the newest run of any of these suites.

    Raises UsageError where there is none.
    """
    names = {loaded.suite.name for loaded in suites}
    newest = next((stored.run for stored in store.runs() if stored.run.suite in names), None)
    if newest is None:
        raise UsageError("there is no run to resume; run without --resume")
    return newest.command or newest.id


def run_of(store: RunStore, loaded: Loaded, command: str) -> RunRecord | None:
    """Return the newest run of a suite, if that command made it."""
    run = store.latest(loaded.suite.name)
    return run if run is not None and command in {run.command, run.id} else None


def finished(
    project: Project, store: RunStore, loaded: Loaded, run: RunRecord, *, force: bool
) -> dict[Key, bool]:
    """Return the trials that need not be done again, and whether each was wholly replayed.

    With `force`, those whose stimulus changed are done again; without, UsageError is raised.
    """
    if loaded.suite.data != run.data:
        raise UsageError(
            f"run {run.id} was made with data {run.data}, the suite says {loaded.suite.data}; "
            f"say `--data {run.data}` to resume it, or run without --resume"
        )
    kept = store.kept(run.id)
    changed = _changed(current_stimuli(project, loaded, kept), kept)
    if changed and not force:
        raise UsageError(_refusal(run, changed))
    return {(one.case, one.trial): one.replayed for one in kept if one.case not in changed}


def _changed(now: Mapping[str, Stimulus], kept: Sequence[Kept]) -> dict[str, list[str]]:
    """Name what changed for each case that was recorded on something else."""
    found: dict[str, list[str]] = {}
    for one in kept:
        current = now.get(one.case)
        changes = one.stimulus.changes(current) if current is not None else ["the case is gone"]
        if changes:
            found[one.case] = changes
    return found


def _refusal(run: RunRecord, changed: Mapping[str, Sequence[str]]) -> str:
    what = sorted({change for some in changed.values() for change in some})
    shown = ", ".join(what[:_SHOWN]) + (", …" if len(what) > _SHOWN else "")
    count = numbered(len(changed), "case")
    return (
        f"run {run.id}: {count} of it ran on what has changed since ({shown}); say --force to "
        "run those again, or run without --resume"
    )
