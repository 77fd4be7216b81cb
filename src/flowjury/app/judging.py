"""Judging: a host judge answers the open requests; what it cannot answer stays open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flowjury import hosts
from flowjury.app.attaching import Attachment, attach
from flowjury.app.project import Project
from flowjury.app.standing import refreshed, standings
from flowjury.documents import Document
from flowjury.errors import JudgeFailure, UsageError
from flowjury.json_values import loads_strict
from flowjury.model import Json, Model
from flowjury.report.model import Report
from flowjury.request import Judgement, Request
from flowjury.store.results import RawAnswer
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


@dataclass
class Sitting:
    """What a judge was asked and answered."""

    asked: tuple[Request, ...]
    failures: list[tuple[Request, JudgeFailure]] = field(default_factory=list)
    answers: list[Judgement] = field(default_factory=list)
    attachment: Attachment | None = None


def open_requests(
    project: Project, suites: Iterable[Path], cases: Sequence[str] = ()
) -> tuple[Request, ...]:
    """Return the requests that need a judge, of these cases or all."""
    with RunStore.open(project.root) as store:
        reports = refreshed(project, store, standings(project, store, suites))
    return tuple(
        request
        for report in reports
        for request in report.open
        if not cases or request.case in cases
    )


def judge(
    project: Project,
    suites: Iterable[Path],
    bench: Bench,
    *,
    tell: Callable[[Request, Judgement | JudgeFailure], None] = lambda *_: None,
) -> Sitting:
    """Ask a host judge every open request, and attach what it answers as it comes.

    Raises InputError where the host or its settings are wrong.
    """
    suites = list(suites)
    host = hosts.load(bench.host, search=search_path(project, suites))
    sitting = Sitting(open_requests(project, suites, bench.cases))
    opened = host.open(bench.settings, environment=bench.environment, now=bench.now)

    def answered(request: Request, judgement: Judgement) -> None:
        sitting.answers.append(judgement)
        tell(request, judgement)

    def failed(request: Request, failure: JudgeFailure) -> None:
        sitting.failures.append((request, failure))
        tell(request, failure)

    try:
        asyncio.run(
            hosts.answer_all(
                opened,
                sitting.asked,
                votes=bench.votes,
                concurrency=bench.concurrency,
                on_answer=answered,
                on_failure=failed,
            )
        )
    finally:
        raw = [_raw(judgement) for judgement in sitting.answers]
        sitting.attachment = attach(project, raw, suites=suites)
    return sitting


def _raw(judgement: Judgement) -> RawAnswer:
    return RawAnswer(Document(judgement.model_dump(exclude_none=True), judgement.judge.name))


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
    reports = sitting.attachment.reports if sitting.attachment else ()
    return JudgeSaid(
        asked=len(sitting.asked),
        failures=tuple(
            FailureSaid(
                request=request.digest, case=request.case, code=failure.code, message=str(failure)
            )
            for request, failure in sitting.failures
        ),
        reports=tuple(refreshed.report for refreshed in reports),
    )


def exit_of(sitting: Sitting) -> int:
    """Return the exit code of the reports after judging; without one, 3 for what stays open."""
    reports = sitting.attachment.reports if sitting.attachment else ()
    codes = {refreshed.report.exit for refreshed in reports}
    return next((code for code in (4, 1, 3, 0) if code in codes), 3)


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
