from __future__ import annotations

import pytest

from flowjury.check import Check, Outcome, Scope
from flowjury.checks.evaluator import evaluator_digest
from flowjury.evidence import Evidence
from flowjury.finding import Finding
from flowjury.report.model import StepReport
from flowjury.report.trial import weighed
from flowjury.trace import Trace
from flowjury.verdict import Status, Verdict

NO = {"kind": "value", "at": "/output", "op": "equals", "value": "no"}
GONE = {"kind": "value", "at": "/messages/0", "op": "exists"}
WRONG = {"kind": "budget", "unit": "coins", "max": 1}


def weaker(check, enforcement):
    return {**check, "enforcement": enforcement}


@pytest.mark.parametrize(
    ("case", "trial", "status", "reason"),
    [
        ("checks: passed", {"checks": ["YES"]}, "passed", None),
        ("checks: failed", {"checks": ["YES", "NO"]}, "failed", None),
        ("checks: unknown", {"checks": ["YES", "GONE"]}, "unknown", None),
        ("failed is worse", {"checks": ["GONE", "NO"]}, "failed", None),
        ("expect alone", {"expect": "finished"}, "passed", None),
        ("nothing", {}, "unknown", "the case asserts nothing"),
        ("only warns", {"checks": [("YES", "warn")]}, "unknown", "the case asserts nothing"),
        ("warn fails", {"checks": ["YES", ("NO", "warn")]}, "passed", None),
        ("report fails", {"checks": ["YES", ("NO", "report")]}, "passed", None),
        ("warn is unknown", {"checks": ["YES", ("GONE", "warn")]}, "passed", None),
    ],
)
def test_a_trial_is_as_bad_as_its_worst_finding_that_counts(desk, case, trial, status, reason):
    names = {"YES": desk.yes, "NO": NO, "GONE": GONE}
    checks = [
        names[each] if isinstance(each, str) else weaker(names[each[0]], each[1])
        for each in trial.get("checks", ())
    ]

    report = desk.one({**trial, "checks": checks}, desk.record("c", desk.trace()))

    assert (report.status.value, report.reason) == (status, reason), case


def test_that_a_case_asserts_nothing_is_no_reason_beside_a_finding_that_counts(desk):
    trace = desk.trace(status="error", error={"type": "KeyError", "message": "x"})
    report = desk.one({}, desk.record("c", trace))

    assert (report.status.value, report.reason) == ("failed", None)


def test_an_error_always_moves_the_status(desk):
    check = {"kind": "evaluator", "use": "m:f", "enforcement": "report"}
    suite = desk.suite({"id": "c", "checks": [desk.yes, check]})
    record = desk.record("c", desk.trace())
    scope = Scope(evidence=Evidence(record.trace), evaluators={"m:f": "1" * 64})
    digest = evaluator_digest(suite.cases[0].checks[1], scope)

    before = desk.build(suite, [record]).report
    after = desk.build(suite, [record], outcomes={digest: Outcome(passed=None, reason="E")}).report

    assert (before.status, before.noted) == (Status.PASSED, 1)
    assert (after.status, after.exit) == (Status.ERROR, 4)


class Broken(Check):
    """A check of a plugin that breaks."""

    def claims(self, _scope: Scope):
        raise KeyError("x")


def test_a_check_that_breaks_is_an_error_that_keeps_its_name():
    scope = Scope(evidence=Evidence(Trace(status="finished")))

    finding = weighed(Broken(kind="broken", id="b", enforcement="warn"), scope)

    assert finding == Finding(
        kind="broken",
        id="b",
        enforcement="warn",
        verdict=Verdict.ERROR,
        message="the check itself broke: KeyError: 'x'",
    )


class Stopping(Broken):
    def claims(self, _scope: Scope):
        raise GeneratorExit("enough")


