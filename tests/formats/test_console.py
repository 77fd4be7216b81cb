from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.finding import Actual, Finding
from flowjury.formats.console import (
    COLOUR,
    PLAIN,
    SUFFIX,
    gist,
    render,
    render_all,
    render_finding,
    render_suite,
)
from flowjury.report import CaseReport, StepReport, TrialReport
from flowjury.verdict import Status, Verdict

COLOURS = re.compile("\x1b\\[[0-9]+m")
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def test_it_makes_no_file():
    assert SUFFIX == ""


def test_it_explains_failures_and_counts_the_rest(report, golden):
    golden("formats/console.txt", render(report))


def test_it_can_name_every_case_that_passed(report, golden):
    golden("formats/console_all.txt", render_all(report))


def test_a_green_report_is_three_lines(green):
    assert render(green) == (
        "greetings · run 20261130-101500-0001 · data: replay\n"
        "  ✓ 1 passed   of 1 case\n"
        "exit 0: passed\n"
    )


def test_colours_change_nothing_else(report):
    coloured = render(report, COLOUR)

    assert "\x1b[31m" in coloured
    assert COLOURS.sub("", coloured) == render(report, PLAIN)


@given(st.data())
def test_no_text_reaches_the_terminal_raw(reports, data):
    report = data.draw(reports)

    assert HARMFUL.findall(render(report)) == []
    assert HARMFUL.findall(COLOURS.sub("", render_all(report, COLOUR))) == []


@pytest.mark.parametrize(
    ("ids", "line"),
    [
        (["a"], "NOT RUN  a: the run did not come to its end"),
        (["a", "b", "c"], "NOT RUN  a, b, c: the run did not come to its end"),
        ([*"abcde"], "NOT RUN  a, b, c and 2 more: the run did not come to its end"),
    ],
)
def test_cases_that_did_not_run_for_one_reason_are_one_line(green, ids, line):
    cases = [
        CaseReport(id=each, status=Status.NOT_RUN, reason="the run did not come to its end")
        for each in ids
    ]

    assert line in render(green.model_copy(update={"cases": tuple(cases)})).splitlines()


def _block(report, *cases):
    """Return the lines between the counts and the exit."""
    return render(report.model_copy(update={"cases": cases})).splitlines()[2:-1]


def _trials(*statuses):
    return tuple(TrialReport(number=n, status=each) for n, each in enumerate(statuses, 1))


@pytest.mark.parametrize(
    ("trials", "status", "lines"),
    [
        (
            (Status.PASSED, Status.FAILED, Status.PASSED),
            Status.PASSED,
            ["PASSED  a  2/3 (needs 2)", "  ✗ trial 2 failed"],
        ),
        (
            (Status.FAILED, Status.FAILED, Status.FAILED),
            Status.FAILED,
            [
                "FAILED  a  0/3 (needs 2)",
                "  ✗ trial 1 failed",
                "  ✗ trial 2 failed",
                "  ✗ trial 3 failed",
            ],
        ),
        (
            (Status.PASSED,),
            Status.NOT_RUN,
            ["NOT RUN  a  1/3 (needs 2)", "  trials  2 of 3 have no record"],
        ),
        ((Status.PASSED,) * 3, Status.PASSED, []),
    ],
)
def test_trials_that_did_not_pass_are_named_whatever_their_case_did(green, trials, status, lines):
    case = CaseReport(
        id="a",
        status=status,
        passed=trials.count(Status.PASSED),
        needed=2,
        planned=3,
        trials=_trials(*trials),
    )

    assert _block(green, case) == lines


def test_a_value_of_a_step_is_found_below_the_step(green):
    finding = Finding(
        kind="value",
        verdict=Verdict.FAILED,
        message="too long",
        actual=Actual.of("x" * 300),
        where="/output",
    )
    step = StepReport(id="a/b", findings=(finding,))
    trial = TrialReport(number=1, status=Status.FAILED, steps=(step,))
    case = CaseReport(id="talk", status=Status.FAILED, trials=(trial,))
    whole = "flowjury show talk --at '/steps/a~1b/output'"

    assert _block(green, case) == [
        "FAILED  talk",
        "  step a/b",
        "    ✗ value  too long",
        "        at /output",
        f'        found "{"x" * 199}… (300 characters; whole: {whole})',
    ]


def _found(verdict, message, *children):
    return Finding(kind="all", verdict=verdict, message=message, children=children)


PASSED = _found(Verdict.PASSED, "p")
ONE = _found(Verdict.FAILED, "one")
TWO = _found(Verdict.UNKNOWN, "two")


@pytest.mark.parametrize(
    ("finding", "lines"),
    [
        (_found(Verdict.FAILED, "one", PASSED, ONE), ["✗ all  one"]),
        (_found(Verdict.FAILED, "one; two", ONE, TWO), ["✗ all", "  ✗ all  one", "  ? all  two"]),
        (_found(Verdict.FAILED, "other", ONE), ["✗ all  other", "  ✗ all  one"]),
        (
            _found(Verdict.FAILED, "deep", _found(Verdict.FAILED, "one; two", ONE, TWO)),
            ["✗ all  deep", "  ✗ all", "    ✗ all  one", "    ? all  two"],
        ),
        (
            _found(Verdict.FAILED, "many", *(ONE,) * 14),
            [
                "✗ all  many",
                *["  ✗ all  one"] * 12,
                "  …  and 2 more findings; flowjury show a",
            ],
        ),
    ],
)
def test_nothing_is_said_twice_and_much_is_counted(green, finding, lines):
    trial = TrialReport(number=1, status=Status.FAILED, findings=(finding,))
    case = CaseReport(id="a", status=Status.FAILED, trials=(trial,))

    assert _block(green, case) == ["FAILED  a", *(f"  {line}" for line in lines)]


def test_the_whole_suite_can_be_told_alone(report, green):
    assert render_suite(green) == ""
    assert render_suite(report) in render(report)
    assert render_suite(report).startswith("SUITE\n")


def test_a_finding_can_be_told_alone_and_says_where_it_is_whole():
    finding = Finding(
        kind="value", verdict=Verdict.FAILED, message="m" * 601, where="/output", expected=1
    )

    assert render_finding(finding, "the evidence") == (
        f"✗ value  {'m' * 600}… (601 characters; whole: the evidence)\n"
        "    at /output   expected 1\n"
    )


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (CaseReport(id="c", status=Status.SKIPPED, reason="not yet"), "not yet"),
        (
            CaseReport(
                id="c",
                status=Status.FAILED,
                trials=(
                    TrialReport(
                        number=1,
                        status=Status.FAILED,
                        findings=(
                            Finding(kind="a", verdict=Verdict.PASSED, message="good"),
                            Finding(kind="b", verdict=Verdict.FAILED, message="bad"),
                        ),
                    ),
                ),
            ),
            "bad",
        ),
        (CaseReport(id="c", status=Status.PASSED), "passed"),
    ],
)
def test_the_gist_of_a_case_is_one_line(case, expected):
    assert gist(case) == expected
