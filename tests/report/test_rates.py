from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from flowjury.case import Trials
from flowjury.report.rates import needed, standing


@given(st.integers(0, 50), st.integers(1, 50), st.integers(1, 100))
def test_what_is_needed_is_the_least_that_reaches_the_rate(above, below, planned):
    rate = f"{min(above, below)}/{below}"
    least = needed(rate, planned)

    assert Fraction(least, planned) >= Fraction(rate)
    assert least == 0 or Fraction(least - 1, planned) < Fraction(rate)


def test_rates_are_exact():
    assert needed("1/3", 3) == 1
    assert needed("7/10", 10) == 7
    assert needed("2/3", 10**15) == 666666666666667


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_bound_stands_whatever_comes_of_what_is_open(passed, undecided, bound, come):
    now = standing(passed=passed, undecided=undecided, needed=bound)
    later = standing(passed=passed + min(come, undecided), undecided=0, needed=bound)

    assert now in {later, "open"}


@pytest.mark.parametrize("rate", ["1", "1/20", "4/5", "19/20", 1])
def test_an_exact_fraction_over_0_and_up_to_1_is_a_rate(rate):
    assert Trials.model_validate({"n": 1, "pass": rate}).pass_ == str(rate)


@pytest.mark.parametrize(
    "rate", [0, "0", "0/3", 0.8, "0.8", "80%", "5/4", "1/0", "-1/2", 2, True, None, "", "½"]
)
def test_anything_else_is_refused_with_an_example(rate):
    with pytest.raises(ValidationError, match=r"not an exact fraction over 0 and up to 1; .*4/5"):
        Trials.model_validate({"n": 1, "pass": rate})


def gates(desk, outputs, of, *, suite_wide=(), skip=(), **more):
    warn = desk.yes | {"enforcement": "warn", "critical": True}
    cases = [
        {"id": f"c{n}", "checks": [{**desk.yes, "critical": True}, warn]}
        for n in range(len(outputs))
    ]
    cases += [{"id": name, "skip": "later"} for name in skip]
    suite = desk.suite(*cases, gates=of, checks=list(suite_wide))
    records = [desk.trial(f"c{n}", 1, output) for n, output in enumerate(outputs) if output]
    return desk.build(suite, records, **more).report


@pytest.mark.parametrize(
    ("of", "outputs", "shown"),
    [
        ({"pass_rate": "1/2"}, ["yes", "no"], ("passed", "1 of 2 trials passed, 0 open", 0)),
        ({"pass_rate": "1"}, ["yes", "no"], ("failed", "1 of 2 trials passed, 0 open", 1)),
        ({"pass_rate": "1"}, ["yes", ""], ("open", "1 of 2 trials passed, 1 open", 3)),
        ({"pass_rate": "1/2"}, ["yes", ""], ("passed", "1 of 2 trials passed, 1 open", 0)),
        ({"pass_rate": "1"}, ["yes", "unknown"], ("open", "1 of 2 trials passed, 1 open", 3)),
        ({"case_pass_rate": "1/2"}, ["yes", "no"], ("passed", "1 of 2 cases passed, 0 open", 0)),
        ({"case_pass_rate": 1}, ["no", ""], ("failed", "0 of 2 cases passed, 1 open", 1)),
        ({"critical": 0}, ["yes", "yes"], ("passed", "0 failed, 0 open", 0)),
        ({"critical": 1}, ["no", "yes"], ("failed", "2 failed, 0 open", 1)),
        ({"critical": 2}, ["no", "yes"], ("passed", "2 failed, 0 open", 0)),
        ({"critical": 1}, ["yes", ""], ("open", "0 failed, 2 open, 1 trial not weighed", 3)),
        ({"critical": 2}, ["yes", ""], ("open", "0 failed, 2 open, 1 trial not weighed", 3)),
        ({"critical": 1}, ["no", ""], ("failed", "2 failed, 2 open", 1)),
        ({"critical": 2}, ["yes", "unknown"], ("passed", "0 failed, 2 open", 0)),
        ({"warnings": 9}, [""], ("open", "0 failed, 1 open, 1 trial not weighed", 3)),
        ({"critical": 0}, ["unknown"], ("open", "0 failed, 2 open", 3)),
        ({"warnings": 0}, ["no"], ("failed", "1 failed, 0 open", 1)),
        ({"warnings": 1}, ["no", "yes"], ("passed", "1 failed, 0 open", 0)),
        ({"warnings": 0}, ["unknown"], ("open", "0 failed, 1 open", 3)),
    ],
)
def test_gates_decide_the_exit(desk, of, outputs, shown):
    report = gates(desk, outputs, of=of)
    [gate] = report.gates

    assert (gate.status, gate.message, report.exit) == shown
    assert (gate.name, gate.bound) == (next(iter(of)), str(next(iter(of.values()))))


