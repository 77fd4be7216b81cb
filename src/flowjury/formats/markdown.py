"""The Markdown format: a comment for a pull request.

All text of users stands in code: neither Markdown, HTML, mentions, links nor formulas are read
there. What would make it longer than a comment may be is left out, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import quote

from flowjury.formats._asides import gates, idle, remarks
from flowjury.formats._explain import Limits, Row, explain, explain_suite
from flowjury.formats._text import EXPLAINED, MARKS, counts, named, outcome, selection, trials
from flowjury.report import CaseReport, Report

SUFFIX = ".md"
JOINABLE = True
LIMIT = 65_000
"""How many characters a report has at most: a comment on GitHub may have 65,536."""

_LIMITS = Limits(value=200, text=300, findings=10, children=8, trials=2)
_LONGEST_LIST = 20
_LONGEST_CASE = 60
_RESERVE = 200
_DEEPEST = 8
_TICKS = re.compile("`+")


def render(report: Report) -> str:
    """Write the report as one comment, with the worst cases first."""
    return _fitted(_top(report), _sections(report))


def marker(suite: str) -> str:
    """Return the hidden first line by which the comment of a suite is found again."""
    return f"<!-- flowjury:{quote(named(suite), safe='')} -->"


def _fitted(top: str, sections: Iterable[str]) -> str:
    kept = [top]
    room = LIMIT - len(top) - _RESERVE
    left_out = 0
    for section in sections:
        if len(section) < room:
            kept.append(section)
            room -= len(section) + 1
        else:
            left_out += 1
    if left_out:
        kept.append(f"… {left_out:,} sections are left out: a comment has room for no more.\n")
    return "\n".join(kept)


def _top(report: Report) -> str:
    columns = {word: f"{number:,}" for word, number in counts(report).items()}
    columns["of"] = selection(report)
    title = f" {_code(named(report.title))}" if report.title else ""
    facts = (
        f"Exit {report.exit}: {_code(outcome(report))}",
        f"run {_code(named(report.run))}",
        f"data {_code(named(report.data))}",
    )
    return "\n".join(
        [
            marker(report.suite),
            f"### {MARKS[report.status]} {_code(named(report.suite))}{title}: {report.status}",
            "",
            f"| {' | '.join(columns)} |",
            f"|{'---|' * len(columns)}",
            f"| {' | '.join(columns.values())} |",
            "",
            " · ".join(facts),
            "",
        ]
    )


def _sections(report: Report) -> Iterator[str]:
    yield from _list("Gates", (_item(status, "", text) for status, text in gates(report)))
    yield from _list("Suite", _laid_out(explain_suite(report, _LIMITS)))
    for status in EXPLAINED:
        yield from (_case(case) for case in report.cases if case.status is status)
    passed = (case for case in report.cases if case.status not in EXPLAINED and case.trials)
    yield from (_case(case) for case in passed if any(explain(case, _LIMITS)))
    yield from _list("Not run", (_item(status, ids, why) for status, why, ids in idle(report)))
    yield from _list("Besides", (f"- {word} {_code(text)}" for word, text in remarks(report)))


def _list(title: str, items: Iterable[str]) -> Iterator[str]:
    """Make a section of a list, cut to its longest; none of an empty one."""
    listed = list(items)
    if listed:
        yield "\n".join([f"**{title}**", "", *_first(listed, _LONGEST_LIST), ""])


def _first(items: list[str], limit: int) -> list[str]:
    more = len(items) - limit
    return [*items[:limit], f"- … and {more:,} more lines"] if more > 0 else items


def _case(case: CaseReport) -> str:
    parts = (named(case.id), named(case.title or ""), trials(case))
    shown = " ".join(f"<code>{escape(part)}</code>" for part in parts if part)
    summary = f"<summary>{MARKS[case.status]} {case.status} {shown}</summary>"
    listed = _first(list(_laid_out(explain(case, _LIMITS))), _LONGEST_CASE)
    return "\n".join([f"<details>{summary}", "", *listed, "", "</details>", ""])


def _laid_out(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        margin = "  " * min(row.depth, _DEEPEST)
        yield margin + _item(row.verdict, row.name, row.text, row.word)
        yield from (f"{margin}  - {word} {_code(fact)}" for word, fact in row.facts)


def _item(verdict: str, name: str, text: str, word: str = "") -> str:
    parts = (MARKS.get(verdict, ""), word, _code(name), _code(text))
    return f"- {' '.join(filter(None, parts))}"


def _code(text: str) -> str:
    """Make a code span of a line: its fence is longer than any run of backticks inside."""
    if not text:
        return ""
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    padded = f" {text} " if text.startswith((" ", "`")) or text.endswith((" ", "`")) else text
    return f"{fence}{padded}{fence}"
