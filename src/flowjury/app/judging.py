"""Judging: a host judge answers the open requests; what it cannot answer stays open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flowjury import hosts
from flowjury.app import reporting
from flowjury.app.choice import refuse_unknown
from flowjury.app.keeping import Questions, questions
from flowjury.app.project import Project
from flowjury.app.refreshing import Refreshed
from flowjury.app.standing import refreshed, standings
from flowjury.errors import JudgeFailure, UsageError
from flowjury.json_values import loads_strict
from flowjury.model import Json, Model
from flowjury.report.cases import added
from flowjury.report.model import Report
from flowjury.request import Judgement, Request
from flowjury.store.runs import RunStore
from flowjury.usage import as_number, exact


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
    spent: Mapping[str, int | float] = field(default_factory=dict)
    """What all answers together reported to have spent, by unit."""


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
    begin: Callable[[Sequence[Request]], None] = lambda _: None,
    tell: Callable[[Request, Judgement | JudgeFailure], None] = lambda *_: None,
) -> Sitting:
    """Ask a host judge every open request; each answer is kept before the next is told.

    What will be asked is told before.

    Raises InputError where the host, its settings or a suite are wrong, and StoreError.
    """
    suites = list(suites)
    host = hosts.load(bench.host, search=search_path(project, suites))
    _require_model(host, bench.settings)
    with RunStore.open(project.root) as store:
        all_of = standings(project, store, suites)
        known = questions(project, store, all_of)
        asked = _open(known, bench.cases)
        opened = host.open(bench.settings, environment=bench.environment, now=bench.now)
        begin(asked)
        clerk = _Clerk(known, tell)
        asking = hosts.answer_all(
            opened,
            asked,
            votes=bench.votes,
            concurrency=bench.concurrency,
            on_answer=clerk.answered,
            on_failure=clerk.failed,
        )
        try:
            asyncio.run(asking)
        finally:
            reports = tuple(refreshed(project, store, all_of))
    return Sitting(asked, tuple(clerk.failures), reports, clerk.spent)


@dataclass(frozen=True)
class _Clerk:
    """Keeps each answer, tells it, and remembers what failed and what all of it spent."""

    known: Questions
    tell: Callable[[Request, Judgement | JudgeFailure], None]
    failures: list[tuple[Request, JudgeFailure]] = field(default_factory=list)
    usages: list[Mapping[str, int | float]] = field(default_factory=list)

    def answered(self, request: Request, judgement: Judgement) -> None:
        self.known.keep(judgement)
        self.usages.append(judgement.usage or {})
        self.tell(request, judgement)

    def failed(self, request: Request, failure: JudgeFailure) -> None:
        self.failures.append((request, failure))
        self.usages.append(failure.usage or {})
        self.tell(request, failure)

    @property
    def spent(self) -> dict[str, int | float]:
        totals = added({unit: exact(n) for unit, n in usage.items()} for usage in self.usages)
        return {unit: as_number(total) for unit, total in sorted(totals.items())}


def _require_model(host: hosts.HostModule, settings: Mapping[str, Json]) -> None:
    """Say how a model is named, where the judge cannot do without one."""
    setting = host.settings.model_fields.get("model")
    if setting is not None and setting.is_required() and "model" not in settings:
        raise UsageError(
            f"judge {host.name} needs a model: --model NAME, or `model = …` in flowjury.toml"
        )


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
    spent: dict[str, int | float]
    """What all answers together reported to have spent, by unit."""
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
        spent=dict(sitting.spent),
        reports=tuple(refreshed.report for refreshed in sitting.reports),
    )


def said_dry(bench: Bench, requests: Iterable[Request]) -> DrySaid:
    """Return what would happen as data."""
    digests = tuple(request.digest for request in requests)
    return DrySaid(host=bench.host, votes=bench.votes, requests=digests)


def exit_of(sitting: Sitting) -> int:
    """Return the exit code of the reports after judging."""
    return reporting.exit_of(refreshed.report for refreshed in sitting.reports)


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
