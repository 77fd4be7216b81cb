from __future__ import annotations

import time

import pytest

from flowjury.check import Scope
from flowjury.checks.path import PathCheck
from flowjury.evidence import Evidence
from flowjury.trace import Execution, Trace

GRAPH = (
    "start -> look_up, look_up -> check_limit, check_limit -under-> refund, "
    "check_limit -over-> escalate, refund -> reply, escalate -> reply"
)
REFUNDED = [
    {"node": "start"},
    {"node": "look_up"},
    {"node": "check_limit", "outcome": "under"},
    {"node": "refund"},
    {"node": "reply"},
]
ESCALATED = [
    {"node": "start"},
    {"node": "look_up"},
    {"node": "check_limit", "outcome": "over"},
    {"node": "escalate"},
    {"node": "reply"},
]


def path(**fields):
    return {"kind": "path", **fields}


@pytest.mark.parametrize(
    ("check", "ran", "verdict", "message"),
    [
        (path(must=["refund"]), REFUNDED, "passed", "refund was visited"),
        (
            path(must=["look_up", "look_up"]),
            "look_up look_up",
            "passed",
            "look_up was visited 2 times; look_up was visited 2 times",
        ),
        (
            path(must=["refund"]),
            ESCALATED,
            "failed",
            (
                "refund was not visited: left at check_limit by outcome `over` to escalate; "
                "refund is reachable only through `under`"
            ),
        ),
        (path(must_not=["refund"]), ESCALATED, "passed", "refund was not visited"),
        (
            path(must_not=["refund"]),
            REFUNDED,
            "failed",
            "refund was visited: reached from check_limit by outcome `under`",
        ),
        (
            path(order=["look_up", "reply"]),
            REFUNDED,
            "passed",
            "reply started after look_up had ended",
        ),
        (
            path(order=["reply", "look_up"]),
            REFUNDED,
            "failed",
            "no visit of look_up started after reply had ended",
        ),
        (
            path(order=["refund", "reply"]),
            ESCALATED,
            "failed",
            (
                "refund was not visited: left at check_limit by outcome `over` to escalate;"
                " refund is reachable only through `under`"
            ),
        ),
        (
            path(exactly=["start", "look_up", "check_limit", "escalate", "reply"]),
            ESCALATED,
            "passed",
            "the 5 visits are exactly those",
        ),
        (
            path(exactly=["start", "look_up", "reply"]),
            ESCALATED,
            "failed",
            "visit 3 is check_limit, where the check says reply",
        ),
        (path(exactly=["start"]), "", "failed", "visit 1 is none, where the check says start"),
        (path(exactly=[]), "start", "failed", "visit 1 is start, where the check says none"),
        (
            path(must=["start"], order=["look_up", "reply"], others="forbidden"),
            "start look_up escalate reply",
            "failed",
            "other nodes were visited: escalate",
        ),
        (
            path(edges={"must": ["look_up -> check_limit"]}),
            REFUNDED,
            "passed",
            "look_up -> check_limit was taken",
        ),
        (
            path(edges={"must_not": [{"from": "check_limit", "to": "refund"}]}),
            ESCALATED,
            "passed",
            "check_limit -> refund was not taken: refund was not visited",
        ),
        (
            path(edges={"must": ["check_limit -> escalate"]}),
            REFUNDED,
            "failed",
            "check_limit -> escalate was not taken: escalate was not visited",
        ),
        (
            path(outcomes={"must": {"check_limit": "over"}}),
            ESCALATED,
            "passed",
            "check_limit was left by `over`",
        ),
        (
            path(outcomes={"must_not": {"check_limit": ["under", "error"]}}),
            ESCALATED,
            "passed",
            (
                "check_limit was not left by `under` but by `over`; "
                "check_limit was not left by `error` but by `over`"
            ),
        ),
        (
            path(outcomes={"must": {"check_limit": "under"}}),
            ESCALATED,
            "failed",
            "check_limit was not left by `under` but by `over`",
        ),
        (
            path(outcomes={"must": {"check_limit": "error"}}),
            [{"node": "check_limit", "status": "error"}],
            "passed",
            "check_limit was left by `error`",
        ),
        (
            path(outcomes={"must_not": {"check_limit": "over"}}),
            "check_limit",
            "unknown",
            (
                "check_limit was not left by `over` but by no recorded outcome; "
                "the outcome of a visit was not recorded"
            ),
        ),
    ],
)
def test_a_route_is_as_said_or_the_message_says_where_it_is_not(lab, check, ran, verdict, message):
    finding = lab.weigh(check, lab.run(ran), lab.names(GRAPH))

    assert (finding.verdict, finding.message) == (verdict, message)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (path(must=["start"]), "passed"),
        (path(must=["refund"]), "unknown"),
        (path(must_not=["refund"]), "unknown"),
        (path(must_not=["start"]), "failed"),
        (path(order=["start", "look_up"]), "passed"),
        (path(order=["look_up", "start"]), "unknown"),
        (path(exactly=["start", "look_up"]), "unknown"),
        (path(exactly=["start", "look_up", "reply"]), "unknown"),
        (path(exactly=["look_up", "start"]), "failed"),
        (path(must=["start", "look_up"], others="forbidden"), "unknown"),
        (path(must=["start"], others="forbidden"), "failed"),
        (path(edges={"must": ["look_up -> check_limit"]}), "unknown"),
        (path(edges={"must_not": ["start -> look_up"]}), "failed"),
        (path(outcomes={"must_not": {"check_limit": "over"}}), "unknown"),
    ],
)
def test_of_an_incomplete_route_only_what_was_seen_counts(lab, check, verdict):
    seen = lab.run("start look_up", complete={})

    assert lab.weigh(check, seen, lab.names(GRAPH)).verdict == verdict


