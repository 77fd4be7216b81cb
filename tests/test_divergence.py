from __future__ import annotations

import pytest

from flowjury.divergence import arrival, unvisited
from flowjury.evidence import Evidence
from flowjury.reach import Reach
from flowjury.trace import Execution, Trace
from flowjury.workflow import Edge, Node, Workflow


def graph(text):
    edges = []
    for part in text.split(","):
        source, arrow, target = part.split()
        label = arrow.strip("->")
        kind = "condition" if label.startswith("?") else "outcome"
        edges.append(Edge(source=source, target=target, **({kind: label} if label else {})))
    nodes = {name: Node() for edge in edges for name in (edge.source, edge.target)}
    return Reach(Workflow(name="w", nodes=nodes, edges=tuple(edges), entry=(edges[0].source,)))


def seen(text, status="finished"):
    """Make a run of `node`, `node#outcome` and `node!status`, one after the other."""
    executions = []
    for number, word in enumerate(text.split()):
        node, _, ended = word.partition("!")
        node, _, outcome = node.partition("#")
        executions.append(
            Execution(
                id=str(number),
                node=node,
                visit=str(number),
                status=ended or "ok",
                outcome=outcome or None,
                error={"type": "KeyError", "message": ""} if ended == "error" else None,
                start_ns=number * 10,
                end_ns=number * 10 + 5,
            )
        )
    return Evidence(Trace(status=status, executions=tuple(executions)))


REFUNDS = (
    "start -> check, check -under-> refund, check -over-> escalate, "
    "refund -> reply, escalate -> reply"
)
AGENT = (
    "start -> model, model -call-> tools, tools -> model, model -done-> end, model -hand-> human"
)
DEEP = "s -> a, a -> b, a -> c, b -?hot-> x, b -?cold-> y, c -> y, x -> w"


@pytest.mark.parametrize(
    ("ways", "ran", "wanted", "explanation"),
    [
        (
            REFUNDS,
            "start check#over escalate reply",
            "refund",
            "left at check by outcome `over` to escalate; refund is reachable only through `under`",
        ),
        (
            AGENT,
            "start model#call tools model#done end",
            "human",
            "left at model by outcome `done` to end; human is reachable only through `hand`",
        ),
        (
            DEEP,
            "s a b c y",
            "w",
            "left at b to y; w is reachable only when ?hot",
        ),
        (
            REFUNDS,
            "start check#under refund!error",
            "reply",
            "refund ended as error (KeyError)",
        ),
        (
            REFUNDS,
            "start!interrupted",
            "check",
            "the run waits at start",
        ),
        (
            REFUNDS,
            "start",
            "check",
            "left at start, after which the run ended as finished",
        ),
        (REFUNDS, "", "refund", "not even start was visited, which every way to it passes"),
        (REFUNDS, "", "start", None),
        (REFUNDS, "start", "unknown", None),
        ("a -> b, c -> d", "a b", "d", "the graph shows no way from its entry to d"),
        (
            "s -a-> x, s -b-> x, s -c-> x, s -d-> x, s -z-> y",
            "s#z y",
            "x",
            (
                "left at s by outcome `z` to y; "
                "x is reachable only through `a` or through `b` or through `c` or 1 more"
            ),
        ),
    ],
)
def test_it_says_where_the_way_was_left_and_by_what(ways, ran, wanted, explanation):
    assert unvisited(wanted, seen(ran), graph(ways)) == explanation


@pytest.mark.parametrize(
    ("ran", "explanation"),
    [
        ("start check#under refund", "reached from check by outcome `under`"),
        ("refund", None),
        ("other refund", "reached from other"),
    ],
)
def test_it_says_how_a_run_came_to_a_node(ran, explanation):
    evidence = seen(ran)
    [visit] = evidence.visits["refund"]

    assert arrival(visit, evidence, graph(REFUNDS)) == explanation
    assert (arrival(visit, evidence, None) is None) == (explanation is None)
