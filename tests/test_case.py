from __future__ import annotations

import pytest
from pydantic import ValidationError

from flowjury.app.project import suite_model

CHECK = {"kind": "value", "at": "/output", "op": "exists"}
RUBRIC = {"evidence": [{"at": ""}], "criteria": [{"id": "a", "text": "b"}]}


def case_of(**more):
    value = {"format": 1, "name": "s", "target": {"kind": "trace"}}
    return suite_model().model_validate({**value, "cases": [{"id": "c", **more}]}).cases[0]


@pytest.mark.parametrize(
    ("more", "asserts"),
    [
        ({}, False),
        ({"checks": [CHECK]}, True),
        ({"checks": [CHECK | {"enforcement": "warn"}]}, False),
        ({"checks": [CHECK | {"enforcement": "report"}, CHECK]}, True),
        ({"rubric": RUBRIC}, True),
        ({"expect": "finished"}, True),
        ({"steps": [{"id": "a", "input": 1}]}, False),
        ({"steps": [{"id": "a", "input": 1, "checks": [CHECK]}]}, True),
        ({"steps": [{"id": "a", "input": 1, "expect": "wait"}]}, True),
        ({"steps": [{"id": "a", "input": 1, "rubric": RUBRIC}]}, True),
    ],
)
def test_a_case_asserts_something_by_what_could_fail_it(more, asserts):
    assert case_of(**more).asserts == asserts


def test_the_parts_are_the_turns_and_the_whole():
    case = case_of(steps=[{"id": "a", "input": 1, "checks": [CHECK]}], checks=[CHECK])

    assert [name for name, _ in case.parts] == ["a", None]
    assert len(case.all_checks) == 2


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"input": 1, "steps": [{"id": "a", "input": 1}]}, "a case with steps has its inputs"),
        ({"expect": "wait", "steps": [{"id": "a", "input": 1}]}, "a case with steps"),
        ({"steps": [{"id": "a"}]}, "a step has either an input or a resume"),
        (
            {"steps": [{"id": "a", "input": 1, "resume": {"wait": "w", "action": "approve"}}]},
            "a step has either an input or a resume",
        ),
        ({"fixtures": {"n": [{}]}}, "either an output or an error"),
        (
            {"fixtures": {"n": [{"output": 1, "error": {"type": "E", "message": ""}}]}},
            "either an output or an error",
        ),
        ({"steps": [{"id": "a", "input": 1}] * 2}, "ids occur more than once: step 'a'"),
    ],
)
def test_what_contradicts_itself_is_refused(more, message):
    with pytest.raises(ValidationError, match=message):
        case_of(**more)


def test_an_input_of_null_is_an_input():
    assert case_of(steps=[{"id": "a", "input": None}]).steps[0].input is None