@pytest.mark.parametrize("part", ["must", "must_not", "order", "exactly", "edges", "outcomes"])
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("graph", [None, GRAPH])
def test_a_misspelt_node_makes_no_check_pass(lab, part, negated, graph):
    value = {
        "must": ["refnud"],
        "must_not": ["refnud"],
        "order": ["start", "refnud"],
        "exactly": ["start", "refnud"],
        "edges": {"must_not": ["start -> refnud"]},
        "outcomes": {"must_not": {"refnud": "over"}},
    }[part]
    check = path(**{part: value})
    asked = {"kind": "not", "check": check} if negated else check

    assert lab.weigh(asked, lab.run("start look_up"), lab.names(graph)).verdict in {
        "failed",
        "unknown",
    }


@pytest.mark.parametrize(
    ("ran", "verdict"),
    [
        ("a b a c", "passed"),
        ("a c b a", "failed"),
        (
            [
                {"node": "a", "start_ns": 0, "end_ns": 90},
                {"node": "a", "start_ns": 1, "end_ns": 5},
                {"node": "b", "start_ns": 5, "end_ns": 7},
                {"node": "c", "start_ns": 7, "end_ns": 8},
            ],
            "passed",
        ),
        (
            [
                {"node": "b", "start_ns": 5, "end_ns": 5},
                {"node": "a", "start_ns": 5, "end_ns": 5},
                {"node": "c", "start_ns": 5, "end_ns": 5},
            ],
            "failed",
        ),
        (
            [
                {"node": "a", "start_ns": 0, "end_ns": 6},
                {"node": "b", "start_ns": 5, "end_ns": 7},
                {"node": "c", "start_ns": 7, "end_ns": 8},
            ],
            "failed",
        ),
    ],
)
def test_an_order_holds_if_some_visits_stand_in_it(lab, ran, verdict):
    check = path(order=["a", "b", "c"])

    assert lab.weigh(check, lab.run(ran), lab.names("a, b, c")).verdict == verdict


def test_an_order_counts_turns_before_clocks(lab):
    first = lab.run([{"node": "b", "start_ns": 900, "end_ns": 901}])
    second = lab.run([{"node": "a", "start_ns": 1, "end_ns": 2}])
    whole = lab.run(None, steps=[{"id": "one", "trace": first}, {"id": "two", "trace": second}])

    assert lab.weigh(path(order=["b", "a"]), whole, lab.names("a, b")).verdict == "passed"


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (path(), "asserts nothing"),
        (path(order=["a"]), "`order` needs at least two nodes, not only 'a'"),
        (path(must=["a"], must_not=["a"]), "'a' must and must not be visited"),
        (path(others="forbidden"), "`others: forbidden` needs the nodes that may run"),
        (path(edges={"must": ["a => b"]}), "'a => b' is not an edge; write it as 'a -> b'"),
        (path(must=[""]), "at least 1 character"),
    ],
)
def test_a_path_that_cannot_be_meant_is_refused(lab, check, message):
    assert message in lab.fault(check)


FORK = "s -> a, s -> b, a -> a2, a2 -> j, b -> j, j -x-> k, j -y-> l"


