from __future__ import annotations

import pytest

from flowjury.finding import ABSENT, Actual, Finding
from flowjury.report.ending import ending, unobserved
from flowjury.trace import Trace
from flowjury.verdict import Verdict

ERROR = {"type": "KeyError", "message": "no order B-2"}
PLACED = {**ERROR, "where": "agent.py:7 in look_up"}
FAILED_NODE = {
    "id": "1",
    "node": "look_up",
    "visit": "1",
    "status": "error",
    "error": ERROR,
    "start_ns": 0,
    "end_ns": 1,
}


@pytest.fixture
def ended(desk):
    def of(trace: dict, **case):
        [made] = desk.suite({"id": "c", **case}).cases
        return ending(made, Trace.model_validate(trace))

    return of


def test_a_run_that_finished_with_an_output_passes_twice(ended):
    assert ended({"status": "finished", "output": None}) == (
        Finding(
            kind="ending",
            verdict=Verdict.PASSED,
            message="the run ended with finished",
            expected="finished",
            actual=Actual.of("finished"),
        ),
        Finding(
            kind="output",
            verdict=Verdict.PASSED,
            message="the run produced an output",
            where="/output",
        ),
    )


@pytest.mark.parametrize(
    ("check", "kinds"),
    [
        ({"kind": "exit", "code": 0}, ["ending"]),
        ({"kind": "exit", "code": 0, "enforcement": "warn"}, ["ending", "output"]),
        ({"kind": "files", "exist": ["a"], "enforcement": "report"}, ["ending", "output"]),
        ({"kind": "not", "check": {"kind": "files", "exist": ["a"]}}, ["ending"]),
    ],
)
def test_a_program_needs_no_output_where_what_it_leaves_is_enforced(ended, check, kinds):
    found = ended({"status": "finished"}, checks=[check])

    assert [finding.kind for finding in found] == kinds


def test_an_output_that_was_not_recorded_is_unknown(ended):
    assert ended({"status": "finished"})[1] == Finding(
        kind="output",
        verdict=Verdict.UNKNOWN,
        message="the run finished, and its output was not recorded",
        actual=ABSENT,
        where="/output",
    )


@pytest.mark.parametrize(
    ("trace", "expect", "verdict", "message"),
    [
        (
            {"status": "error", "error": ERROR, "executions": [FAILED_NODE]},
            "finished",
            "failed",
            (
                "expected to end with finished, but the run ended with KeyError: "
                '"no order B-2", raised in node look_up'
            ),
        ),
        (
            {"status": "error", "error": PLACED, "executions": [FAILED_NODE]},
            "error",
            "passed",
            ('the run ended with KeyError: "no order B-2", raised in node look_up (agent.py:7)'),
        ),
        (
            {"status": "error", "error": PLACED},
            "error",
            "passed",
            'the run ended with KeyError: "no order B-2", raised at agent.py:7 in look_up',
        ),
        (
            {"status": "error", "error": ERROR},
            "error",
            "passed",
            'the run ended with KeyError: "no order B-2"',
        ),
        ({"status": "wait", "wait": "approval"}, "wait", "passed", "the run waits at approval"),
        (
            {"status": "wait"},
            "finished",
            "failed",
            "expected to end with finished, but the run waits",
        ),
        (
            {"status": "finished", "output": 1},
            "wait",
            "failed",
            "expected to end with wait, but the run ended with finished",
        ),
        (
            {"status": "error", "error": ERROR},
            {"error": {"type": "KeyError", "message": "B-2"}},
            "passed",
            'the run ended with KeyError: "no order B-2"',
        ),
        (
            {"status": "error", "error": ERROR},
            {"error": {"type": "ValueError"}},
            "failed",
            (
                'expected to end with error {"type": "ValueError"}, but '
                'the run ended with KeyError: "no order B-2"'
            ),
        ),
        (
            {"status": "error"},
            {"error": {"type": "KeyError"}},
            "unknown",
            "ended with an error that was not recorded",
        ),
        (
            {"status": "finished", "output": 1},
            {"error": {"message": "x"}},
            "failed",
            'expected to end with error {"message": "x"}, but the run ended with finished',
        ),
    ],
)
def test_the_ending_is_held_against_what_is_expected(ended, trace, expect, verdict, message):
    first, *_ = ended(trace, expect=expect)

    assert (first.verdict, first.message) == (verdict, message)


def test_only_a_run_that_should_finish_implies_an_output(ended):
    assert len(ended({"status": "finished", "output": 1}, expect="wait")) == 1
    assert len(ended({"status": "wait"}, expect="wait")) == 1


def test_a_fixture_that_was_recorded_for_another_input_makes_the_run_unknown(ended):
    strange = FAILED_NODE | {"other_input": True}
    found = ended({"status": "finished", "output": 1, "executions": [strange]})[-1]

    assert (found.kind, found.verdict, found.message) == (
        "fixtures",
        "unknown",
        (
            "recorded for another input: look_up (call 1); record again, ignore the parts of the"
            " input that do not matter, or remove the fixture's `input` if its answer fits any"
        ),
    )


def test_a_turn_that_is_not_in_the_trace_is_unknown():
    assert unobserved("a") == Finding(
        kind="ending",
        verdict=Verdict.UNKNOWN,
        message="step a is not in the trace",
        actual=ABSENT,
    )
