from __future__ import annotations

import pytest

TRIED = [
    {"node": "a", "visit": "one", "status": "error"},
    {"node": "a", "visit": "one", "attempt": 2},
    {"node": "a", "visit": "two", "caller": "b"},
]


def count(**fields):
    return {"kind": "count", "node": "a", **fields}


@pytest.mark.parametrize(
    ("check", "verdict", "message"),
    [
        (count(exactly=2), "passed", "visits of a: 2; exactly 2 holds"),
        (count(exactly=1), "failed", "visits of a: 2; exactly 1 does not hold"),
        (count(exactly=3), "failed", "visits of a: 2; exactly 3 does not hold"),
        (count(of="attempts", exactly=3), "passed", "attempts of a: 3; exactly 3 holds"),
        (
            count(min=1, max=2),
            "passed",
            "visits of a: 2; at least 1 holds; visits of a: 2; at most 2 holds",
        ),
        (count(min=3), "failed", "visits of a: 2; at least 3 does not hold"),
        (count(max=1), "failed", "visits of a: 2; at most 1 does not hold"),
        (count(exactly=1, caller="b"), "passed", "visits of a: 1; exactly 1 holds"),
        (count(node="b", exactly=0), "passed", "visits of b: 0; exactly 0 holds"),
    ],
)
def test_visits_and_attempts_are_counted(lab, check, verdict, message):
    finding = lab.weigh(check, lab.run(TRIED), lab.names("a, b"))

    assert (finding.verdict, finding.message) == (verdict, message)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (count(exactly=2), "unknown"),
        (count(exactly=3), "unknown"),
        (count(exactly=1), "failed"),
        (count(min=2), "passed"),
        (count(min=3), "unknown"),
        (count(max=2), "unknown"),
        (count(max=1), "failed"),
    ],
)
def test_an_incomplete_count_is_a_lower_bound(lab, check, verdict):
    assert lab.weigh(check, lab.run(TRIED, complete={}), lab.names("a, b")).verdict == verdict


def test_the_node_and_its_caller_are_references(lab):
    found = lab.check(count(max=1, caller="b")).references()

    assert [(each.at, each.name, each.caller) for each in found] == [
        ("/caller", "b", None),
        ("/node", "a", "b"),
    ]


@pytest.mark.parametrize("graph", [None, "a, b"])
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("bounds", [{"exactly": 0}, {"max": 3}, {"min": 1}, {"exactly": 1}])
def test_a_misspelt_node_is_not_counted_as_none(lab, graph, negated, bounds):
    check = count(node="aa", **bounds)
    asked = {"kind": "not", "check": check} if negated else check

    assert lab.weigh(asked, lab.run(TRIED), lab.names(graph)).verdict in {"failed", "unknown"}


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (count(), "it bounds nothing: write `exactly`, a `max`, or a `min` of at least 1"),
        (count(min=0), "it bounds nothing"),
        (count(exactly=1, max=2), "`exactly` leaves no room for `min` or `max`"),
        (count(min=3, max=2), "`min` 3 is more than `max` 2: nothing can be both"),
        (count(exactly=-1), "greater than or equal to 0"),
        (count(exactly=True), "valid integer"),
    ],
)
def test_a_count_that_cannot_be_meant_is_refused(lab, check, message):
    assert message in lab.fault(check)
