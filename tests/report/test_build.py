from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.check import Outcome
from flowjury.checks.evaluator import evaluator_digest
from flowjury.formats import json
from flowjury.formats._text import outcome
from flowjury.verdict import Status


def built_of(desk, *outputs, **more):
    cases = [{"id": f"c{n}", "checks": [desk.yes]} for n in range(len(outputs))]
    records = [desk.trial(f"c{n}", 1, output) for n, output in enumerate(outputs) if output]
    return desk.build(desk.suite(*cases), records, **more)


@pytest.mark.parametrize(
    ("outputs", "status", "code"),
    [
        (["yes"], "passed", 0),
        (["yes", "no"], "failed", 1),
        (["yes", "unknown"], "unknown", 3),
        (["yes", ""], "unknown", 3),
        (["no", "unknown"], "failed", 1),
        (["no", "broken", "unknown"], "error", 4),
    ],
)
def test_the_worst_case_decides_the_exit(desk, outputs, status, code):
    report = built_of(desk, *outputs).report

    assert (report.status, report.exit) == (status, code)


def test_a_case_that_needs_a_judge_leaves_the_run_incomplete(desk):
    suite = desk.suite({"id": "c", "rubric": desk.rubric})
    built = desk.build(suite, [desk.record("c", desk.trace())])

    assert (built.report.status, built.report.exit) == (Status.NEEDS_JUDGE, 3)
    assert built.open == built.requests


def test_cases_that_were_not_selected_move_nothing_but_make_it_partial(desk):
    report = built_of(desk, "yes", "", run=desk.run(selected=("c0",))).report

    assert (report.exit, report.partial, report.totals) == (0, True, {"passed": 1, "not-run": 1})


def test_fixtures_that_answered_nothing_are_noted_once_and_move_nothing(desk):
    trace = desk.trace(unused=["1 of 2 of 'a'"])
    records = [desk.record("c", trace, trial=number) for number in (1, 2)]
    suite = desk.suite({"id": "c", "checks": [desk.yes], "trials": {"n": 2}})
    report = desk.build(suite, records).report

    assert report.exit == 0
    assert report.notes == ("fixtures of case 'c' that answered nothing: 1 of 2 of 'a'",)


def test_skipped_cases_move_nothing(desk):
    suite = desk.suite({"id": "c", "checks": [desk.yes]}, {"id": "d", "skip": "later"})

    assert desk.build(suite, [desk.record("c", desk.trace())]).report.exit == 0


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"gates": {"critical": 0}},
        {"checks": [{"kind": "value", "at": "/summary/failed", "op": "equals", "value": 0}]},
    ],
)
def test_a_suite_of_skipped_cases_alone_is_incomplete(desk, more):
    report = desk.build(desk.suite({"id": "c", "skip": "later"}, **more), []).report

    assert (report.status, report.exit) == ("unknown", 3)
    assert "nothing was measured" in outcome(report)


def test_warnings_and_remarks_are_counted(desk):
    checks = [
        desk.yes,
        desk.yes | {"value": "no", "enforcement": "warn"},
        {"kind": "value", "at": "/messages", "op": "exists", "enforcement": "warn"},
        desk.yes | {"value": "no", "enforcement": "report"},
        desk.yes | {"enforcement": "report"},
    ]
    suite = desk.suite({"id": "c", "checks": checks})
    report = desk.build(suite, [desk.record("c", desk.trace())]).report

    assert (report.status, report.warnings, report.noted) == ("passed", 2, 1)


def test_what_was_spent_is_added_up_exactly(desk):
    suite = desk.suite(
        *({"id": name, "checks": [desk.yes]} for name in "abc"),
    )
    usages = [{"cost": 0.1, "coins": 1}, {"cost": 0.2, "coins": 2}, {"cost": 0.3}]
    records = [
        desk.record(name, desk.trace(usage=usage))
        for name, usage in zip("abc", usages, strict=True)
    ]

    assert desk.build(suite, records).report.spent == {"coins": 3, "cost": 0.6}


def test_the_report_says_what_was_run(desk):
    suite = desk.suite({"id": "c", "checks": [desk.yes]}, title="A suite")
    report = desk.build(suite, desk.trials("c", "yes"), run=desk.run(data="live")).report

    shown = report.model_dump(include={"suite", "title", "suite_file", "run", "started", "data"})
    assert shown == {
        "suite": "s",
        "title": "A suite",
        "suite_file": "s.suite.yaml",
        "run": "r1",
        "started": "2026-01-01T00:00:00Z",
        "data": "live",
    }


JUDGES = st.lists(
    st.tuples(st.sampled_from(["ann", "bob"]), st.sampled_from(["met", "not-met", "cannot-tell"])),
    max_size=4,
)


@given(said=JUDGES, data=st.data())
def test_the_order_of_judgements_does_not_matter(desk, said, data):
    suite = desk.suite({"id": "c", "rubric": desk.rubric})
    records = [desk.record("c", desk.trace())]
    [request] = desk.build(suite, records).requests
    judged = [desk.judgement(request, verdict, name) for name, verdict in said]
    shuffled = data.draw(st.permutations(judged))
    one, other = (desk.build(suite, records, judged=some).report for some in (judged, shuffled))

    assert one == other


@given(st.lists(st.sampled_from(["yes", "no", "unknown", "broken", ""]), min_size=1, max_size=4))
def test_the_same_inputs_make_the_same_bytes(desk, outputs):
    first, second = (built_of(desk, *outputs).report for _ in range(2))

    assert json.render(first) == json.render(second)


@given(st.lists(st.sampled_from(["yes", "no", "unknown", "broken", ""]), min_size=1, max_size=4))
def test_only_what_was_measured_and_holds_is_green(desk, outputs):
    report = built_of(desk, *outputs).report

    assert (report.exit == 0) == (set(outputs) == {"yes"})


def test_equal_evidence_is_one_request_per_case(desk):
    cases = [{"id": name, "rubric": desk.rubric, "trials": {"n": 2}} for name in "ab"]
    records = [desk.record(name, desk.trace(), trial=n) for name in "ab" for n in (1, 2)]
    built = desk.build(desk.suite(*cases), records)

    assert [request.case for request in built.requests] == ["a", "b"]
    assert len({request.digest for request in built.requests}) == 1


def test_an_evaluator_of_the_suite_is_read_from_its_recorded_outcome(desk):
    check = {"kind": "evaluator", "use": "m:f"}
    suite = desk.suite({"id": "c", "checks": [desk.yes]}, checks=[check])
    records = desk.trials("c", "yes")
    before = desk.build(suite, records)
    digest = evaluator_digest(suite.checks[0], before.scope)

    after = desk.build(suite, records, outcomes={digest: Outcome(passed=True)})

    assert [b.report.exit for b in (before, after)] == [3, 0]
