from __future__ import annotations

import pytest

from flowjury.report.model import CaseReport
from flowjury.report.summary import SuiteEvidence, counted
from flowjury.verdict import Status


def summed(at: str, op: str, value: object) -> dict:
    return {"kind": "value", "at": at, "op": op, "value": value}


def found(desk, check, *outputs, **more):
    cases = [{"id": f"c{n}", "checks": [desk.yes]} for n in range(len(outputs))]
    records = [desk.trial(f"c{n}", 1, output) for n, output in enumerate(outputs) if output]
    report = desk.build(desk.suite(*cases, checks=[check]), records, **more).report
    return report.findings[0].verdict.value, report.exit


def test_the_document_counts_the_cases():
    cases = [
        CaseReport(id="a", status=Status.PASSED, passed=1, tags=("x",)),
        CaseReport(id="b", status=Status.NOT_RUN, reason="not selected"),
        CaseReport(id="c", status=Status.NEEDS_JUDGE),
    ]

    assert SuiteEvidence(cases).document == {
        "summary": {
            "status": "needs-judge",
            "cases": 3,
            "open": 1,
            "passed": 1,
            "needs-judge": 1,
            "unknown": 0,
            "failed": 0,
            "error": 0,
            "skipped": 0,
            "not-run": 1,
        },
        "cases": [
            {
                "id": "a",
                "tags": ["x"],
                "status": "passed",
                "passed": 1,
                "needed": 1,
                "planned": 1,
            },
            {"id": "b", "tags": [], "status": "not-run", "passed": 0, "needed": 1, "planned": 1},
            {
                "id": "c",
                "tags": [],
                "status": "needs-judge",
                "passed": 0,
                "needed": 1,
                "planned": 1,
            },
        ],
    }


def test_a_skipped_case_moves_nothing_and_one_that_did_not_run_leaves_all_open():
    assert counted(
        [
            CaseReport(id="a", status=Status.SKIPPED, reason="later"),
            CaseReport(id="b", status=Status.NOT_RUN, reason="the run did not come to its end"),
            CaseReport(id="c", status=Status.NOT_RUN, reason="not selected"),
            CaseReport(id="d", status=Status.FAILED),
        ]
    ) == ["unknown", "failed"]


@pytest.mark.parametrize(
    ("check", "outputs", "verdict", "code"),
    [
        (("/summary/passed", "gte", 2), ["yes", "yes"], "passed", 0),
        (("/summary/passed", "gte", 2), ["yes", "no"], "failed", 1),
        (("/summary/passed", "gte", 2), ["yes", "unknown"], "unknown", 3),
        (("/summary/passed", "gte", 1), ["yes", "unknown"], "passed", 3),
        (("/summary/failed", "lte", 0), ["yes", "yes"], "passed", 0),
        (("/summary/failed", "lte", 0), ["yes", ""], "unknown", 3),
        (("/summary/failed", "lte", 0), ["no", "unknown"], "failed", 1),
        (("/summary/status", "equals", "passed"), ["yes"], "passed", 0),
        (("/summary/status", "equals", "passed"), ["no"], "failed", 1),
        (("/summary/status", "equals", "passed"), ["unknown"], "unknown", 3),
        (("/summary/status", "equals", "passed"), ["unknown", "no"], "failed", 1),
        (("/summary/open", "equals", 0), ["unknown"], "failed", 1),
        (("/cases/0/status", "equals", "passed"), ["yes", "unknown"], "passed", 3),
        (("/cases/0/status", "equals", "passed"), ["unknown"], "unknown", 3),
        (("/summary", "matches", {"failed": 0}), ["yes"], "passed", 0),
        (("/summary", "matches", {"failed": 0}), ["yes", "unknown"], "unknown", 3),
        (("/summary", "matches", {"failed": 1}), ["no", ""], "unknown", 1),
        (("/cases", "not_contains", {"status": "failed"}), ["yes", ""], "unknown", 3),
        (("/cases/1", "matches", {"status": "not-run"}), ["yes", ""], "unknown", 3),
        (("", "has_keys", ["cases"]), ["unknown"], "unknown", 3),
        (("/summary/pased", "absent", None), ["yes"], "unknown", 3),
        (("/summary/pased", "not_equals", 1), ["yes"], "unknown", 3),
    ],
)
def test_a_check_of_the_suite_sees_all_cases(desk, check, outputs, verdict, code):
    made = summed(*check)
    if check[1] == "absent":
        del made["value"]

    assert found(desk, made, *outputs) == (verdict, code)


def test_a_check_of_the_suite_sees_what_was_cancelled(desk):
    run = desk.run(finished=False)
    check = summed("/summary/status", "equals", "passed")

    assert found(desk, check, "yes", "", run=run) == ("unknown", 3)


def test_a_check_of_the_suite_never_rewrites_a_case(desk):
    suite = desk.suite(
        {"id": "c", "checks": [desk.yes]}, checks=[summed("/summary/passed", "equals", 9)]
    )
    report = desk.build(suite, desk.trials("c", "yes")).report

    assert (report.cases[0].status, report.status, report.exit) == ("passed", "failed", 1)
    assert report.totals == {"passed": 1}


def test_a_check_of_the_suite_that_only_warns_moves_nothing(desk):
    check = {**summed("/summary/passed", "equals", 9), "enforcement": "warn"}
    suite = desk.suite({"id": "c", "checks": [desk.yes]}, checks=[check])
    report = desk.build(suite, desk.trials("c", "yes")).report

    assert (report.exit, report.warnings) == (0, 1)
