from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.finding import Actual, Finding
from flowjury.formats.json import SUFFIX, render
from flowjury.json_values import loads
from flowjury.report import Report
from flowjury.verdict import Verdict


def test_its_files_end_with_json():
    assert SUFFIX == ".json"


def test_it_is_the_whole_report(report, golden, long_text):
    text = render(report)

    assert text.count(long_text) == 1
    golden("formats/report.json", text.replace(long_text, "(the 50,000 characters)"))


@given(st.data())
def test_reading_it_makes_the_same_report(reports, data):
    report = data.draw(reports)
    text = render(report)

    again = Report.model_validate(loads(text))

    assert again == report
    assert render(again) == text


@pytest.mark.parametrize(
    ("finding", "shown"),
    [
        (Finding(kind="k", verdict=Verdict.PASSED, message="m"), {"actual": None}),
        (
            Finding(
                kind="k",
                verdict=Verdict.PASSED,
                message="m",
                expected=None,
                actual=Actual.of(None),
            ),
            {"expected": None, "actual": {"present": True, "value": None}},
        ),
        (
            Finding(kind="k", verdict=Verdict.PASSED, message="m", actual=Actual(present=False)),
            {"actual": {"present": False}},
        ),
    ],
)
def test_null_is_shown_and_what_is_absent_is_not(green, finding, shown):
    report = green.model_copy(update={"findings": (finding,)})

    [written] = loads(render(report))["findings"]

    assert {key: written[key] for key in ("expected", "actual") if key in written} == shown


@pytest.mark.parametrize(
    "value",
    ["\ud800", "\x00", 10**300, {"a": [1, 1.0, True, None]}, pytest.param(-(10**5000), id="huge")],
)
def test_values_survive_whole(green, value):
    finding = Finding(kind="k", verdict=Verdict.FAILED, message="m", actual=Actual.of(value))
    report = green.model_copy(update={"findings": (finding,)})

    assert loads(render(report))["findings"][0]["actual"]["value"] == value


def test_each_case_is_on_a_line_of_its_own(report):
    text = render(report)
    lines = [line.removesuffix(",") for line in text.splitlines()]

    assert [loads(line) for line in lines if line.startswith('{"id":')] == loads(text)["cases"]