@pytest.mark.parametrize(
    ("asked", "flaws"),
    [
        (
            path(order=["s", "a2", "b", "j"]),
            [
                (
                    "/order/2",
                    "a2 and b run at once after s forks, so neither comes first: leave one out",
                )
            ],
        ),
        (path(order=["s", "a", "a2", "j"]), []),
        (path(order=["k", "l"]), []),
        (
            path(exactly=["s", "a", "b"]),
            [
                (
                    "/exactly/2",
                    "a and b run at once after s forks, so neither comes first: leave one out",
                )
            ],
        ),
        (
            path(edges={"must": ["a -> a2"], "must_not": ["a -> j"]}),
            [("/edges/must_not/0", "the graph has no edge a -> j (from a: a2)")],
        ),
        (
            path(outcomes={"must": {"j": ["x", "z"]}}),
            [
                (
                    "/outcomes/must/j",
                    "no outcome of j is named 'z' (known: error, x, y)",
                )
            ],
        ),
    ],
)
def test_what_the_graph_forbids_is_a_flaw(lab, asked, flaws):
    found = lab.check(asked).flaws(lab.names(FORK))

    assert [(flaw.at, flaw.message) for flaw in found] == flaws


def test_a_node_and_what_runs_inside_it_have_no_order(lab):
    found = lab.check(path(order=["sub", "sub:a"])).flaws(lab.names("sub -> sub:a"))

    assert [flaw.message for flaw in found] == [
        "sub:a runs inside sub, so it never starts after sub has ended"
    ]


def test_every_name_of_a_path_is_a_reference(lab):
    asked = path(
        must=["a"],
        must_not=["b"],
        order=["c", "d"],
        exactly=["c", "d"],
        edges={"must": ["e -> f"]},
        outcomes={"must_not": {"g/h": "x"}},
    )

    assert [(each.at, each.name) for each in lab.check(asked).references()] == [
        ("/must/0", "a"),
        ("/must_not/0", "b"),
        ("/order/0", "c"),
        ("/order/1", "d"),
        ("/exactly/0", "c"),
        ("/exactly/1", "d"),
        ("/edges/must/0", "e"),
        ("/edges/must/0", "f"),
        ("/outcomes/must_not/g~1h", "g/h"),
    ]


def test_only_ten_nodes_of_a_check_are_explained(lab):
    many = [f"n{number}" for number in range(12)]
    graph = ", ".join(f"s -{name}-> {name}" for name in many)
    finding = lab.weigh(
        path(must=many), lab.run([{"node": "s", "outcome": "none"}]), lab.names(graph)
    )

    assert [": left at s" in child.message for child in finding.children] == [True] * 10 + [
        False
    ] * 2


@pytest.mark.parametrize("graph", [None, "a -> b"])
def test_where_other_edges_may_exist_none_is_a_flaw(lab, graph):
    known = lab.names(graph) if graph is None else lab.names(graph, edges_complete=False)

    assert list(lab.check(path(edges={"must": ["b -> a"]})).flaws(known)) == []


def test_without_a_graph_an_edge_that_may_have_been_taken_is_not_denied(lab):
    check = path(edges={"must_not": ["a -> b"]})
    finding = lab.weigh(check, lab.run("a c b"), lab.names("a, b, c", edges_complete=False))

    message = "a -> b was not seen to be taken: b came later, not straight after"
    assert (finding.verdict, finding.message) == ("unknown", message)


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (None, "no workflow shows that there is such an outcome"),
        (
            GRAPH,
            (
                "no outcome of check_limit is named 'ovre'; nearest is 'over' "
                "(known: error, over, under)"
            ),
        ),
    ],
)
def test_a_misspelt_outcome_makes_no_check_pass(lab, graph, reason):
    check = path(outcomes={"must_not": {"check_limit": "ovre"}})
    finding = lab.weigh(check, lab.run(REFUNDED), lab.names(graph))

    message = f"check_limit was not left by `ovre` but by `under`; {reason}"
    assert (finding.verdict, finding.message) == ("unknown", message)


@pytest.mark.parametrize("key", ["must", "must_not"])
def test_an_error_that_may_have_been_tried_again_decides_no_outcome(lab, key):
    check = path(outcomes={key: {"check_limit": "error"}})
    seen = lab.run([{"node": "check_limit", "status": "error"}], complete={})

    assert lab.weigh(check, seen, lab.names(GRAPH)).verdict == "unknown"


def test_a_long_order_over_a_long_loop_is_weighed_in_no_time():
    loop = [
        Execution(
            id=f"e{n}", node="a", visit=f"v{n}", status="ok", start_ns=10 * n, end_ns=10 * n + 5
        )
        for n in range(5000)
    ]
    trace = Trace(status="finished", executions=tuple(loop), complete={"executions": True})
    scope = Scope(evidence=Evidence(trace))
    check = PathCheck.model_validate(path(order=["a"] * 2000))
    check.weigh(scope)
    start = time.process_time()

    assert check.weigh(scope).verdict.value == "passed"
    assert time.process_time() - start < 0.4
