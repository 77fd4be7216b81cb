"""The GitHub format: workflow commands, which GitHub Actions shows as annotations.

What failed or erred is an `error` at the line of its case, what is open or warns is a `warning`,
what was only noted or skipped is a `notice`. GitHub keeps ten of a kind for each step: where there
are more, the worst nine are followed by the number of the others. Any exit but 0 has an annotation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from flowjury.finding import Finding
from flowjury.formats._asides import idle
from flowjury.formats._explain import Limits, Row, explain, explain_suite
from flowjury.formats._layout import PLAIN, lines
from flowjury.formats._text import cut, named, outcome
from flowjury.report import CaseReport, Report
from flowjury.verdict import Status, Verdict
from flowjury.visible import visible

SUFFIX = ""
JOINABLE = True
LIMIT: Final = 10
"""How many annotations of a kind GitHub keeps for one step."""

Line = Callable[[str], int | None]
"""Finds the line of a JSON Pointer in the suite file."""

_Level = Literal["error", "warning", "notice"]
_LEVELS: Final[tuple[_Level, ...]] = ("error", "warning", "notice")
_OF_STATUS: Final[dict[str, _Level]] = {
    Status.ERROR: "error",
    Status.FAILED: "error",
    Status.UNKNOWN: "warning",
    Status.NEEDS_JUDGE: "warning",
    Status.NOT_RUN: "warning",
    Status.SKIPPED: "notice",
    "open": "warning",
}
_OF_ENFORCEMENT: Final[dict[str, _Level]] = {"warn": "warning", "report": "notice"}
_OF_EXIT: Final = {1: Status.FAILED, 4: Status.ERROR}
_WORST: Final = (*_OF_STATUS, "warn", "report")
_LIMITS = Limits(value=200, text=500, findings=10, children=8, trials=2)
_TEXT_LIMIT = 1_000
_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({":": "%3A", ",": "%2C"})


@dataclass(frozen=True, slots=True)
class _Annotation:
    word: str
    """A status, or the enforcement of what did not pass in a passed case."""
    title: str
    text: str
    at: str = ""
    """JSON Pointer into the suite file."""

    @property
    def level(self) -> _Level:
        """The kind of workflow command."""
        return _OF_STATUS.get(self.word) or _OF_ENFORCEMENT[self.word]


def render(report: Report) -> str:
    """Write the annotations at the suite file, where no line is known."""
    return render_at(report, file=report.suite_file, line=lambda _: None)


def render_at(report: Report, *, file: str, line: Line) -> str:
    """Write the annotations at a file and the lines that are found in it."""
    found = sorted(_annotations(report), key=lambda one: _WORST.index(one.word))
    if report.exit and all(one.level == "notice" for one in found):
        word = _OF_EXIT.get(report.exit, Status.NOT_RUN)
        found.append(_Annotation(word, f"exit {report.exit}", outcome(report)))
    commands = (
        _command(report, one, file, line)
        for level in _LEVELS
        for one in _first([one for one in found if one.level == level])
    )
    return "".join(commands)


def _first(found: Sequence[_Annotation]) -> Sequence[_Annotation]:
    """Keep what GitHub keeps; the last of it says how many are left out."""
    if len(found) <= LIMIT:
        return found
    kept, left = found[: LIMIT - 1], found[LIMIT - 1 :]
    text = f"{len(left):,} more {left[0].level}s are not shown here; the first is {left[0].title}"
    return [*kept, _Annotation(left[0].word, f"and {len(left):,} more", text)]


def _command(report: Report, one: _Annotation, file: str, line: Line) -> str:
    number = line(one.at) if one.at else None
    place = {"file": visible(file), "line": "" if number is None else str(number)}
    shown = place | {"title": f"{named(report.suite)}: {one.title}"}
    properties = ",".join(
        f"{name}={value.translate(_IN_PROPERTY)}" for name, value in shown.items() if value
    )
    return f"::{one.level} {properties}::{one.text.translate(_IN_TEXT)}\n"


def _annotations(report: Report) -> Iterator[_Annotation]:
    for gate in report.gates:
        if gate.status != "passed":
            text = cut(f"{gate.bound}: {gate.message}", _TEXT_LIMIT, "the json report")
            yield _Annotation(gate.status, f"gate {named(gate.name)} {gate.status}", text, "/gates")
    if word := _word_of(report.findings):
        yield _Annotation(word, f"suite checks {word}", _text(explain_suite(report, _LIMITS)))
    for index, case in enumerate(report.cases):
        yield from _of_case(case, f"/cases/{index}")
    for status, why, ids in idle(report):
        yield _Annotation(status, f"{ids} {status}", why or status)


def _of_case(case: CaseReport, at: str) -> Iterator[_Annotation]:
    """Annotate a case; those that did not run at all are told together."""
    if case.status is Status.PASSED:
        word = _word_of(one for trial in case.trials for one in trial.all_findings())
        if word not in _OF_ENFORCEMENT:
            return
    elif case.selected and (case.trials or case.status not in {Status.SKIPPED, Status.NOT_RUN}):
        word = case.status
    else:
        return
    text = _text(explain(case, _LIMITS)) or case.status
    yield _Annotation(word, f"{named(case.id)} {word}", text, at)


def _word_of(findings: Iterable[Finding]) -> str:
    """Return the worst word of what did not pass, or none."""
    words = {
        one.verdict.value
        if one.enforcement == "fail" or one.verdict is Verdict.ERROR
        else one.enforcement
        for one in findings
        if one.verdict is not Verdict.PASSED
    }
    return min(words, key=_WORST.index, default="")


def _text(rows: Iterable[Row]) -> str:
    return "\n".join(line for row in rows for line in lines(row, PLAIN, ""))
