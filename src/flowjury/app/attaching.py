"""Attaching: results written by anyone become judgements, each told what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flowjury.app.project import Project
from flowjury.app.refreshing import Refreshed, answer_folders, ticket_of
from flowjury.app.standing import Standing, asked, refreshed, standings
from flowjury.errors import Fault, InputError
from flowjury.judging import changed, check_answer
from flowjury.model import Json, Model
from flowjury.report.model import Report
from flowjury.request import Judgement, Request, Ticket
from flowjury.store.layout import Layout
from flowjury.store.results import RawAnswer, dropped, raw_answers, read_result
from flowjury.store.runs import RunStore

Fate = Literal["attached", "already there", "stale", "foreign", "malformed", "half-filled"]
REFUSED: frozenset[Fate] = frozenset({"stale", "foreign", "malformed", "half-filled"})


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
    reports: tuple[Refreshed, ...]


@dataclass(frozen=True)
class _Known:
    """What an answer is held against."""

    requests: Mapping[str, Request]
    tickets: Mapping[str, Ticket]
    owners: Mapping[str, Standing]
    """The suite that asks each request."""


def answers_in(
    project: Project, given: Iterable[str], *, read: Callable[[], bytes]
) -> list[RawAnswer]:
    """Read the answers in files and folders, `-` being standard input, or in the drop folder.

    Raises UsageError for a file that is not there.
    """
    places = [Path(one) if one != "-" else None for one in given]
    paths = [path for place in places if place for path in _files(place)]
    answers = [answer for path in paths for answer in read_result(path)]
    if None in places:
        answers += raw_answers(read(), name="standard input")
    if not places:
        for path in dropped(Layout(project.root).results):
            answers += read_result(path)
    return answers


def _files(path: Path) -> Sequence[Path]:
    return dropped(path) if path.is_dir() else (path,)


def attach(
    project: Project,
    answers: Iterable[RawAnswer],
    *,
    suites: Iterable[Path] = (),
    write: bool = True,
    commit: bool = False,
) -> Attachment:
    """Attach answers; a bad one never stops the others. With `write=False` nothing is written."""
    with RunStore.open(project.root) as store:
        all_of = standings(project, store, suites)
        known = _known(project, store, all_of)
        keeper = _Keeper(project, known, commit=commit) if write else None
        fates = tuple(_attached(answer, known, keeper) for answer in answers)
        reports = tuple(refreshed(project, store, all_of)) if write else ()
    return Attachment(fates, reports)


def _known(project: Project, store: RunStore, all_of: Sequence[Standing]) -> _Known:
    requests: dict[str, Request] = {}
    owners: dict[str, Standing] = {}
    for one in all_of:
        for request in asked(project, store, [one]):
            requests.setdefault(request.digest, request)
            owners.setdefault(request.digest, one)
    return _Known(requests, store.tickets, owners)


class _Keeper:
    """Keeps judgements where the suite that asks looks for them."""

    def __init__(self, project: Project, known: _Known, *, commit: bool) -> None:
        self._project, self._known, self._commit = project, known, commit

    def keep(self, judgement: Judgement) -> Fate:
        """Keep a judgement with the ticket of its request."""
        request = self._known.requests[judgement.request]
        owner = self._known.owners[judgement.request]
        beside, in_store = answer_folders(self._project, owner.loaded)
        folder = in_store if owner.run.data == "live" and not self._commit else beside
        return (
            "attached" if folder.keep(judgement, ticket_of(request)) == "kept" else "already there"
        )


def _attached(answer: RawAnswer, known: _Known, keeper: _Keeper | None) -> Attached:
    value = answer.document.value
    request = known.requests.get(_named(value))
    case = request.case if request else None
    if request is not None and (gaps := _gaps(value, request)):
        return Attached(place=answer.place, fate="half-filled", case=case, message="; ".join(gaps))
    try:
        judgement = answer.judgement()
    except InputError as error:
        message = "; ".join(_brief(fault) for fault in error.faults)
        return Attached(place=answer.place, fate="malformed", case=case, message=message)
    if request is None:
        return _unasked(answer, judgement, known)
    if wrong := check_answer(request, judgement):
        return Attached(place=answer.place, fate="malformed", case=case, message="; ".join(wrong))
    fate = keeper.keep(judgement) if keeper else "attached"
    return Attached(place=answer.place, fate=fate, case=case)


def _brief(fault: Fault) -> str:
    return f"{fault.pointer}: {fault.message}" if fault.pointer else fault.message


def _named(value: Json) -> str:
    name = value.get("request") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""


def _gaps(value: Json, request: Request) -> list[str]:
    """Name the criteria that were left out or left open."""
    given = value.get("criteria")
    if not isinstance(given, list):
        return ["it has no list of criteria"] if given is None else []
    rulings = {
        ruling.get("id"): ruling.get("verdict") for ruling in given if isinstance(ruling, dict)
    }
    left_open = [name for name, verdict in rulings.items() if verdict in (None, "")]
    left_out = [asked.id for asked in request.criteria if asked.id not in rulings]
    return [
        *(f"criterion {name!r} has no verdict" for name in left_open),
        *(f"criterion {name!r} is not answered" for name in left_out),
    ]


def _unasked(answer: RawAnswer, judgement: Judgement, known: _Known) -> Attached:
    """Tell an answer to a question of the past from one that was never asked here."""
    ticket = known.tickets.get(judgement.request)
    if ticket is None:
        message = f"request {judgement.request[:12]}… was never asked here"
        return Attached(place=answer.place, fate="foreign", message=message)
    current = [
        request
        for request in known.requests.values()
        if (request.suite, request.case, request.step) == (ticket.suite, ticket.case, ticket.step)
    ]
    changes = changed(ticket.parts, current[0].parts) if current else ("it asks no judge now",)
    return Attached(
        place=answer.place,
        fate="stale",
        case=ticket.case,
        message=f"{', '.join(changes)} since it was asked; answer the open request instead",
    )


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


def exit_of(attachment: Attachment, *, named: bool) -> int:
    """Return 2 where an answer could not be used: among files found, only malformed ones count."""
    refused = REFUSED if named else {"malformed", "half-filled"}
    return 2 if any(one.fate in refused for one in attachment.answers) else 0
