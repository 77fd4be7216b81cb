"""The texts that a report shows: made visible, cut so that it is seen, and counted."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from flowjury.finding import enforced
from flowjury.json_values import short
from flowjury.model import Json
from flowjury.plural import numbered
from flowjury.report import CaseReport, Report
from flowjury.verdict import EXIT_WORDS, Status, Verdict
from flowjury.visible import visible

EXPLAINED = (Status.ERROR, Status.FAILED, Status.UNKNOWN, Status.NEEDS_JUDGE)
"""The statuses of cases that are explained, the worst first."""

MARKS: Mapping[str, str] = MappingProxyType(
    {
        "passed": "✓",
        "failed": "✗",
        "error": "!",
        "unknown": "?",
        "needs-judge": "?",
        "skipped": "○",
        "not-run": "○",
        "not selected": "○",
        "open": "?",
    }
)

REQUESTS = ".flowjury/requests"
"""Where the open questions lie, each in a file named by its digest."""

_NAME_LIMIT = 200
_UNMEASURED = frozenset({"skipped", "not selected"})
_BY_GATES = frozenset({0, 1, 3})


def cut(text: str, limit: int, whole: str) -> str:
    """Show a text up to a limit; where it is cut, say how long it is and where the whole is."""
    shown = visible(text[: limit + 1])
    if len(shown) <= limit:
        return shown
    return f"{shown[:limit]}… ({len(text):,} characters; whole: {whole})"


def cut_value(value: Json, limit: int, whole: str) -> str:
    """Show a JSON value up to a limit, likewise."""
    text = short(value, limit)
    shown = visible(text)
    return shown if len(text) <= limit else f"{shown.removesuffix(')')}; whole: {whole})"


def named(text: str) -> str:
    """Show a name or title: what is longer than any should be is cut."""
    shown = visible(text[: _NAME_LIMIT + 1])
    return shown if len(shown) <= _NAME_LIMIT else shown[:_NAME_LIMIT] + "…"


def show(case: str, at: str | None = None) -> str:
    """Return the command that shows a case whole, or one part of its evidence."""
    command = f"flowjury show {shlex.quote(named(case))}"
    if at is None or len(at) > _NAME_LIMIT:
        return command
    return f"{command} --at {shlex.quote(visible(at))}"


def trials(case: CaseReport) -> str:
    """Count the trials that passed: `3/5 (needs 4)`; of one trial, only that it did."""
    share = f"{case.passed}/{case.planned}"
    if case.planned > 1:
        return f"{share} (needs {case.needed})"
    return share if case.passed else ""


def counts(report: Report) -> dict[str, int]:
    """Count the cases by status, the ones that were not selected by themselves."""
    found = Counter(case.status.value if case.selected else "not selected" for case in report.cases)
    return {word: found[word] for word in MARKS if found[word]}


def selection(report: Report) -> str:
    """Say how many cases the counts are of."""
    total = len(report.cases)
    if not report.partial:
        return numbered(total, "case")
    selected = sum(case.selected for case in report.cases)
    return f"{numbered(total, 'case')} (partial: {selected:,} selected)"


def outcome(report: Report) -> str:
    """Say the exit code in words, with what stands against a better one."""
    found = counts(report)
    against = [f"{found[s.value]} {s.value}" for s in (*EXPLAINED, Status.NOT_RUN) if s in found]
    against += [f"gate {named(g.name)} {g.status}" for g in report.gates if g.status != "passed"]
    if unmet := sum(1 for verdict in enforced(report.findings) if verdict is not Verdict.PASSED):
        against.append(f"{unmet} of {len(report.findings)} suite checks not passed")
    if found.keys() <= _UNMEASURED:
        against.append("nothing was measured")
    word = EXIT_WORDS.get(report.exit, report.status.value)
    decided = f"{word} by its gates" if report.gates and report.exit in _BY_GATES else word
    return f"{decided} ({', '.join(against)})" if against else decided
