"""Listing: the runs that are stored."""

from __future__ import annotations

from flowjury.app.project import Project
from flowjury.model import Model
from flowjury.plural import numbered
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore


class RunListed(Model):
    """One stored run."""

    run: str
    """Its id."""
    suite: str
    """Name of the suite."""
    suite_file: str
    """Path of the suite file."""
    data: str
    """Where the answers of boundary nodes came from."""
    started: str
    """When it started, in ISO 8601."""
    finished: bool
    """Whether it came to its end."""
    records: int
    """Number of trials that are stored."""
    faults: int
    """Number of trials that could not be observed to their end."""
    partial: bool
    """Whether only some cases were selected."""


def listed(project: Project) -> tuple[RunListed, ...]:
    """Return every stored run, newest first; none where nothing was stored yet."""
    if not Layout(project.root).database.exists():
        return ()
    with RunStore.open_readonly(project.root) as store:
        return tuple(
            RunListed(
                run=stored.run.id,
                suite=stored.run.suite,
                suite_file=stored.run.suite_file,
                data=stored.run.data,
                started=stored.run.started,
                finished=stored.run.finished,
                records=stored.records,
                faults=stored.faults,
                partial=stored.run.selected is not None,
            )
            for stored in store.runs()
        )


def case_ids(project: Project) -> tuple[str, ...]:
    """Return the ids of the cases in the newest run of each suite, sorted."""
    if not Layout(project.root).database.exists():
        return ()
    with RunStore.open_readonly(project.root) as store:
        newest = {stored.run.suite: stored.run.id for stored in reversed(store.runs())}
        return tuple(sorted({one.case for run in newest.values() for one in store.kept(run)}))


def line(run: RunListed) -> str:
    """Describe a run in a line."""
    marks = ["" if run.finished else "unfinished", "partial" if run.partial else ""]
    marks += [numbered(run.faults, "fault") if run.faults else ""]
    said = ", ".join(mark for mark in marks if mark)
    trials = numbered(run.records, "trial")
    return f"{run.run}  {run.suite}  {run.data}  {trials}  {said}".rstrip()
