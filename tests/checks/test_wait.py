from __future__ import annotations

import pytest

GRAPH = {"a": {}, "ask": {"waits": "approval"}}
RESUMED = [
    {"node": "a"},
    {"node": "ask", "visit": "one", "status": "interrupted"},
    {"node": "ask", "visit": "one", "attempt": 2, "status": "interrupted", "outcome": "feedback"},
    {"node": "ask", "visit": "one", "attempt": 3, "outcome": "approve"},
]
FAILING = [
    {"node": "ask", "visit": "one", "status": "error"},
    {"node": "ask", "visit": "one", "attempt": 2, "status": "error"},
]


def wait(**fields):
    return {"kind": "wait", "wait": "approval", **fields}


@pytest.mark.parametrize(
    ("check", "verdict", "message"),
    [
        (wait(suspensions=2), "passed", "suspensions of approval: 2; exactly 2 holds"),
        (
            wait(resumptions={"max": 1}),
            "failed",
            "resumptions of approval: 2; at most 1 does not hold",
        ),
        (
            wait(actions=["feedback", "approve"]),
            "passed",
            "done at approval: feedback, approve",
        ),
        (wait(actions=["approve"]), "failed", "done at approval: feedback, approve"),
        (wait(pending=False), "passed", "the run ended as finished, not suspended at approval"),
        (wait(pending=True), "failed", "the run ended as finished, not suspended at approval"),
        (wait(wait="ask", suspensions=2), "passed", "suspensions of ask: 2; exactly 2 holds"),
        (wait(retries=0), "passed", "retries of approval: 0; exactly 0 holds"),
        (
            wait(exhausted=False),
            "passed",
            "approval did not fail for good after it had been tried again",
        ),
    ],
)
def test_a_wait_is_weighed_by_its_attempts(lab, check, verdict, message):
    finding = lab.weigh(check, lab.run(RESUMED), lab.names("a -> ask", nodes=GRAPH))

    assert (finding.verdict, finding.message) == (verdict, message)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [(wait(retries=1), "passed"), (wait(exhausted=True), "passed"), (wait(retries=0), "failed")],
)
def test_a_wait_that_fails_is_tried_again(lab, check, verdict):
    assert lab.weigh(check, lab.run(FAILING), lab.names("a -> ask", nodes=GRAPH)).verdict == verdict


@pytest.mark.parametrize(
    ("fields", "pending", "verdict", "message"),
    [
        (
            {"status": "wait", "wait": "approval"},
            True,
            "passed",
            "the run is suspended at approval",
        ),
        (
            {"status": "wait", "wait": "approval"},
            False,
            "failed",
            "the run is suspended at approval",
        ),
        (
            {"status": "wait", "wait": "other"},
            False,
            "passed",
            "the run is suspended at other, not at approval",
        ),
        (
            {"status": "wait"},
            False,
            "unknown",
            "where the run is suspended was not recorded",
        ),
    ],
)
def test_a_wait_is_pending_where_the_run_is_suspended(lab, fields, pending, verdict, message):
    known = lab.names("a -> ask", nodes=GRAPH)
    finding = lab.weigh(wait(pending=pending), lab.run("a", **fields), known)

    assert (finding.verdict, finding.message) == (verdict, message)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (wait(suspensions=2), "unknown"),
        (wait(suspensions=1), "failed"),
        (wait(resumptions={"min": 2}), "passed"),
        (wait(actions=["feedback", "approve"]), "unknown"),
        (wait(actions=["feedback", "reject", "approve"]), "unknown"),
        (wait(actions=["approve"]), "failed"),
        (wait(exhausted=False), "unknown"),
    ],
)
def test_of_an_incomplete_wait_only_what_was_seen_counts(lab, check, verdict):
    known = lab.names("a -> ask", nodes=GRAPH)

    assert lab.weigh(check, lab.run(RESUMED, complete={}), known).verdict == verdict


def test_an_action_that_was_not_recorded_is_unknown(lab):
    seen = lab.run([{**each, "outcome": None} for each in RESUMED])
    finding = lab.weigh(wait(actions=["approve"]), seen, lab.names("a -> ask", nodes=GRAPH))

    assert (finding.verdict, finding.message) == (
        "unknown",
        "done at approval: not recorded, not recorded",
    )


def test_the_actions_of_nodes_that_go_on_by_themselves_are_those_of_their_resumptions(lab):
    seen = lab.run(
        [
            {"node": "ask", "visit": "one", "status": "interrupted"},
            {"node": "ask", "visit": "two", "status": "interrupted"},
            {"node": "ask", "visit": "one", "attempt": 2, "action": "reject", "outcome": "end"},
            {"node": "ask", "visit": "two", "attempt": 2, "status": "interrupted"},
            {"node": "ask", "visit": "two", "attempt": 3, "action": "approve"},
        ]
    )
    names = lab.names("a -> ask", nodes=GRAPH)
    finding = lab.weigh(wait(actions=["reject", "approve"]), seen, names)
    counted = lab.weigh(wait(suspensions=2, resumptions=2), seen, names)

    assert counted.verdict == "passed"
    assert (finding.verdict, finding.message) == ("passed", "done at approval: reject, approve")


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("graph", [None, "a -> ask"])
@pytest.mark.parametrize(
    "part",
    [
        {"suspensions": 0},
        {"actions": []},
        {"actions": ["approve"]},
        {"pending": True},
        {"pending": False},
        {"exhausted": False},
    ],
)
def test_a_misspelt_wait_makes_no_check_pass(lab, negated, graph, part):
    known = lab.names(graph) if graph is None else lab.names(graph, nodes=GRAPH)
    check = wait(wait="aproval", **part)
    asked = {"kind": "not", "check": check} if negated else check

    assert lab.weigh(asked, lab.run(RESUMED), known).verdict in {"failed", "unknown"}


def test_a_wait_that_the_graph_lacks_is_a_flaw(lab):
    asked = lab.check(wait(wait="aproval", pending=True))
    flaws = asked.flaws(lab.names("a -> ask", nodes=GRAPH))

    assert [(flaw.at, flaw.message) for flaw in flaws] == [
        ("/wait", "no wait is named 'aproval'; nearest is 'approval' (known: approval)")
    ]


def test_a_wait_check_asserts_something(lab):
    assert "it asserts nothing: write at least one of suspensions" in lab.fault(wait())
