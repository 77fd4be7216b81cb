"""Why a case could not be observed to its end, and when the exit of a program is its end."""

from __future__ import annotations

import pytest

from flowjury.record import CaseFault
from flowjury.report.faults import fault_of
from flowjury.trace import Trace

LEFT = "the program exited with code 3 without an answer"
EXIT = {"kind": "exit", "code": 3}
HINT = "(assert `exit`, `files` or `effects` if that is right)"


def test_a_turn_that_broke_names_itself_in_the_fault(desk):
    [case] = desk.suite(
        {"id": "c", "steps": [{"id": "a", "input": 1}, {"id": "b", "input": 2}]}
    ).cases
    record = desk.record("c", desk.talk(a=desk.trace(), b=Trace(status="timeout")))

    assert fault_of(case, record).step == "b"


@pytest.mark.parametrize(
    "checks",
    [
        [EXIT],
        [{"kind": "any", "checks": [EXIT, {"kind": "files", "exist": ["a"]}]}],
        [{"kind": "effects", "writes_within": ["*"]}],
    ],
)
def test_the_exit_of_a_program_is_its_end_where_what_it_leaves_is_asserted(desk, checks):
    [case] = desk.suite({"id": "c", "checks": checks}).cases
    record = desk.record("c", Trace(status="finished", exit_code=3, exited=LEFT))

    assert fault_of(case, record) is None


@pytest.mark.parametrize(
    "checks", [[], [{**EXIT, "enforcement": "warn"}], [{**EXIT, "enforcement": "report"}]]
)
def test_else_it_is_a_crash_that_says_what_to_assert(desk, checks):
    [case] = desk.suite({"id": "c", "checks": checks}).cases
    record = desk.record("c", Trace(status="finished", exit_code=3, exited=LEFT))

    assert fault_of(case, record) == CaseFault(kind="crash", message=f"{LEFT} {HINT}")


def test_a_program_that_exits_with_0_and_no_answer_is_at_fault_but_has_not_crashed(desk):
    [case] = desk.suite({"id": "c"}).cases
    record = desk.record("c", Trace(status="finished", exit_code=0, exited="it printed nothing"))

    assert fault_of(case, record).kind == "target"


def test_each_turn_asserts_its_own_exit(desk):
    steps = [{"id": "a", "input": 1, "checks": [EXIT]}, {"id": "b", "input": 2}]
    [case] = desk.suite({"id": "c", "steps": steps, "checks": [EXIT]}).cases
    left = Trace(status="finished", exit_code=3, exited=LEFT)
    record = desk.record("c", desk.talk(a=left, b=left))

    assert fault_of(case, record) == CaseFault(
        kind="crash", message=f"{LEFT} {HINT.replace('` if', '` of this turn if')}", step="b"
    )
