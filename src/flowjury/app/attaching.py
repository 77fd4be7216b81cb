"""Attaching: results written by anyone become judgements, each told what became of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from flowjury.app import reporting
from flowjury.app.keeping import Questions, questions
from flowjury.app.project import Project
from flowjury.app.refreshing import Refreshed
from flowjury.app.standing import refreshed, standings
from flowjury.errors import Fault, FlowJuryError, InputError
from flowjury.json_values import short
from flowjury.judging import changed, check_answer
from flowjury.judging.quoting import Quotable
from flowjury.model import Json, Model
from flowjury.names import unknown
from flowjury.report.model import Report
from flowjury.request import Judgement, Request
from flowjury.store.layout import Layout
from flowjury.store.results import RawAnswer, dropped, raw_answers, read_result, unread
from flowjury.store.runs import RunStore

Fate = Literal["attached", "already there", "stale", "foreign", "malformed", "half-filled"]
BROKEN: frozenset[Fate] = frozenset({"malformed", "half-filled"})
REFUSED: frozenset[Fate] = BROKEN | {"stale", "foreign"}


@dataclass(frozen=True, kw_only=True)
class Attached:
    """What became of one answer."""

    place: str
    """The file, and the place in it."""
    fate: Fate
    message: str = ""
    """Why, and what to do about it."""
    case: str | None = None


@dataclass(frozen=True)
class Attachment:
    """What became of all answers, and the reports made of them."""

    answers: tuple[Attached, ...]
    reports: tuple[Refreshed, ...] = ()
    """None where nothing was found, or nothing is written."""
    waiting: bool = False
    """Whether a request is open, where there are no reports to say so."""


def answers_in(
    project: Project, given: Iterable[str], *, read: Callable[[], bytes]
) -> list[RawAnswer]:
    """Read the answers in files and folders, `-` being standard input, or in the drop folder."""
    places = list(given)
    folders = [Path(one) for one in places if one != "-"]
    if not places:
        folders = [folder for folder in (Layout(project.root).results,) if folder.exists()]
    answers = [answer for path in folders for answer in _answers_at(path)]
    if "-" in places:
        answers += raw_answers(read(), name="standard input")
    return answers


def _answers_at(place: Path) -> Iterator[RawAnswer]:
    """Yield the answers in a file, or in each file of a folder; one not read stops no other."""
    try:
        paths = dropped(place) if os.path.isdir(place) else (place,)  # noqa: PTH112 - never raises
    except FlowJuryError as error:
        yield unread(place, error)
        return
    for path in paths:
        try:
            yield from read_result(path)
        except FlowJuryError as error:
            yield unread(path, error)


def attach(
    project: Project,
    answers: Iterable[RawAnswer],
    *,
    suites: Iterable[Path] = (),
    commit: bool = False,
) -> Attachment:
    """Attach answers; a bad one never stops the others.

    Raises InputError where a suite is wrong, UsageError where there is no run, and StoreError.
    """
    with RunStore.open(project.root) as store:
        all_of = standings(project, store, suites)
        known = questions(project, store, all_of)

        def keep(judgement: Judgement) -> Fate:
            return "attached" if known.keep(judgement, commit=commit) == "new" else "already there"

        fates = tuple(_attached(answer, known, keep) for answer in answers)
        if not fates:
            return Attachment((), waiting=any(one.built.open for one in known.asked))
        return Attachment(fates, tuple(refreshed(project, store, all_of)))


def rehearse(
    project: Project, answers: Iterable[RawAnswer], *, suites: Iterable[Path] = ()
) -> Attachment:
    """Say what attaching would make of answers; nothing is written."""
    with RunStore.open_readonly(project.root) as store:
        known = questions(project, store, standings(project, store, suites))
        return Attachment(tuple(_attached(each, known, lambda _: "attached") for each in answers))


def _attached(answer: RawAnswer, known: Questions, keep: Callable[[Judgement], Fate]) -> Attached:
    value = answer.document.value
    request = known.request(_named(value))
    said = partial(Attached, place=answer.place, case=request.case if request else None)
    if request is not None and (gaps := _gaps(value, request)):
        return said(fate="half-filled", message="; ".join(gaps))
    try:
        judgement = answer.judgement()
    except InputError as error:
        return said(fate="malformed", message="; ".join(map(_brief, error.faults)))
    if request is None:
        return _unasked(answer, judgement, known)
    if wrong := check_answer(request, judgement):
        return said(fate="malformed", message="; ".join(wrong))
    return said(fate=keep(judgement), message="; ".join(_unquoted(judgement, request)))


def _unquoted(judgement: Judgement, request: Request) -> Iterator[str]:
    """Say which criteria will not count as met, for want of a quote."""
    quotable = Quotable(request.evidence)
    asked = {criterion.id for criterion in request.criteria if criterion.quote}
    for ruling in judgement.criteria:
        needs = ruling.verdict == "met" and ruling.id in asked
        if needs and not any(map(quotable.holds, ruling.quotes)):
            quotes = [f"{short(quote.text)} in {quote.pointer}" for quote in ruling.quotes]
            why = f"quote not found: {', '.join(quotes)}" if quotes else "no quote given"
            yield f"criterion {ruling.id!r} counts as cannot-tell: {why}"


def _brief(fault: Fault) -> str:
    return f"{fault.pointer}: {fault.message}" if fault.pointer else fault.message


def _named(value: Json) -> str:
    name = value.get("request") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""


def _gaps(value: Json, request: Request) -> list[str]:
    """Name what was left out or left open."""
    given = value.get("criteria")
    if given is None:
        return ["it has no list of criteria"]
    rulings = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    asked = [criterion.id for criterion in request.criteria]
    names = [name for ruling in rulings if isinstance(name := ruling.get("id"), str)]
    strange = [unknown("criterion", name, asked) for name in names if name not in asked]
    gaps = [
        f"criterion {ruling.get('id')!r} has no verdict"
        for ruling in rulings
        if ruling.get("verdict") in (None, "")
    ]
    gaps += [f"criterion {name!r} is not answered" for name in asked if name not in names]
    if "score" in request.answer_schema["properties"] and value.get("score") is None:
        gaps.append("it has no score from 1 to 5")
    return [*strange, *gaps] if gaps else []


def _unasked(answer: RawAnswer, judgement: Judgement, known: Questions) -> Attached:
    """Tell an answer to a question of the past from one that was never asked here."""
    ticket = known.past.get(judgement.request)
    if ticket is None:
        message = f"request {judgement.request[:12]}… was never asked here"
        return Attached(place=answer.place, fate="foreign", message=message)
    current = known.of(ticket)
    if current is None:
        message = "the case asks no judge now"
    else:
        changes = ", ".join(changed(ticket.parts, current.parts))
        message = f"{changes} since it was asked; answer the open request instead"
    return Attached(place=answer.place, fate="stale", case=ticket.case, message=message)


class AnswerSaid(Model):
    """What became of one answer, for programs."""

    place: str
    """The file, and the place in it."""
    fate: Fate
    """What became of it."""
    message: str
    """Why."""
    case: str | None
    """The case that asked."""


class AttachSaid(Model):
    """What became of all answers, for programs."""

    answers: tuple[AnswerSaid, ...]
    """Each answer, in order."""
    reports: tuple[Report, ...]
    """The reports after it."""


def said(attachment: Attachment) -> AttachSaid:
    """Return what became of the answers as data."""
    return AttachSaid(
        answers=tuple(
            AnswerSaid(place=one.place, fate=one.fate, message=one.message, case=one.case)
            for one in attachment.answers
        ),
        reports=tuple(refreshed.report for refreshed in attachment.reports),
    )


def unusable(attachment: Attachment, *, named: bool) -> int:
    """Count the answers that could not be used; files that were only found may be of other runs."""
    refused = REFUSED if named else BROKEN
    return sum(one.fate in refused for one in attachment.answers)


def exit_of(attachment: Attachment, *, named: bool) -> int:
    """Return 2 where an answer could not be used, else the exit code of the reports."""
    if unusable(attachment, named=named):
        return 2
    return 3 if attachment.waiting else reporting.exit_of(r.report for r in attachment.reports)
