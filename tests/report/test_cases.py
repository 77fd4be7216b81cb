from __future__ import annotations

import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.record import Stimulus
from flowjury.report.basis import Basis
from flowjury.report.cases import weigh
from flowjury.report.rates import needed
from flowjury.verdict import Status

TRIED = {"yes": "passed", "no": "failed", "unknown": "unknown", "broken": "error"}


@pytest.mark.parametrize(
    ("plan", "outputs", "status", "shown"),
    [
        ({"n": 1}, ["yes"], "passed", (1, 1, 1)),
        ({"n": 3}, ["yes", "yes", "yes"], "passed", (3, 3, 3)),
        ({"n": 3}, ["yes", "no", "yes"], "failed", (2, 3, 3)),
        ({"n": 5, "pass": "4/5"}, ["yes"] * 4 + ["no"], "passed", (4, 4, 5)),
        ({"n": 5, "pass": "4/5"}, ["yes"] * 4 + ["unknown"], "passed", (4, 4, 5)),
        ({"n": 5, "pass": "4/5"}, ["yes"] * 4, "passed", (4, 4, 5)),
        ({"n": 5, "pass": "4/5"}, ["no", "no", "yes", "unknown", "unknown"], "failed", (1, 4, 5)),
        ({"n": 5, "pass": "4/5"}, ["no", "no"], "failed", (0, 4, 5)),
        ({"n": 5, "pass": "4/5"}, ["yes", "unknown"], "unknown", (1, 4, 5)),
        ({"n": 5, "pass": "4/5"}, ["yes", "no"], "not-run", (1, 4, 5)),
        ({"n": 3, "pass": "1/2"}, ["yes", "no", "unknown"], "unknown", (1, 2, 3)),
        ({"n": 5, "pass": "1/5"}, ["yes", "broken"], "error", (1, 1, 5)),
    ],
)
def test_trials_decide_once_the_bound_is_met_or_out_of_reach(desk, plan, outputs, status, shown):
    case = desk.one({"checks": [desk.yes], "trials": plan}, *desk.trials("c", *outputs))

    assert (case.status, (case.passed, case.needed, case.planned)) == (status, shown)


@given(
    outputs=st.lists(st.sampled_from([*TRIED]), min_size=1, max_size=6),
    rate=st.sampled_from(["1", "4/5", "1/2", "1/6"]),
    data=st.data(),
)
def test_a_case_decides_the_same_whatever_is_open_once_its_bound_is_met(desk, outputs, rate, data):
    plan = {"n": len(outputs), "pass": rate}
    ran = data.draw(st.integers(1, len(outputs)))
    case = {"checks": [desk.yes], "trials": plan}
    early = desk.one(case, *desk.trials("c", *outputs[:ran])).status
    late = desk.one(case, *desk.trials("c", *outputs)).status

    if early in {Status.PASSED, Status.FAILED}:
        assert late in {early, Status.ERROR}
    if late is Status.PASSED:
        assert outputs.count("yes") >= needed(rate, len(outputs))


@given(st.permutations(["yes", "no", "unknown", "yes"]))
def test_the_order_of_trials_does_not_matter(desk, outputs):
    case = {"checks": [desk.yes], "trials": {"n": 4, "pass": "3/4"}}

    assert desk.one(case, *desk.trials("c", *outputs)).status is Status.UNKNOWN


def test_a_case_replayed_wholly_from_fixtures_decides_alone(desk):
    case = {"checks": [desk.yes], "trials": {"n": 5, "pass": "4/5"}}
    report = desk.one(case, desk.record("c", desk.trace(), replayed=True))

    assert (report.status, report.passed, report.needed, report.planned) == ("passed", 1, 1, 1)


def test_trials_of_the_suite_count_where_a_case_has_none(desk):
    suite = desk.suite({"id": "c", "checks": [desk.yes]}, trials={"n": 2})

    assert desk.build(suite, desk.trials("c", "yes")).report.cases[0].planned == 2


def test_trials_that_are_missing_are_told(desk):
    report = desk.one({"checks": [desk.yes], "trials": {"n": 3}}, *desk.trials("c", "yes"))

    assert (report.status, report.reason) == ("not-run", "only 1 of its trials ran")


def test_a_skipped_case_says_why_and_its_records_do_not_count(desk):
    report = desk.one(
        {"skip": "no telephone", "checks": [desk.yes]}, desk.record("c", desk.trace("no"))
    )

    assert (report.status, report.reason, report.trials) == ("skipped", "no telephone", ())


@pytest.mark.parametrize(
    ("run", "reason", "selected"),
    [
        ({}, "not recorded in this run", True),
        ({"finished": False}, "the run did not come to its end", True),
        ({"selected": ("d",)}, "not selected", False),
        ({"selected": ("c",), "finished": False}, "the run did not come to its end", True),
    ],
)
def test_a_case_without_records_was_not_run_and_says_why(desk, run, reason, selected):
    report = desk.one({"checks": [desk.yes]}, run=desk.run(**run))

    assert (report.status, report.reason, report.selected) == ("not-run", reason, selected)


def test_a_case_whose_stimulus_changed_was_not_run_and_says_what_changed(desk):
    then = Stimulus(parts={"input": "1", "target": "2"}, sources={"a.py": "x", "b.py": "y"})
    now = Stimulus(parts={"input": "1", "fixtures": "3"}, sources={"a.py": "z", "b.py": "y"})
    record = desk.record("c", desk.trace(), stimulus=then)
    report = desk.one({"checks": [desk.yes]}, record, now={"c": now})

    assert report.status is Status.NOT_RUN
    assert report.reason == "stimulus changed: a.py, fixtures, target"


def test_only_trials_of_the_stimulus_of_today_count(desk):
    old = desk.record("c", desk.trace("no"), stimulus=Stimulus(parts={"input": "0"}))
    new = desk.record("c", desk.trace(), trial=2)
    case = {"checks": [desk.yes], "trials": {"n": 2}}
    report = desk.one(case, old, new, now={"c": new.stimulus})

    assert [trial.number for trial in report.trials] == [2]
    assert (report.status, report.reason) == ("not-run", "stimulus changed: input")


def test_records_are_joined_to_cases_that_were_moved_added_and_removed(desk):
    suite = desk.suite(*({"id": name, "checks": [desk.yes]} for name in ["b", "new", "a"]))
    records = [desk.record(name, desk.trace()) for name in ["a", "gone", "b"]]

    cases = desk.build(suite, records).report.cases

    assert [(case.id, case.status.value) for case in cases] == [
        ("b", "passed"),
        ("new", "not-run"),
        ("a", "passed"),
    ]


def test_records_are_let_go_whatever_the_order_in_which_they_come(desk):
    suite = desk.suite(*({"id": name, "checks": [desk.yes]} for name in "abcd"))
    refs, held = [], []

    def read():
        for name in "cdab":
            held.append(sum(ref() is not None for ref in refs))
            record = desk.record(name, desk.trace())
            refs.append(weakref.ref(record))
            yield record
            del record

    cases = [case.report.id for case in weigh(Basis(suite=suite, run=desk.run()), read())]

    assert cases == ["a", "b", "c", "d"]
    assert max(held) == 1, "only the one before"