def test_a_check_that_raises_what_is_no_exception_breaks_no_more_than_itself():
    scope = Scope(evidence=Evidence(Trace(status="finished")))

    finding = weighed(Stopping(kind="broken"), scope)

    assert finding.verdict is Verdict.ERROR
    assert finding.message == "the check itself broke: GeneratorExit: enough"


@pytest.mark.parametrize(
    ("on_missing", "verdict", "enforcement", "status"),
    [
        (None, "unknown", "fail", "unknown"),
        ("fail", "failed", "fail", "failed"),
        ("warn", "unknown", "warn", "passed"),
        ("skip", "unknown", "report", "passed"),
    ],
)
def test_a_budget_says_what_it_means_that_nothing_was_measured(
    desk, on_missing, verdict, enforcement, status
):
    missing = {} if on_missing is None else {"on_missing": on_missing}
    report = desk.one({"checks": [desk.yes, WRONG | missing]}, desk.record("c", desk.trace()))
    budget = report.trials[0].findings[-1]

    assert (budget.verdict, budget.enforcement, report.status) == (verdict, enforcement, status)


def test_a_case_whose_every_check_lost_its_weight_is_unknown(desk):
    report = desk.one({"checks": [WRONG | {"on_missing": "skip"}]}, desk.record("c", desk.trace()))

    assert (report.status, report.reason) == (
        Status.UNKNOWN,
        "nothing that the case asserts was measured",
    )


def test_a_fault_is_an_error_and_nothing_is_weighed(desk):
    record = desk.record("c", desk.trace(), fault=desk.fault(node="x"))
    case = {"checks": [desk.yes], "rubric": desk.rubric}
    [trial] = desk.one(case, record).trials

    assert trial.status is Status.ERROR
    assert trial.reason == "fixture-miss: none for x"
    assert trial.findings == ()
    assert [(r.decision, r.message) for r in trial.rubrics] == [
        ("not-asked", "not asked: the case erred")
    ]


@pytest.mark.parametrize(("status", "kind"), [("timeout", "timeout"), ("crashed", "crash")])
def test_a_trace_that_says_that_it_broke_is_an_error(desk, status, kind):
    record = desk.record("c", Trace(status=status))
    report = desk.one({"checks": [desk.yes], "expect": "error"}, record)

    assert (report.status, report.trials[0].findings) == (Status.ERROR, ())
    assert report.reason == f"{kind}: the trace says {status}: nothing is asserted of what broke"


def steps(desk, **more):
    return {"steps": [{"id": name, "input": name, "checks": [desk.yes]} for name in "abc"], **more}


def test_a_failed_turn_does_not_stop_the_conversation(desk):
    talk = desk.talk(a=desk.trace("no"), b=desk.trace(), c=desk.trace())
    [trial] = desk.one(steps(desk), desk.record("c", talk)).trials

    assert trial.status is Status.FAILED
    assert [(s.id, s.reason, [f.verdict.value for f in s.findings]) for s in trial.steps] == [
        ("a", None, ["passed", "passed", "failed"]),
        ("b", None, ["passed", "passed", "passed"]),
        ("c", None, ["passed", "passed", "passed"]),
    ]


def test_a_broken_turn_stops_the_conversation_and_later_turns_say_why(desk):
    talk = desk.talk(a=desk.trace(), b=Trace(status="error"))
    [trial] = desk.one(steps(desk), desk.record("c", talk, fault=desk.fault(step="b"))).trials

    assert (trial.status, trial.reason) == (Status.ERROR, "fixture-miss in step b: none for x")
    assert len(trial.steps[0].findings) == 3
    assert trial.steps[1:] == (
        StepReport(id="b", reason="it broke"),
        StepReport(id="c", reason="not run: step b broke"),
    )


