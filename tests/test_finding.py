from __future__ import annotations

from flowjury.finding import ABSENT, Actual, Finding, enforced


def found(verdict, **fields):
    return Finding(kind="k", verdict=verdict, message="m", **fields)


def test_null_that_was_found_is_told_from_nothing():
    assert Actual.of(None).present
    assert not ABSENT.present


def test_the_leaves_of_a_finding_are_those_without_children():
    one, two = found("failed", id="1"), found("passed", id="2")
    tree = found("failed", children=(found("failed", children=(one,)), two))

    assert list(tree.leaves()) == [one, two]


def test_only_fail_and_errors_move_a_status():
    findings = [
        found("failed"),
        found("failed", enforcement="warn"),
        found("unknown", enforcement="report"),
        found("error", enforcement="report"),
    ]

    assert list(enforced(findings)) == ["failed", "error"]
