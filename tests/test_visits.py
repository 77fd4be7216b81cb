from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flowjury.trace import Execution
from flowjury.visits import arrivals, by_node, in_time


def tried(node, visit, start, end, status="ok", **fields):
    return Execution(
        id=f"{visit}{start}",
        node=node,
        visit=visit,
        status=status,
        start_ns=start,
        end_ns=end,
        **fields,
    )


def seen(*turns):
    return arrivals(in_time(turns))


def test_tries_of_one_visit_are_joined_and_the_last_counts():
    [visit] = seen([tried("a", "v", 5, 6), tried("a", "v", 1, 2, "error")])

    assert [each.status for each in visit.attempts] == ["error", "ok"]
    assert (visit.last.start_ns, visit.start[1], visit.end[1]) == (5, 1, 6)


def test_a_visit_goes_on_in_a_later_turn_only_where_it_was_interrupted():
    resumed = seen([tried("a", "v", 1, 2, "interrupted")], [tried("a", "v", 1, 2)])
    repeated = seen([tried("a", "v", 1, 2)], [tried("a", "v", 1, 2)])

    assert [len(visit.attempts) for visit in resumed] == [2]
    assert [len(visit.attempts) for visit in repeated] == [1, 1]


def test_a_visit_that_raised_was_left_by_the_outcome_error():
    visits = seen(
        [
            tried("a", "1", 1, 2, "error"),
            tried("a", "2", 3, 4, "error", outcome="gave-up"),
            tried("a", "3", 5, 6),
        ]
    )

    assert [visit.outcome for visit in visits] == ["error", "gave-up", None]


def test_visits_are_sorted_by_caller_then_index_then_start():
    visits = seen(
        [
            tried("a", "1", 1, 2, caller="z"),
            tried("a", "2", 3, 4, index=(1,)),
            tried("a", "3", 5, 6, index=(0,)),
            tried("a", "4", 7, 8),
            tried("a", "5", 9, 9),
        ]
    )

    assert [visit.last.visit for visit in by_node(visits)["a"]] == ["4", "5", "3", "2", "1"]


def test_siblings_that_overlap_are_sorted_by_their_input():
    first = seen(
        [
            tried("a", "1", 1, 9, input="y"),
            tried("a", "2", 2, 9, input="x"),
            tried("a", "3", 10, 11, input="a"),
        ]
    )
    second = seen(
        [
            tried("a", "2", 1, 9, input="x"),
            tried("a", "1", 2, 9, input="y"),
            tried("a", "3", 10, 11, input="a"),
        ]
    )

    orders = [[visit.last.visit for visit in by_node(each)["a"]] for each in (first, second)]
    assert orders == [["2", "1", "3"]] * 2


def test_known_nodes_have_visits_though_they_did_not_run():
    assert by_node([], ["a", "b"]) == {"a": (), "b": ()}


def stood(*executions):
    return {
        node: [visit.last.id for visit in visits]
        for node, visits in by_node(arrivals(in_time([executions]))).items()
    }


def run(name, parent, place, span, node="a"):
    return Execution(
        id=name,
        node=node,
        visit=name,
        parent=parent,
        caller=parent and "a",
        place=place,
        status="ok",
        input=0,
        start_ns=min(span),
        end_ns=max(span),
    )


spans = st.tuples(st.integers(0, 20), st.integers(0, 20))


@given(st.lists(spans, min_size=8, max_size=8), st.permutations(range(8)))
def test_the_times_of_siblings_with_places_change_no_order(times, shuffled):
    executions = [
        run("first", None, (1,), times[0]),
        run("left", None, (1, 8, 1), times[1]),
        run("right", None, (1, 9, 1), times[2]),
        run("last", None, (2,), times[3]),
        run("left-1", "left", (0, 12, 1), times[4], "b"),
        run("left-2", "left", (0, 13, 1), times[5], "b"),
        run("right-1", "right", (0, 10, 1), times[6], "b"),
        run("right-2", "right", (0, 11, 1), times[7], "b"),
    ]

    assert stood(*(executions[number] for number in shuffled)) == {
        "a": ["first", "left", "right", "last"],
        "b": ["left-1", "left-2", "right-1", "right-2"],
    }


@given(st.lists(spans, min_size=4, max_size=4))
def test_what_is_inside_siblings_stands_as_they_do(times):
    executions = [
        tried("a", "2", 1, 9, input="y").model_copy(update={"id": "y"}),
        tried("a", "1", 2, 8, input="x").model_copy(update={"id": "x"}),
        run("y-1", "y", (1,), times[0], "b"),
        run("y-2", "y", (2,), times[1], "b"),
        run("x-1", "x", (1,), times[2], "b"),
        run("x-2", "x", (2,), times[3], "b"),
    ]

    assert stood(*executions)["b"] == ["x-1", "x-2", "y-1", "y-2"]


def test_siblings_of_equal_input_that_overlap_are_sorted_by_what_came_of_them():
    one, other = (tried("a", name, 1, 9, input=0, output=name) for name in "ba")

    assert stood(one, other) == stood(other, one) == {"a": ["a1", "b1"]}


def test_siblings_of_which_one_has_no_place_are_sorted_by_start():
    placed, unplaced = run("p", None, (9,), (1, 2)), tried("a", "u", 3, 4)

    assert stood(unplaced, placed) == {"a": ["p", "u3"]}


def test_siblings_of_one_place_are_sorted_by_start():
    executions = [run(name, None, (0, 0, 1), span) for name, span in [("x", (3, 4)), ("y", (1, 2))]]

    assert stood(*executions) == {"a": ["y", "x"]}


def test_executions_that_are_said_to_be_inside_each_other_have_an_order_all_the_same():
    executions = [
        run("x", "y", (1,), (1, 9)),
        run("y", "x", (1,), (2, 8)),
        run("z", None, (1,), (3, 4)),
    ]

    assert stood(*executions) == {"a": ["z", "x", "y"]}


def test_what_runs_inside_a_resumed_visit_stands_inside_it():
    [first] = [tried("a", "v", 1, 2, "interrupted")]
    again = tried("a", "v", 5, 9, attempt=2)
    other = tried("a", "w", 6, 9)
    late, soon = run("l", "v5", (1,), (8, 9), "b"), run("s", "w6", (1,), (7, 8), "b")
    visits = by_node(arrivals(in_time([[first], [again, other, soon, late]])))

    assert [visit.last.id for visit in visits["b"]] == ["l", "s"]


def test_what_runs_inside_different_nodes_is_sorted_by_start():
    executions = [
        run("p", None, (), (1, 4), "p"),
        run("q", None, (), (5, 9), "q"),
        *(tried("x", name, at, at, parent=name) for name, at in [("q", 6), ("p", 2)]),
    ]

    assert stood(*executions)["x"] == ["p2", "q6"]
