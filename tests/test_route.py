from __future__ import annotations

import time

import pytest

from flowjury.reach import Reach
from flowjury.route import Route
from flowjury.trace import Execution
from flowjury.visits import arrivals, in_time
from flowjury.workflow import Edge, Node, Workflow


def route(*turns):
    """Make a route of `node start end` and what else is said of a try."""
    made = [
        [
            Execution(
                id=f"{turn}.{number}",
                node=node,
                visit=f"{turn}.{number}",
                status=rest.pop("status", "ok"),
                start_ns=start,
                end_ns=end,
                **rest,
            )
            for number, (node, start, end, rest) in enumerate(_spelt(tries))
        ]
        for turn, tries in enumerate(turns)
    ]
    return Route(arrivals(in_time(made)))


def _spelt(tries):
    return [(*each[:3], dict(each[3]) if len(each) > 3 else {}) for each in tries]


def graph(*ways):
    edges = [Edge(source=way[0], target=way[1], **dict(way[2:])) for way in ways]
    nodes = {name: Node() for edge in edges for name in (edge.source, edge.target)}
    return Reach(Workflow(name="w", nodes=nodes, edges=tuple(edges)))


LOOP = route([("a", 0, 9), ("b", 10, 19), ("a", 20, 29), ("b", 30, 90), ("c", 40, 50)])


def test_nodes_stand_in_order_of_start():
    assert LOOP.nodes == ("a", "b", "a", "b", "c")


def test_of_later_visits_the_one_that_ends_first_is_found():
    found = route([("x", 0, 90), ("x", 10, 20), ("x", 30, 40)])

    assert found.first_after("x", (0, 0, 0)).end[1] == 20
    assert found.first_after("x", (0, 15, 0)).end[1] == 40
    assert found.first_after("x", (0, 31, 0)) is None
    assert found.first_after("y", (0, 0, 0)) is None


def test_before_and_after_a_visit_stand_those_that_ended_and_started():
    first, _, second, *_ = LOOP.visits

    assert LOOP.after(first).node == "b"
    assert LOOP.after(first, {"c"}).node == "c"
    assert LOOP.before(second).node == "b"
    assert LOOP.before(second, {"a"}) is first
    assert LOOP.before(first) is None


def test_a_turn_is_not_reached_from_the_turn_before():
    both = route([("a", 0, 9)], [("b", 0, 9)])

    assert both.after(both.visits[0]) is None
    assert both.before(both.visits[1]) is None
    assert both.taken("a", "b") == "not-taken"


INSIDE = {"caller": "sub", "parent": "p"}


@pytest.mark.parametrize(
    ("tries", "taken"),
    [
        ([("a", 0, 5), ("b", 6, 9)], "likely"),
        ([("b", 0, 5), ("a", 6, 9)], "not-taken"),
        ([("a", 0, 5), ("c", 6, 7), ("b", 8, 9)], "unsure"),
        ([("a", 0, 5), ("c", 6, 9), ("b", 7, 9)], "likely"),
        ([("a", 0, 5), ("x", 6, 7, INSIDE), ("b", 8, 9)], "likely"),
        ([("a", 0, 5, INSIDE), ("b", 6, 9)], "unsure"),
        ([("a", 0, 5), ("b", 3, 9)], "not-taken"),
    ],
)
def test_without_a_graph_what_followed_at_once_is_likely(tries, taken):
    assert route(tries).taken("a", "b") == taken


@pytest.mark.parametrize(
    ("ways", "tries", "taken"),
    [
        ([("a", "b")], [("a", 0, 5), ("c", 6, 7), ("b", 8, 9)], "taken"),
        ([("a", "b")], [("a", 0, 5, {"status": "error"}), ("b", 8, 9)], "not-taken"),
        ([("a", "b", ("outcome", "x"))], [("a", 0, 5, {"outcome": "x"}), ("b", 8, 9)], "taken"),
        ([("a", "b", ("outcome", "x"))], [("a", 0, 5, {"outcome": "y"}), ("b", 8, 9)], "not-taken"),
        (
            [("a", "b", ("outcome", "error"))],
            [("a", 0, 5, {"status": "error"}), ("b", 8, 9)],
            "likely",
        ),
        (
            [("a", "b", ("condition", "if")), ("c", "b")],
            [("a", 0, 5), ("b", 8, 9)],
            "likely",
        ),
        (
            [("a", "b", ("condition", "if")), ("c", "b")],
            [("a", 0, 5), ("c", 6, 7), ("b", 8, 9)],
            "not-taken",
        ),
        (
            [("a", "b", ("condition", "if")), ("c", "b")],
            [("a", 0, 5), ("c", 1, 7), ("b", 8, 9)],
            "unsure",
        ),
        ([("c", "b")], [("a", 0, 5), ("b", 8, 9)], "likely"),
    ],
)
def test_with_a_graph_an_edge_is_taken_as_its_outcome_says(ways, tries, taken):
    assert route(tries).taken("a", "b", graph(*ways)) == taken


def test_what_is_inside_a_node_is_reached_while_it_runs():
    inside = route([("sub", 0, 9), ("sub:x", 1, 2)])

    assert inside.taken("sub", "sub:x") == "taken"
    assert inside.taken("sub", "sub:y") == "not-taken"
    assert inside.taken("sub", "sub:x", graph(("sub", "sub:x"))) == "taken"
    assert inside.taken("sub", "sub:x", graph(("sub", "sub:y"), ("sub:y", "sub:x"))) == "not-taken"


def test_a_visit_that_took_no_time_does_not_follow_itself():
    found = route([("a", 5, 5), ("b", 7, 7)])

    assert found.first_after("a", found.visits[0].end) is None
    assert found.taken("a", "a") == found.taken("a", "a", graph(("a", "a"))) == "not-taken"
    assert found.taken("a", "b") == "likely"


def test_visits_that_took_no_time_follow_each_other_as_they_stand():
    found = route([("a", 5, 5), ("a", 5, 5), ("b", 5, 5)])

    assert found.first_after("a", found.visits[0].end) is found.visits[1]
    assert (found.taken("a", "a"), found.taken("a", "b")) == ("likely", "likely")


def test_a_sibling_that_still_ran_was_not_between_two_others():
    found = route([("a", 0, 1), ("x", 2, 9), ("b", 5, 6)], [("a", 0, 1), ("x", 2, 3), ("b", 5, 6)])

    assert Route(found.visits[:3]).taken("a", "b") == "likely"
    assert Route(found.visits[3:]).taken("a", "b") == "unsure"


@pytest.mark.parametrize("known", [True, False])
def test_edges_of_long_loops_are_found_in_no_time(known):
    half = 10_000
    before = [("a", 10 * n, 10 * n + 5) for n in range(half)]
    between = [("b", 10 * n, 10 * n + 5, {"parent": "p"}) for n in range(half, 2 * half)]
    found = route([*before, *between, ("c", 20 * half, 20 * half + 1)])
    ways = graph(("a", "c", ("condition", "x"))) if known else None
    start = time.process_time()

    assert found.taken("a", "c", ways) in {"likely", "unsure"}
    assert time.process_time() - start < 1
