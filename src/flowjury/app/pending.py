"""Pending: the requests that still need a judge, and the cases that must run again before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flowjury.app.project import Project
from flowjury.app.refreshing import Refreshed
from flowjury.app.standing import refreshed, standings
from flowjury.model import Model
from flowjury.report.model import Report
from flowjury.request import Request
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore
from flowjury.verdict import Status


class Rerun(Model):
    """A case whose trace is missing, or counts no more."""

    suite: str
    """Name of the suite."""
    case: str
    """The case."""
    reason: str
    """Why it must be run again."""


@dataclass(frozen=True)
class Pending:
    """One open request."""

    request: Request
    file: Path
    """Where the whole request lies."""
    message: str
    """Why it is open."""
    changed: tuple[str, ...] = ()
    """What changed since an answer that counts no more; empty if there was none."""


@dataclass(frozen=True)
class Outstanding:
    """All that is still to be done for a decision."""

    open: tuple[Pending, ...]
    """Requests that need a judge."""
    rerun: tuple[Rerun, ...]
    """Cases that ask nothing before they have run again."""
    written: bool
    """Whether the requests are written to their files."""


def pending(project: Project, suites: Iterable[Path]) -> Outstanding:
    """List what still needs a judge or a run. Raises InputError, UsageError and StoreError."""
    with RunStore.open_as_allowed(project.root) as store:
        reports = refreshed(project, store, standings(project, store, suites))
    return Outstanding(
        open=tuple(one for report in reports for one in _open(project, report)),
        rerun=tuple(one for report in reports for one in _rerun(report.report)),
        written=all(report.files for report in reports),
    )


def _rerun(report: Report) -> Iterator[Rerun]:
    for case in report.cases:
        if case.status is Status.NOT_RUN and case.selected:
            yield Rerun(suite=report.suite, case=case.id, reason=case.reason or "")


def _open(project: Project, refreshed_suite: Refreshed) -> Iterator[Pending]:
    report = refreshed_suite.report
    reasons = {
        rubric.request: rubric.message
        for case in report.cases
        for trial in case.trials
        for rubric in trial.rubrics
    }
    for request in refreshed_suite.built.open:
        changes = [
            unused.changed
            for unused in report.unused
            if (unused.case, unused.step) == (request.case, request.step)
        ]
        yield Pending(
            request=request,
            file=Layout(project.root).requests / f"{request.digest}.json",
            message=reasons[request.digest],
            changed=min(changes, key=len, default=()),
        )


class PendingSaid(Model):
    """One open request, for programs."""

    request: Request
    """The whole request."""
    file: str
    """Where it lies."""
    message: str
    """Why it is open."""
    changed: tuple[str, ...]
    """What changed since an answer that counts no more."""


class OutstandingSaid(Model):
    """All that is still to be done for a decision, for programs."""

    open: tuple[PendingSaid, ...]
    """Requests that need a judge."""
    rerun: tuple[Rerun, ...]
    """Cases that ask nothing before they have run again."""


def said(found: Outstanding) -> OutstandingSaid:
    """Return what is to be done as data."""
    return OutstandingSaid(
        open=tuple(
            PendingSaid(
                request=one.request, file=str(one.file), message=one.message, changed=one.changed
            )
            for one in found.open
        ),
        rerun=found.rerun,
    )
