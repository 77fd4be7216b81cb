from __future__ import annotations

from decimal import Decimal

import pytest

from flowjury.trace import Execution
from flowjury.usage import added, as_number, exact, spending


def spent(node, usage, status="ok"):
    return Execution(
        id=node, node=node, visit=node, status=status, start_ns=0, end_ns=1, usage=usage
    )


@pytest.mark.parametrize(
    ("number", "decimal"), [(1, "1"), (0.1, "0.1"), (10**30, "1" + "0" * 30), (1e-7, "1E-7")]
)
def test_a_number_is_taken_as_it_was_written(number, decimal):
    assert exact(number) == Decimal(decimal)
    assert as_number(exact(number)) == number


def test_sums_are_exact():
    [unit] = spending([spent("a", {"usd": 0.1})] * 3).values()

    assert (unit.number, unit.complete, unit.top()) == (0.3, True, [("a", Decimal("0.3"))])


def test_a_total_that_the_engine_states_counts():
    [unit] = spending([spent("a", {"u": 5})], stated={"u": 7}, all_ran=False).values()

    assert (unit.number, unit.complete, unit.attributed) == (7, True, False)


def test_a_node_that_is_silent_once_makes_a_sum_incomplete():
    tries = [spent("a", {"u": 5}), spent("a", None), spent("b", None), spent("a", None, "error")]
    [unit] = spending(tries).values()

    assert (unit.complete, unit.silent) == (False, ("a",))


@pytest.mark.parametrize(("complete", "all_ran"), [(False, True), (True, False)])
def test_a_sum_is_complete_if_all_was_recorded(complete, all_ran):
    [unit] = spending([spent("a", {"u": 5})], complete=complete, all_ran=all_ran).values()

    assert not unit.complete


def test_the_nodes_that_spent_most_come_first():
    [unit] = spending(
        [spent(node, {"u": n}) for node, n in zip("abcd", (1, 3, 3, 2), strict=True)]
    ).values()

    assert unit.top() == [("b", 3), ("c", 3), ("d", 2)]


def test_what_is_inside_a_node_is_spent_by_it():
    tries = [spent("sub", {"u": 1}), spent("sub:a", {"u": 2}), spent("subway", {"u": 4})]
    [unit] = spending(tries).values()

    assert unit.inside("sub").number == 3
    assert unit.inside("sub").complete
    assert unit.inside("other") is None


def test_a_silent_node_makes_only_its_own_part_incomplete():
    [unit] = spending([spent("a", {"u": 1}), spent("b", {"u": 1}), spent("b", None)]).values()

    assert (unit.inside("a").complete, unit.inside("b").complete) == (True, False)


@pytest.mark.parametrize(("whole", "complete"), [(True, True), (False, False)])
def test_a_turn_that_reports_nothing_spent_nothing_if_it_is_whole(whole, complete):
    turn = spending([spent("a", {"u": 2})])
    [unit] = added([(turn, True), (turn, True), ({}, whole)]).values()

    assert (unit.number, unit.complete, unit.attributed) == (4, complete, complete)
    assert unit.by_node == {"a": 4}
