from __future__ import annotations

import pytest

from flowjury.reach import START, Reach
from flowjury.workflow import Edge, Node, Workflow


def reach(graph, *, entry=(), nodes=()):
    """Make a graph of `a>b` (always) and `a?b` (sometimes)."""
    edges = [
        Edge(source=way[0], target=way[-1], condition="maybe" if way[1] == "?" else None)
        for way in graph.replace(">", " > ").replace("?", " ? ").split(",")
        for way in [tuple(way.split())]
        if way
    ]
    names = dict.fromkeys(
        [*nodes, *(name for edge in edges for name in (edge.source, edge.target))]
    )
    return Reach(
        Workflow(name="w", nodes=dict.fromkeys(names, Node()), edges=tuple(edges), entry=entry)
    )


DIAMOND = "s>a,s>b,a>j,b>j,j?k,j?l,k>s"


@pytest.mark.parametrize(
    ("node", "above"),
    [("s", ()), ("a", ("s",)), ("j", ("s",)), ("k", ("j", "s")), ("unknown", ())],
)
def test_every_way_to_a_node_passes_its_dominators(node, above):
    assert reach(DIAMOND, entry=("s",)).dominators(node) == above


def test_a_loop_may_be_entered_in_two_places():
    graph = reach("s?a,s?b,a>b,b>a,b>c", entry=("s",))

    assert graph.dominators("c") == ("b", "s")
    assert graph.dominators("a") == ("s",)


def test_what_leads_to_a_node_is_found_through_loops():
    graph = reach(DIAMOND, entry=("s",))

    assert graph.leads_to("l") == {"s", "a", "b", "j", "k"}
    assert graph.leads_to("s") == {"s", "a", "b", "j", "k"}


@pytest.mark.parametrize(
    ("graph", "one", "other", "fork"),
    [
        ("s>a,s>b,a>j,b>j", "a", "b", "s"),
        ("s>a,s>b,a>j,b>j", "a", "j", None),
        ("s>a,s>b,a>j,b>j", "a", "a", None),
        ("s>a,s>b,a>j,b>j,j?k,j?l", "k", "l", None),
        ("s?a,s?b", "a", "b", None),
        ("s>a,s?b", "a", "b", None),
        ("s>a,s>b,a>s", "a", "b", None),
        ("s>t,t>a,t>b,a>c,b>d", "c", "d", "t"),
        ("s>a,s>b", "a", "unknown", None),
    ],
)
def test_two_nodes_run_at_once_on_branches_of_a_fork(graph, one, other, fork):
    known = reach(graph, entry=("s",))

    assert (known.fork_of(one, other), known.fork_of(other, one)) == (fork, fork)


def test_several_entries_are_a_fork():
    assert reach("a>c,b>c", entry=("a", "b")).fork_of("a", "b") == START


def test_without_an_entry_a_run_starts_where_no_edge_leads():
    graph = reach("a>b,c>b")

    assert graph.entries == ("a", "c")
    assert graph.reachable("b")
    assert not graph.reachable("unknown")


def test_a_reference_leads_into_what_is_inside_it_and_on_from_there():
    graph = reach("a>sub,sub>b,sub:x>sub:y", entry=("a",))

    assert graph.successors["sub"] == ("b", "sub:x")
    assert graph.successors["sub:y"] == ("b",)
    assert graph.dominators("sub:y") == ("sub:x", "sub", "a")


def test_ways_that_the_graph_shows_into_a_reference_are_kept():
    graph = reach("a>sub,sub>sub:x,sub:x>b", entry=("a",))

    assert graph.successors["sub"] == ("sub:x",)
    assert [edge.source for edge in graph.ways("sub", "b")] == ["sub:x"]
    assert graph.ways("a", "b") == ()


def test_a_long_graph_is_walked_without_recursion():
    chain = ",".join(f"n{number}>n{number + 1}" for number in range(3000))
    graph = reach(chain, entry=("n0",))

    assert len(graph.dominators("n3000")) == 3000
    assert graph.fork_of("n1", "n2999") is None
