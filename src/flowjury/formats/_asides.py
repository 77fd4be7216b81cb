"""The asides of a report: what is said in one line each, beside the cases that are explained."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap

from flowjury.formats._text import counts, cut, cut_value, named
from flowjury.plural import numbered
from flowjury.report import Report, Unused
from flowjury.verdict import Status

_LISTED = 3
_TEXT_LIMIT = 300
_WHOLE = "the json report"


def idle(report: Report) -> Iterator[tuple[Status, str, str]]:
    """Yield status, reason and ids of the cases that did not run, those with one reason together.

    Left out are cases that were not selected, and those of which some trials ran.
    """
    groups: dict[tuple[Status, str], list[str]] = {}
    for case in report.cases:
        if case.status in {Status.SKIPPED, Status.NOT_RUN} and case.selected and not case.trials:
            groups.setdefault((case.status, case.reason or ""), []).append(case.id)
    for (status, reason), ids in groups.items():
        yield status, cut(reason, _TEXT_LIMIT, _WHOLE), _listed(ids)


def gates(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what came of each gate, and the numbers behind it."""
    for gate in report.gates:
        text = f"{named(gate.name)} {named(gate.bound)} {gate.status}: {gate.message}"
        yield gate.status, cut(text, _TEXT_LIMIT, _WHOLE)


def remarks(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what else a reader should know, each with what it is."""
    if report.spent:
        yield "spent", " · ".join(starmap(_amount, report.spent.items()))
    for word, enforcement, count in (
        ("warnings", "warn", report.warnings),
        ("reported", "report", report.noted),
    ):
        if count:
            yield word, f"{numbered(count, 'check')} with enforcement {enforcement} did not pass"
    for unused in report.unused:
        yield "unused answer", _unused(unused)
    for note in report.notes:
        yield "note", cut(note, _TEXT_LIMIT, _WHOLE)
    if Status.NEEDS_JUDGE.value in counts(report):
        yield "to answer", "flowjury judge asks a judge; flowjury attach takes answers from anyone"


def _amount(unit: str, number: float) -> str:
    return f"{named(unit)} {cut_value(number, _TEXT_LIMIT, _WHOLE)}"


def _unused(unused: Unused) -> str:
    step = f" step {named(unused.step)}" if unused.step else ""
    judges = ", ".join(map(named, unused.judges))
    changed = ", ".join(map(named, unused.changed))
    text = f"{named(unused.case)}{step} by {judges}: {changed} (request {unused.request[:12]}…)"
    return cut(text, _TEXT_LIMIT, _WHOLE)


def _listed(ids: list[str]) -> str:
    shown = ", ".join(map(named, ids[:_LISTED]))
    more = len(ids) - _LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown
