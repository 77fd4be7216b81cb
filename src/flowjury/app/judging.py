"""Judging: a host judge answers the open requests; what it cannot answer stays open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flowjury import hosts
from flowjury.app.choice import refuse_unknown
from flowjury.app.keeping import Questions, questions
from flowjury.app.project import Project
from flowjury.app.refreshing import Refreshed
from flowjury.app.standing import refreshed, standings
from flowjury.errors import JudgeFailure, UsageError
from flowjury.json_values import loads_strict
from flowjury.model import Json, Model
from flowjury.report.model import Report
from flowjury.request import Judgement, Request
from flowjury.store.runs import RunStore


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Which judge is asked, and how."""

    host: str
    """Name of a host judge, or the path of its file."""
    settings: Mapping[str, Json]
    """Its settings."""
    environment: Mapping[str, str]
    """Where it finds its key."""
    now: Callable[[], str]
    """Gives the time in ISO 8601."""
    votes: int = 1
    concurrency: int = 4
    cases: tuple[str, ...] = ()
    """Only these cases; empty means all."""


@dataclass(frozen=True)
class Sitting:
    """What a judge was asked and answered, and the reports after it."""

    asked: tuple[Request, ...]
    failures: tuple[tuple[Request, JudgeFailure], ...]
    reports: tuple[Refreshed, ...]


def open_requests(
    project: Project, suites: Iterable[Path], cases: Sequence[str] = ()
) -> tuple[Request, ...]:
    """Return the requests that need a judge, of these cases or all; nothing is written.

    Raises InputError where a suite is wrong, and UsageError where there is no run or no such case.
    """
    with RunStore.open_readonly(project.root) as store:
        return _open(questions(project, store, standings(project, store, suites)), cases)


def _open(known: Questions, cases: Sequence[str]) -> tuple[Request, ...]:
    reports = [one.built for one in known.asked]
    refuse_unknown("case", cases, [case.id for built in reports for case in built.report.cases])
    found: dict[str, Request] = {}
    for request in (request for built in reports for request in built.open):
        if not cases or request.case in cases:
            found.setdefault(request.digest, request)
    return tuple(found.values())


def judge(
    project: Project,
    suites: Iterable[Path],
    bench: Bench,
    *,
    tell: Callable[[Request, Judgement | JudgeFailure], None] = lambda *_: None,
) -> Sitting:
    """Ask a host judge every open request; each answer is kept before the next is told.

    Raises InputError where the host, its settings or a suite are wrong, and StoreError.
    """
    suites = list(suites)
    host = hosts.load(bench.host, search=search_path(project, suites))
    failures: list[tuple[Request, JudgeFailure]] = []
    with RunStore.open(project.root) as store:
        all_of = standings(project, store, suites)
        known = questions(project, store, all_of)
        asked = _open(known, bench.cases)
        opened = host.open(bench.settings, environment=bench.environment, now=bench.now)

        def answered(request: Request, judgement: Judgement) -> None:
            known.keep(judgement)
            tell(request, judgement)

        def failed(request: Request, failure: JudgeFailure) -> None:
            failures.append((request, failure))
            tell(request, failure)

        asking = hosts.answer_all(
            opened,
            asked,
            votes=bench.votes,
            concurrency=bench.concurrency,
            on_answer=answered,
            on_failure=failed,
        )
        try:
            asyncio.run(asking)
        finally:
            reports = tuple(refreshed(project, store, all_of))
    return Sitting(asked, tuple(failures), reports)


def search_path(project: Project, suites: Iterable[Path]) -> list[Path]:
    """Return the folders in which a host judge is looked for by name, the user's own first."""
    beside = [path if path.is_dir() else path.parent for path in suites]
    return [folder / "judges" for folder in dict.fromkeys([project.root, *beside])]


class JudgeSaid(Model):
    """What a judge was asked and answered, for programs."""

    asked: int
    """Number of requests."""
    failures: tuple[FailureSaid, ...]
    """Requests without a usable answer."""
    reports: tuple[Report, ...]
    """The reports after it."""


class DrySaid(Model):
    """What a judge would be asked, for programs."""

    host: str
    """The judge."""
    votes: int
    """How often it would be asked each request."""
    requests: tuple[str, ...]
    """Digests of the requests."""


class FailureSaid(Model):
    """A request without a usable answer."""

    request: str
    """Its digest."""
    case: str
    """The case that asks."""
    code: str
    """The kind of failure."""
    message: str
    """What happened."""


def said(sitting: Sitting) -> JudgeSaid:
    """Return what happened as data."""
    return JudgeSaid(
        asked=len(sitting.asked),
        failures=tuple(
            FailureSaid(
                request=request.digest, case=request.case, code=failure.code, message=str(failure)
            )
            for request, failure in sitting.failures
        ),
        reports=tuple(refreshed.report for refreshed in sitting.reports),
    )


def said_dry(bench: Bench, requests: Iterable[Request]) -> DrySaid:
    """Return what would happen as data."""
    digests = tuple(request.digest for request in requests)
    return DrySaid(host=bench.host, votes=bench.votes, requests=digests)


def exit_of(sitting: Sitting) -> int:
    """Return the exit code of the reports after judging."""
    codes = {refreshed.report.exit for refreshed in sitting.reports}
    return next(code for code in (4, 1, 3, 0) if code in codes)


def host_of(project: Project, host: str | None) -> str:
    """Return the host judge to ask. Raises UsageError where none is named."""
    chosen = host or project.config.host
    if chosen is None:
        raise UsageError(
            "name the judge: --host openai_rubric, or --host path/to/judge.py, "
            "or `host = …` in flowjury.toml"
        )
    return chosen


def settings_of(project: Project, model: str | None, given: Iterable[str]) -> dict[str, Json]:
    """Read KEY=VALUE settings; a value that is JSON is read as JSON. Raises UsageError."""
    settings: dict[str, Json] = {}
    for one in given:
        key, equals, text = one.partition("=")
        if not equals:
            raise UsageError(f"--set {one!r}: write KEY=VALUE")
        settings[key] = _value(text)
    chosen = model or project.config.model
    return settings | ({"model": chosen} if chosen else {})


def _value(text: str) -> Json:
    try:
        return loads_strict(text)
    except ValueError:
        return text
