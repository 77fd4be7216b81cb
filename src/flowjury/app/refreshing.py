"""Refreshing: the reports of a run, computed again from what is on disk; nothing is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from flowjury import families
from flowjury.app.codes import evaluator_digests
from flowjury.app.project import Loaded, Project
from flowjury.app.stimuli import Stimuli
from flowjury.case import Case, Fixtures
from flowjury.job import Job, job_of
from flowjury.record import RunRecord, Stimulus
from flowjury.report.basis import Answers, Basis
from flowjury.report.build import Built, build
from flowjury.report.cases import weigh_case
from flowjury.report.model import CaseReport, Report
from flowjury.request import Judgement, Request, Ticket
from flowjury.store.answers import Answers as AnswerFolder
from flowjury.store.fixture_files import read_fixtures
from flowjury.store.layout import Layout
from flowjury.store.runs import Kept, RunStore
from flowjury.store.sources import rehash
from flowjury.store.views import point_latest, write_report, write_requests

REPORTS = ("json", "junit", "markdown")
"""The formats that are written after every run and refresh."""


@dataclass(frozen=True)
class Refreshed:
    """A report, and where it was written."""

    built: Built
    loaded: Loaded
    """The suite."""
    files: tuple[Path, ...]
    """Its views; none where the store cannot be written."""

    @property
    def report(self) -> Report:
        """The report."""
        return self.built.report


def refresh_run(project: Project, store: RunStore, loaded: Loaded, run: RunRecord) -> Refreshed:
    """Build the report of a run and write its views; those of the newest run are the latest.

    A store that is only read gets no views. Raises InputError for answers that are wrong, and
    StoreError.
    """
    return write_views(project, store, loaded, built_of(project, store, loaded, run))


def write_views(project: Project, store: RunStore, loaded: Loaded, built: Built) -> Refreshed:
    """Write the views of a report; those of the newest run are the latest. Raises StoreError."""
    if store.readonly:
        return Refreshed(built, loaded, ())
    store.tickets.keep({request.digest: ticket_of(request) for request in built.requests})
    layout, report = Layout(project.root), built.report
    texts = dict(_rendered(report))
    place = write_report(layout.reports, report.suite, report.run, texts)
    newest = store.latest(report.suite)
    if newest is None or newest.id == report.run:
        write_requests(layout.requests, report.suite, built.open)
        point_latest(layout.reports, report.suite, report.run)
    return Refreshed(built, loaded, tuple(place / name for name in texts))


def built_of(project: Project, store: RunStore, loaded: Loaded, run: RunRecord) -> Built:
    """Build the report of a run, a pure function of what is on disk; nothing is written."""
    return build(basis_of(project, store, loaded, run), store.records(run.id))


def weighed_case(
    project: Project, store: RunStore, loaded: Loaded, run: RunRecord, case: Case
) -> CaseReport:
    """Build what a report says of one case, without the others."""
    basis = basis_of(project, store, loaded, run, case=case.id)
    return weigh_case(basis, case, store.trials(run.id, case.id)).report


def basis_of(
    project: Project, store: RunStore, loaded: Loaded, run: RunRecord, *, case: str | None = None
) -> Basis:
    """Gather what a report, or one case of it, is computed from, besides the records."""
    basis = fresh_basis(project, store, loaded, run)
    as_run = replace(loaded, suite=basis.suite)
    return replace(basis, now=current_stimuli(project, as_run, store.kept(run.id, case)))


def fresh_basis(project: Project, store: RunStore, loaded: Loaded, run: RunRecord) -> Basis:
    """Gather what a report is computed from while its records are made: none is stale yet."""
    loaded = replace(loaded, suite=loaded.suite.model_copy(update={"data": run.data}))
    return Basis(suite=loaded.suite, run=run, answers=answers_of(project, store, loaded))


def answers_of(project: Project, store: RunStore, loaded: Loaded) -> Answers:
    """Gather what was answered: beside the suite, and for live runs in the store."""
    folders = answer_folders(project, loaded)
    tickets = {ticket.digest: ticket for folder in folders for ticket in _tickets(folder)}
    return Answers(
        judgements=_judgements(folders),
        outcomes=store.outcomes,
        evaluators=evaluator_digests(loaded),
        tickets=tuple(tickets[digest] for digest in sorted(tickets)),
    )


def answer_folders(project: Project, loaded: Loaded) -> tuple[AnswerFolder, ...]:
    """Return where answers lie: beside the suite, and in the store."""
    beside = AnswerFolder(loaded.judgements)
    return (beside, AnswerFolder(Layout(project.root).answers))


def ticket_of(request: Request) -> Ticket:
    """Return what is kept of a request beside its answers."""
    return Ticket(
        digest=request.digest,
        parts=request.parts,
        suite=request.suite,
        case=request.case,
        step=request.step,
    )


def current_stimuli(project: Project, loaded: Loaded, kept: Iterable[Kept]) -> dict[str, Stimulus]:
    """Return for each case what its trace would depend on today."""
    stimuli, root = Stimuli(loaded), project.code_root(loaded.path)
    sources: dict[str, set[str]] = {}
    for one in kept:
        sources.setdefault(one.case, set()).update(one.stimulus.sources)
    hashes = rehash(root, sorted({path for some in sources.values() for path in some}))
    return {
        case.id: stimuli.of(_job(loaded, case), {path: hashes[path] for path in sources[case.id]})
        for case in loaded.suite.cases
        if case.id in sources
    }


def recorded_fixtures(loaded: Loaded, case: Case) -> Fixtures:
    """Return the fixtures of a case that lie beside the suite, where they are served."""
    replays = loaded.suite.data == "replay"
    return read_fixtures(loaded.fixtures, case.id) if replays else {}


def _job(loaded: Loaded, case: Case) -> Job:
    return job_of(loaded.suite, case, trial=1, recorded=recorded_fixtures(loaded, case))


def _judgements(folders: Sequence[AnswerFolder]) -> Callable[[str], Sequence[Judgement]]:
    def all_for(digest: str) -> Sequence[Judgement]:
        return tuple(answer for folder in folders for answer in folder.all_for(digest))

    return all_for


def _tickets(folder: AnswerFolder) -> Iterator[Ticket]:
    found = (folder.ticket(request) for request in folder.requests())
    return (ticket for ticket in found if ticket is not None)


def _rendered(report: Report) -> Iterable[tuple[str, bytes]]:
    for name in REPORTS:
        module = families.member("formats", name)
        yield f"report{module.SUFFIX}", module.render(report).encode()
