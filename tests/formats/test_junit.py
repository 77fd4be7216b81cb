from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.finding import Finding
from flowjury.formats.junit import SUFFIX, render
from flowjury.report import CaseReport, TrialReport
from flowjury.verdict import Status, Verdict


def test_its_files_end_with_xml():
    assert SUFFIX == ".xml"


def test_it_shows_nothing_green_that_did_not_pass(report, golden):
    golden("formats/junit.xml", render(report))


@given(st.data())
def test_it_is_xml_whatever_a_text_holds(reports, data):
    report = data.draw(reports)
    root = _parsed(report)
    tests = root.findall("./testsuite/testcase")
    tags = [child.tag for test in tests for child in test]

    assert root.get("tests") == str(len(tests))
    assert [root.get(name) for name in ("failures", "errors", "skipped")] == [
        str(tags.count(tag)) for tag in ("failure", "error", "skipped")
    ]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (Status.PASSED, []),
        (Status.FAILED, [("failure", "failed")]),
        (Status.ERROR, [("error", "error")]),
        (Status.UNKNOWN, [("error", "unknown")]),
        (Status.NEEDS_JUDGE, [("error", "needs-judge")]),
        (Status.SKIPPED, [("skipped", "skipped")]),
        (Status.NOT_RUN, [("skipped", "not-run")]),
    ],
)
def test_every_status_has_its_element(green, status, outcome):
    case = CaseReport(id="a", status=status, reason="because")
    [test] = _tests(green.model_copy(update={"cases": (case,)}))

    assert [(child.tag, child.get("type")) for child in test] == outcome


@pytest.mark.parametrize(
    ("seconds", "time"), [((None, None), None), ((0.5, None), "0.500"), ((0.5, 0.25), "0.750")]
)
def test_time_is_what_was_measured(green, seconds, time):
    trials = [
        TrialReport(number=number, status=Status.PASSED, seconds=each)
        for number, each in enumerate(seconds, 1)
    ]
    case = CaseReport(id="a", status=Status.PASSED, planned=2, trials=tuple(trials))
    [test] = _tests(green.model_copy(update={"cases": (case,)}))

    assert test.get("time") == time


@pytest.mark.parametrize(("enforcement", "tags"), [("fail", ["failure"]), ("warn", [])])
def test_a_warning_of_the_suite_is_a_property_only(green, enforcement, tags):
    finding = Finding(kind="value", verdict=Verdict.FAILED, message="m", enforcement=enforcement)
    _, test = _tests(green.model_copy(update={"findings": (finding,)}))

    assert [child.tag for child in test] == ["properties", *tags]


def _tests(report):
    return _parsed(report).findall("./testsuite/testcase")


def _parsed(report):
    return ET.fromstring(render(report))  # noqa: S314 - the text is our own
