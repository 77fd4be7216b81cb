from __future__ import annotations

import pytest

from flowjury.check import Outcome, Scope
from flowjury.checks.evaluator import evaluator_digest
from flowjury.evidence import Evidence

CHECK = {"kind": "evaluator", "use": "quality.tone:polite", "with": {"strict": True}}
CODE = {"quality.tone:polite": "1" * 64}


def scope(seen, **fields):
    return Scope(Evidence(seen), evaluators=CODE, **fields)


@pytest.mark.parametrize(
    ("outcome", "verdict", "denied", "message"),
    [
        (Outcome(passed=True), "passed", "failed", "quality.tone:polite passed"),
        (
            Outcome(passed=False, evidence={"word": "no"}),
            "failed",
            "passed",
            "quality.tone:polite did not pass",
        ),
        (
            Outcome(passed=None, reason="KeyError"),
            "error",
            "error",
            "quality.tone:polite broke: KeyError",
        ),
    ],
)
def test_an_outcome_that_was_recorded_is_read(check, run, outcome, verdict, denied, message):
    asked = check(CHECK)
    seen = run("a", output=1)
    recorded = scope(seen, outcomes={evaluator_digest(asked, scope(seen)): outcome})
    finding = asked.weigh(recorded)

    assert (finding.verdict, finding.message) == (verdict, message)
    assert asked.weigh(recorded, "fails").verdict == denied


def test_what_was_not_evaluated_is_unknown(weigh, run):
    finding = weigh(CHECK, run())

    assert (finding.verdict, finding.message) == (
        "unknown",
        "quality.tone:polite was not evaluated yet (run, or refresh --evaluate)",
    )


def test_times_do_not_change_the_digest(check, run):
    early = run([{"node": "a", "start_ns": 1, "end_ns": 2}])
    late = run([{"node": "a", "start_ns": 5, "end_ns": 9}])
    digests = {evaluator_digest(check(CHECK), scope(seen)) for seen in (early, late)}

    assert len(digests) == 1


def test_code_parameters_evidence_history_and_cases_change_the_digest(check, run):
    asked, seen = check(CHECK), run("a")
    digests = {
        evaluator_digest(asked, scope(seen)),
        evaluator_digest(asked, Scope(Evidence(seen), evaluators={})),
        evaluator_digest(check({**CHECK, "with": {}}), scope(seen)),
        evaluator_digest(asked, scope(run("b"))),
        evaluator_digest(asked, scope(seen, history=(Evidence(seen),))),
        evaluator_digest(asked, scope(seen, cases=[])),
    }

    assert len(digests) == 6


@pytest.mark.parametrize("use", ["polite", "a.b", "a:b:c", "../a:b", "a-b:c", ""])
def test_an_evaluator_is_named_by_module_and_function(fault, use):
    assert fault({"kind": "evaluator", "use": use})
