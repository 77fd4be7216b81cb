from __future__ import annotations

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
