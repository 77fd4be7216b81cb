"""The JUnit format: XML for CI servers.

What did not pass is never green there. A failed case is a `failure`. One that erred, is unknown or
waits for a judge is an `error` whose `type` is its status, for `skipped` looks like success to most
servers; so only what was skipped or not run is `skipped`. Cases that were not selected are left
out. Checks of the whole suite and gates are test cases, too, in the class `<suite> (suite)`.
Times are those measured; where none was, the attribute is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from flowjury.finding import enforced
from flowjury.formats._explain import Limits, Row, explain, explain_suite
from flowjury.formats._layout import PLAIN, lines
from flowjury.formats._text import cut, named, selection, trials
from flowjury.report import CaseReport, Report
from flowjury.verdict import Status, all_of
from flowjury.visible import visible

SUFFIX = ".xml"

_LIMITS = Limits(value=2_000, text=4_000, findings=200, children=100, trials=10)
_TEXT_LIMIT = 1_000
_OUTCOMES = {
    "failed": "failure",
    "error": "error",
    "unknown": "error",
    "needs-judge": "error",
    "open": "error",
    "skipped": "skipped",
    "not-run": "skipped",
}
_COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render(report: Report) -> str:
    """Write the report as JUnit XML."""
    selected = [case for case in report.cases if case.selected]
    tests = [_case(report, case) for case in selected]
    tests += [*_suite_checks(report), *_gates(report)]
    numbers = {"tests": str(len(tests)), **_counted(tests), **_time(selected)}
    name = named(report.suite)
    root = ET.Element("testsuites", {"name": name, **numbers})
    suite = ET.SubElement(root, "testsuite", {"name": name, **numbers})
    suite.set("timestamp", named(report.started))
    suite.append(_properties(_of_report(report)))
    suite.extend(tests)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _counted(tests: Iterable[ET.Element]) -> dict[str, str]:
    tags = [child.tag for test in tests for child in test]
    return {attribute: str(tags.count(tag)) for attribute, tag in _COUNTED.items()}


def _time(cases: Iterable[CaseReport]) -> dict[str, str]:
    measured = [t.seconds for case in cases for t in case.trials if t.seconds is not None]
    return {"time": f"{sum(measured):.3f}"} if measured else {}


def _of_report(report: Report) -> Iterator[tuple[str, str]]:
    yield "run", report.run
    yield "data", report.data
    yield "suite_file", report.suite_file
    yield "status", report.status.value
    yield "exit", str(report.exit)
    yield "cases", selection(report)


def _properties(pairs: Iterable[tuple[str, str]]) -> ET.Element:
    properties = ET.Element("properties")
    for name, value in pairs:
        shown = cut(value, _TEXT_LIMIT, "the json report")
        ET.SubElement(properties, "property", {"name": visible(name), "value": shown})
    return properties


def _case(report: Report, case: CaseReport) -> ET.Element:
    rows = list(explain(case, _LIMITS))
    test = _test(named(case.id), named(report.suite), _time([case]))
    if found := [*_of_case(case), *_of_findings(rows)]:
        test.append(_properties(found))
    _add_outcome(test, case.status, case.reason, rows)
    return test


def _test(name: str, of: str, time: dict[str, str]) -> ET.Element:
    return ET.Element("testcase", {"name": name, "classname": of, **time})


def _of_case(case: CaseReport) -> Iterator[tuple[str, str]]:
    if case.title:
        yield "title", case.title
    for tag in case.tags:
        yield "tag", tag
    if counted := trials(case):
        yield "trials", counted


def _of_findings(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Yield what did not pass as properties, so that a warning in a passed case is seen, too."""
    for row in rows:
        if row.verdict and row.text:
            yield " ".join(filter(None, (row.verdict, row.word, row.name))), row.text


def _add_outcome(test: ET.Element, status: str, reason: str | None, rows: Sequence[Row]) -> None:
    tag = _OUTCOMES.get(status)
    if tag is None:
        return
    message = reason or next((row.text for row in rows if row.text), status)
    shown = cut(message, _TEXT_LIMIT, "the text of this element")
    outcome = ET.SubElement(test, tag, {"message": shown, "type": status})
    text = "\n".join(line for row in rows for line in lines(row, PLAIN, ""))
    if tag != "skipped" and text:
        outcome.text = f"\n{text}\n"


def _suite_checks(report: Report) -> Iterator[ET.Element]:
    """Make one test case of all checks of the whole suite."""
    if not report.findings:
        return
    rows = list(explain_suite(report, _LIMITS))
    test = _test("checks", f"{named(report.suite)} (suite)", {})
    if rows:
        test.append(_properties(_of_findings(rows)))
    moving = list(enforced(report.findings))
    _add_outcome(test, all_of(moving) if moving else Status.PASSED, None, rows)
    yield test


def _gates(report: Report) -> Iterator[ET.Element]:
    for gate in report.gates:
        test = _test(f"gate {named(gate.name)}", f"{named(report.suite)} (suite)", {})
        _add_outcome(test, gate.status, f"{gate.bound}: {gate.message}", ())
        yield test
