from __future__ import annotations

import pytest

from flowjury.names import Names, unknown
from flowjury.workflow import Declared, Edge, Node, Workflow

NAMES = Names(
    Workflow(
        name="w",
        nodes={
            "a": Node(outcomes=("yes", "no")),
            "ask": Node(waits="approval"),
            "sub": Node(),
            "sub:a": Node(),
            "sub:draft": Node(),
            "one:x": Node(),
            "two:x": Node(),
        },
        edges=(Edge(source="sub", target="a", outcome="done"),),
        tools=("find",),
    ),
    Declared(nodes=("extra",), tools=("send",)),
)


@pytest.mark.parametrize(
    ("name", "caller", "full"),
    [
        ("a", None, "a"),
        ("a", "sub", "sub:a"),
        ("draft", None, "sub:draft"),
        ("x", None, "x"),
        ("x", "two", "two:x"),
        ("extra", None, "extra"),
        ("typo", None, "typo"),
    ],
)
def test_a_last_part_stands_for_a_node_where_it_is_unambiguous(name, caller, full):
    assert NAMES.node(name, caller=caller) == full


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("draft", None),
        ("x", "'x' is ambiguous: write one of one:x, two:x"),
        (
            "drft",
            (
                "no node is named 'drft'; nearest is 'draft' "
                "(known: a, ask, extra, one:x, sub, sub:a, sub:draft, two:x)"
            ),
        ),
    ],
)
def test_a_wrong_name_of_a_node_is_told_with_the_nearest(name, fault):
    assert NAMES.node_fault(name) == fault


def test_tools_are_those_of_the_graph_and_those_declared():
    assert NAMES.tools == ("find", "send")
    assert NAMES.tool_fault("find") is None
    assert (
        NAMES.tool_fault("fnid") == "no tool is named 'fnid'; nearest is 'find' (known: find, send)"
    )


def test_where_nothing_is_declared_nothing_is_wrong():
    empty = Names()

    assert (empty.nodes, empty.tools, empty.reach) == (None, None, None)
    assert empty.node_fault("a") is None
    assert empty.tool_fault("a") is None
    assert empty.outcome_fault("a", "b") is None
    assert empty.wait_fault("a") is None
    assert empty.knows_node("a")
    assert empty.knows_tool("a")


def test_an_empty_declaration_knows_nothing():
    none = Names(None, Declared(tools=()))

    assert none.tool_fault("a") == "no tool is named 'a' (known: none)"


@pytest.mark.parametrize(
    ("node", "outcomes"),
    [
        ("a", ("yes", "no", "error")),
        ("sub", ("done", "error")),
        ("ask", None),
        ("typo", None),
    ],
)
def test_outcomes_are_those_of_the_node_and_of_its_edges(node, outcomes):
    assert NAMES.outcomes(node) == outcomes


def test_edges_tell_no_outcomes_where_there_may_be_others():
    workflow = NAMES.workflow.model_copy(update={"edges_complete": False})

    assert Names(workflow).outcomes("sub") is None
    assert Names(workflow).outcomes("a") == ("yes", "no", "error")


def test_a_wrong_outcome_is_told():
    assert NAMES.outcome_fault("a", "yes") is None
    assert NAMES.outcome_fault("a", "yess") == (
        "no outcome of a is named 'yess'; nearest is 'yes' (known: error, no, yes)"
    )


def test_a_wait_is_named_by_itself_or_by_its_node():
    assert NAMES.waiting("approval") == ("ask",)
    assert NAMES.waiting("ask") == ("ask",)
    assert NAMES.wait_fault("approval") is None
    assert NAMES.wait_fault("ask") is None
    assert NAMES.wait_fault("a") == "no wait is named 'a' (known: approval)"


def test_where_no_node_of_a_graph_can_wait_no_wait_has_a_name():
    asking = Workflow(name="w", nodes={"a": Node()})
    never = asking.model_copy(update={"waits_complete": True})

    assert Names(asking).wait_fault("a") is None
    assert Names(never).wait_fault("a") == "no wait is named 'a' (known: none)"


def test_no_more_than_a_line_of_names_is_shown():
    message = unknown("node", "z", [f"n{number:02}" for number in range(40)])

    assert message.endswith("n11, …)")
