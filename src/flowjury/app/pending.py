"""Pending: the requests that still need a judge, and what changed since they were answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flowjury.app.project import Project
from flowjury.app.refreshing import Refreshed
from flowjury.app.standing import refreshed, standings
from flowjury.model import Model
from flowjury.request import Request
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore


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


def pending(project: Project, suites: Iterable[Path]) -> list[Pending]:
    """List what still needs a judge. Raises InputError, UsageError and StoreError."""
    with RunStore.open(project.root) as store:
        reports = refreshed(project, store, standings(project, store, suites))
    return [one for report in reports for one in _of(project, report)]


def _of(project: Project, refreshed_suite: Refreshed) -> Iterator[Pending]:
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


def said(one: Pending) -> PendingSaid:
    """Return an open request as data."""
    return PendingSaid(
        request=one.request, file=str(one.file), message=one.message, changed=one.changed
    )
