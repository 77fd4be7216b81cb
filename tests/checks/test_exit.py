from __future__ import annotations

import pytest

from flowjury.finding import Actual, Finding
from flowjury.verdict import Verdict


def leaves(**fields):
    return {"kind": "exit", **fields}


def test_the_code_with_which_a_program_ended_is_weighed(lab):
    assert lab.weigh(leaves(code=0), lab.run(exit_code=3)) == Finding(
        kind="exit",
        verdict=Verdict.FAILED,
        message="the program exited with code 3",
        expected=0,
        actual=Actual.of(3),
        where="/exit_code",
    )


@pytest.mark.parametrize(
    ("check", "code", "verdict"),
    [
        (leaves(code=3), 3, "passed"),
        (leaves(code=0), 0, "passed"),
        (leaves(one_of=[0, 3]), 3, "passed"),
        (leaves(one_of=[0, 3]), 1, "failed"),
        ({"kind": "not", "check": leaves(code=0)}, 1, "passed"),
        ({"kind": "not", "check": leaves(code=0)}, 0, "failed"),
    ],
)
def test_it_must_be_the_one_or_one_of_those_that_are_allowed(lab, check, code, verdict):
    assert lab.weigh(check, lab.run(exit_code=code)).verdict == verdict


@pytest.mark.parametrize("check", [leaves(code=0), {"kind": "not", "check": leaves(code=0)}])
def test_a_code_that_was_not_recorded_is_unknown(lab, check):
    finding = lab.weigh(check, lab.run())

    assert (finding.verdict, finding.leaves().__next__().message) == (
        "unknown",
        "exit_code was not recorded",
    )


@pytest.mark.parametrize("fields", [{}, {"code": 0, "one_of": [1]}])
def test_either_code_or_one_of_is_written(lab, fields):
    assert "write either `code` or `one_of`" in lab.fault(leaves(**fields))


@pytest.mark.parametrize("fields", [{"one_of": []}, {"code": "0"}, {"code": True}])
def test_codes_are_whole_numbers(lab, fields):
    assert lab.fault(leaves(**fields))