@pytest.mark.parametrize("of", [{"critical": 0}, {"warnings": 0}])
def test_a_gate_for_which_nothing_was_weighed_is_open(desk, of):
    suite = desk.suite({"id": "c", "checks": [desk.yes]}, gates=of)
    [gate] = desk.build(suite, desk.trials("c", "yes")).report.gates

    assert (gate.status, gate.message) == (
        "open",
        "0 failed, 0 open: no check that counts for it was weighed",
    )


def test_a_budget_that_would_warn_was_weighed_where_it_need_not(desk):
    budget = {"kind": "budget", "unit": "x", "max": 1, "on_missing": "warn"}
    suite = desk.suite({"id": "c", "checks": [desk.yes, budget]}, gates={"warnings": 0})
    trace = desk.trace(usage={"x": 1}, complete={"usage": True})
    [gate] = desk.build(suite, [desk.record("c", trace)]).report.gates

    assert (gate.status, gate.message) == ("passed", "0 failed, 0 open")


def test_an_error_is_an_error_all_the_same(desk):
    report = gates(desk, ["yes", "broken"], of={"pass_rate": "1/2"})

    assert (report.gates[0].status, report.status, report.exit) == ("passed", "error", 4)


def test_the_worst_gate_decides(desk):
    report = gates(desk, ["yes", "no"], of={"pass_rate": "1/2", "critical": 0, "warnings": 5})

    assert [gate.status for gate in report.gates] == ["passed", "failed", "passed"]
    assert report.exit == 1


def test_skipped_and_unselected_cases_are_no_part_of_a_rate(desk):
    run = desk.run(selected=("c0",))
    report = gates(desk, ["yes", ""], of={"case_pass_rate": 1}, run=run, skip=["s"])

    assert report.gates[0].message == "1 of 1 cases passed, 0 open"
    assert report.exit == 0


def test_a_rate_of_nothing_is_open(desk):
    suite = desk.suite({"id": "s", "skip": "later"}, gates={"pass_rate": "1/2"})
    report = desk.build(suite, []).report

    assert (report.gates[0].message, report.exit) == ("no trials were run", 3)


def test_checks_of_the_whole_suite_count_for_gates(desk):
    check = {"kind": "value", "at": "/summary/failed", "op": "lte", "value": 0}
    check |= {"critical": True, "enforcement": "warn"}
    report = gates(desk, ["no"], of={"critical": 2, "warnings": 1}, suite_wide=[check])

    assert [gate.message for gate in report.gates] == ["3 failed, 0 open", "2 failed, 0 open"]


@given(
    outputs=st.lists(st.sampled_from(["yes", "no", "unknown", ""]), min_size=1, max_size=5),
    of=st.sampled_from(
        [{"pass_rate": "1/2"}, {"case_pass_rate": "4/5"}, {"critical": 1}, {"warnings": 1}]
    ),
    data=st.data(),
)
def test_a_gate_decides_the_same_whatever_comes_of_what_is_open(desk, outputs, of, data):
    settled = [
        output if output in {"yes", "no"} else data.draw(st.sampled_from(["yes", "no"]))
        for output in outputs
    ]
    [now] = gates(desk, outputs, of=of).gates
    [later] = gates(desk, settled, of=of).gates

    assert now.status in {later.status, "open"}
