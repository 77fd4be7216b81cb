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
def test_an_outcome_that_was_recorded_is_read(lab, outcome, verdict, denied, message):
    asked = lab.check(CHECK)
    seen = lab.run("a", output=1)
    recorded = scope(seen, outcomes={evaluator_digest(asked, scope(seen)): outcome})
    finding = asked.weigh(recorded)

    assert (finding.verdict, finding.message) == (verdict, message)
    assert asked.weigh(recorded, "fails").verdict == denied


def test_what_was_not_evaluated_is_unknown(lab):
    finding = lab.check(CHECK).weigh(scope(lab.run()))

    assert (finding.verdict, finding.message) == (
        "unknown",
        "quality.tone:polite was not evaluated yet (run, or refresh --evaluate)",
    )


def test_no_outcome_counts_whose_code_is_not_known(lab):
    asked, seen = lab.check(CHECK), lab.run("a")
    traceless = Scope(Evidence(seen))
    digest = evaluator_digest(asked, traceless)
    finding = asked.weigh(Scope(Evidence(seen), outcomes={digest: Outcome(passed=True)}))

    assert (finding.verdict, finding.message) == (
        "unknown",
        (
            "quality.tone:polite is in no file and of no version, so no answer can be told from "
            "one of other code; put it in a module beside the suite"
        ),
    )


def test_times_do_not_change_the_digest(lab):
    early = lab.run([{"node": "a", "start_ns": 1, "end_ns": 2}])
    late = lab.run([{"node": "a", "start_ns": 5, "end_ns": 9}])
    digests = {evaluator_digest(lab.check(CHECK), scope(seen)) for seen in (early, late)}

    assert len(digests) == 1


def test_code_parameters_evidence_history_and_cases_change_the_digest(lab):
    asked, seen = lab.check(CHECK), lab.run("a")
    digests = {
        evaluator_digest(asked, scope(seen)),
        evaluator_digest(asked, Scope(Evidence(seen), evaluators={})),
        evaluator_digest(lab.check({**CHECK, "with": {}}), scope(seen)),
        evaluator_digest(asked, scope(lab.run("b"))),
        evaluator_digest(asked, scope(seen, history=(Evidence(seen),))),
        evaluator_digest(asked, scope(seen, cases=[])),
    }

    assert len(digests) == 6


@pytest.mark.parametrize("use", ["polite", "a.b", "a:b:c", "../a:b", "a-b:c", ""])
def test_an_evaluator_is_named_by_module_and_function(lab, use):
    assert lab.fault({"kind": "evaluator", "use": use})