@pytest.mark.parametrize(
    ("expected", "exit_code", "status"), [("wait", 1, "failed"), ("finished", 4, "error")]
)
def test_a_run_that_does_not_wait_is_judged_by_the_turns_before_it(
    desk, expected, exit_code, status
):
    resume = {"resume": {"wait": "w", "action": "approve"}}
    turns = [
        {"id": "a", "input": 1, "expect": expected},
        {"id": "b", **resume},
        {"id": "c", **resume},
    ]
    message = "the run does not wait (it ended with finished)"
    fault = desk.fault(kind="not-waiting", message=message, step="b")
    record = desk.record("c", desk.talk(a=desk.trace(), b=Trace(status="error")), fault=fault)

    report = desk.build(desk.suite({"id": "c", "steps": turns}), [record]).report
    [trial] = report.cases[0].trials

    assert (report.exit, trial.status) == (exit_code, status)
    assert trial.reason == f"not-waiting in step b: {message}"
    assert trial.steps[1:] == tuple(
        StepReport(id=name, reason=f"not run: {message}") for name in "bc"
    )


def test_a_case_that_broke_before_any_turn_says_so_in_every_turn(desk):
    [trial] = desk.one(steps(desk), desk.record("c", fault=desk.fault())).trials

    assert {step.reason for step in trial.steps} == {"not run: the case broke"}


def test_a_turn_that_the_trace_does_not_have_is_unknown(desk):
    talk = desk.talk(a=desk.trace(), b=desk.trace())
    report = desk.one(steps(desk), desk.record("c", talk))

    assert report.status is Status.UNKNOWN
    assert [f.message for f in report.trials[0].steps[2].findings] == ["step c is not in the trace"]


def test_a_turn_is_judged_by_itself_and_the_case_by_all(desk):
    case = {
        "steps": [{"id": "a", "input": 1, "rubric": desk.rubric}, {"id": "b", "input": 2}],
        "rubric": desk.rubric,
    }
    talk = desk.talk(a=desk.trace("first"), b=desk.trace("last"))
    built = desk.build(desk.suite({"id": "c", **case}), [desk.record("c", talk)])

    assert [(request.step, request.evidence) for request in built.requests] == [
        ("a", {"/output": "first"}),
        (None, {"/output": "yes"}),
    ]


@pytest.mark.parametrize(
    ("verdicts", "status", "decision"),
    [
        ([], "needs-judge", "needs-judge"),
        (["met"], "passed", "passed"),
        (["not-met"], "failed", "failed"),
        (["cannot-tell"], "needs-judge", "needs-judge"),
        (["met", "not-met"], "failed", "failed"),
    ],
)
def test_judges_decide_what_nothing_else_fails(desk, verdicts, status, decision):
    suite = desk.suite({"id": "c", "rubric": desk.rubric})
    records = [desk.record("c", desk.trace())]
    [request] = desk.build(suite, records).requests
    judged = [desk.judgement(request, v, name=f"j{n}") for n, v in enumerate(verdicts)]

    [case] = desk.build(suite, records, judged=judged).report.cases

    assert (case.status, case.trials[0].rubrics[0].decision) == (status, decision)


def test_a_judge_is_asked_of_an_unknown_case_which_stays_unknown(desk):
    case = {"checks": [GONE], "rubric": desk.rubric}
    built = desk.build(desk.suite({"id": "c", **case}), [desk.record("c", desk.trace())])

    assert len(built.requests) == 1
    assert built.report.cases[0].status is Status.UNKNOWN


def test_no_judge_is_asked_of_a_case_that_failed(desk):
    case = {"checks": [NO], "rubric": desk.rubric}
    built = desk.build(desk.suite({"id": "c", **case}), [desk.record("c", desk.trace())])
    [rubric] = built.report.cases[0].trials[0].rubrics

    assert built.requests == ()
    assert (rubric.decision, rubric.message) == ("not-asked", "not asked: the case failed")


def test_a_rubric_over_what_was_not_recorded_is_unknown(desk):
    rubric = {**desk.rubric, "evidence": [{"at": "/messages"}]}
    built = desk.build(desk.suite({"id": "c", "rubric": rubric}), [desk.record("c", desk.trace())])

    assert built.report.cases[0].status is Status.UNKNOWN
    assert built.requests == ()
