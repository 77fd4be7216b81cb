"""The console format: short, for a terminal; failures are explained, passed cases are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from flowjury.finding import Finding
from flowjury.formats._answers import answers
from flowjury.formats._asides import gates, idle, remarks
from flowjury.formats._explain import Limits, explain, explain_finding, explain_suite
from flowjury.formats._layout import COLOUR, PLAIN, Style, lines
from flowjury.formats._text import EXPLAINED, MARKS, counts, named, outcome, selection, trials
from flowjury.report import CaseReport, Report

__all__ = [
    "COLOUR",
    "JOINABLE",
    "PLAIN",
    "SUFFIX",
    "Style",
    "gist",
    "render",
    "render_all",
    "render_case",
    "render_finding",
    "render_suite",
]

SUFFIX = ""
JOINABLE = True

_LIMITS = Limits(value=200, text=600, findings=1_000, children=12, trials=3)
_BRIEF = replace(_LIMITS, value=80, text=200, findings=3, children=0, trials=1)


def render(report: Report, style: Style = PLAIN) -> str:
    """Write what a person wants to see after a run. Colour only what goes to a terminal."""
    return _joined(report, style, ())


def render_all(report: Report, style: Style = PLAIN) -> str:
    """Write the same, and name every case that passed."""
    passed = (case for case in report.cases if case.status.value == "passed")
    return _joined(report, style, (_head(case, style) for case in passed))


def render_case(case: CaseReport, style: Style = PLAIN) -> str:
    """Write what came of one case, why it did not pass, and what judges answered."""
    told = (*explain(case, _LIMITS), *answers(case, _LIMITS))
    rows = (line for row in told for line in lines(row, style, "  "))
    return "".join(f"{line}\n" for line in (_head(case, style), *rows))


def render_suite(report: Report, style: Style = PLAIN) -> str:
    """Write what came of the checks of the whole suite, and of its gates."""
    return "".join(f"{line}\n" for line in _suite(report, style))


def render_finding(finding: Finding, whole: str, style: Style = PLAIN) -> str:
    """Write why a finding did not pass; `whole` is where that stands whole which is cut."""
    rows = explain_finding(finding, _LIMITS, whole)
    return "".join(f"{line}\n" for row in rows for line in lines(row, style, ""))


def gist(case: CaseReport) -> str:
    """Write in one line why a case did not pass."""
    return next((row.text for row in explain(case, _LIMITS) if row.text), case.status.value)


def _joined(report: Report, style: Style, listed: Iterable[str]) -> str:
    sections = (
        _top(report, style),
        listed,
        _cases(report, style),
        _idle(report, style),
        _suite(report, style),
        (f"{style.paint('faint', word)}  {text}" for word, text in remarks(report)),
        [style.judged(report.status, f"exit {report.exit}: {outcome(report)}")],
    )
    return "".join(f"{line}\n" for section in sections for line in section)


def _top(report: Report, style: Style) -> Iterator[str]:
    name = style.paint("strong", named(report.suite))
    title = f"  {named(report.title)}" if report.title else ""
    yield f"{name}{title} · run {named(report.run)} · data: {named(report.data)}"
    counted = [
        style.judged(word, f"{MARKS[word]} {number:,} {word}")
        for word, number in counts(report).items()
    ]
    yield "  " + "   ".join([*counted, f"of {selection(report)}"])


def _cases(report: Report, style: Style) -> Iterator[str]:
    """Explain what did not pass; of the other cases, say briefly what in them did not."""
    for case in report.cases:
        explained = case.status in EXPLAINED
        if explained or case.trials:
            rows = list(explain(case, _LIMITS if explained else _BRIEF))
            if explained or rows:
                yield _head(case, style)
            yield from (line for row in rows for line in lines(row, style, "  "))


def _head(case: CaseReport, style: Style) -> str:
    status = style.judged(case.status, case.status.value.replace("-", " ").upper())
    parts = (status, named(case.id), named(case.title or ""), trials(case))
    return "  ".join(filter(None, parts))


def _idle(report: Report, style: Style) -> Iterator[str]:
    for status, reason, ids in idle(report):
        head = style.judged(status, status.value.replace("-", " ").upper())
        yield f"{head}  {ids}: {reason}" if reason else f"{head}  {ids}"


def _suite(report: Report, style: Style) -> Iterator[str]:
    rows = list(explain_suite(report, _LIMITS))
    if rows:
        yield style.paint("strong", "SUITE")
    yield from (line for row in rows for line in lines(row, style, "  "))
    for status, text in gates(report):
        yield f"{style.judged(status, 'GATE')}  {text}"
