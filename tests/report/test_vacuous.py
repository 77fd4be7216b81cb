"""Fixtures that are empty, so that what is asserted behind them cannot fail, are named."""

from __future__ import annotations

import pytest

NODES = ("search", "each", "each:send", "choose", "reply", "sorry")
MAPPED = [("search", "each", None), ("each", "each:send", None), ("each", "reply", None)]


def workflow(*edges):
    ways = [
        {"source": source, "target": target, "condition": condition}
        for source, target, condition in edges
    ]
    return {
        "name": "w",
        "nodes": {name: {} for name in NODES},
        "edges": ways,
        "entry": ["search"],
    }


def execution(number, node, **more):
    ids = {"id": f"e{number}", "node": node, "visit": "1", "attempt": 1, "index": []}
    return ids | {"status": "ok", "start_ns": number, "end_ns": number + 1} | more


def notes(desk, edges, answer, check, *others, replayed=True):
    ran = [execution(1, "search", output=answer, replayed=replayed)]
    ran += [execution(number, name) for number, name in enumerate(others, 2)]
    trace = desk.trace(executions=ran, complete={"executions": True})
    suite = desk.suite({"id": "c", "checks": [check]})
    run = desk.run(workflow=workflow(*edges))
    return desk.build(suite, [desk.record("c", trace)], run=run).report.notes


def never(node):
    return {"kind": "path", "must_not": [node]}


def test_a_check_that_passes_as_a_map_has_no_items_is_noted(desk):
    says = (
        "vacuous fixture of case 'c': 'search' has {}, and 'each:send' behind it never ran: "
        "no check of that can fail"
    )
    listed = notes(desk, MAPPED, {"hits": []}, never("each:send"), "reply")
    bare = notes(desk, MAPPED, [], never("each:send"), "reply")

    assert listed == (says.format("an empty /hits"),)
    assert bare == (says.format("an empty answer"),)


@pytest.mark.parametrize("condition", ["/search/hits not_equals []", "/search exists", "some code"])
def test_so_is_one_behind_a_branch_that_may_look_at_what_is_empty(desk, condition):
    edges = [("search", "sorry", "otherwise"), ("search", "reply", condition)]

    assert len(notes(desk, edges, {"hits": []}, never("reply"), "sorry")) == 1


def test_one_behind_a_branch_that_looks_at_something_else_is_not(desk):
    edges = [("search", "sorry", "otherwise"), ("search", "reply", "/search/total gt 0")]

    assert notes(desk, edges, {"hits": [], "total": 0}, never("reply"), "sorry") == ()


@pytest.mark.parametrize(
    ("answer", "check", "others", "more"),
    [
        ({"hits": ["a"]}, never("each:send"), ["reply"], {}),
        ({}, never("each:send"), ["reply"], {}),
        ({"hits": []}, never("each:send"), ["reply"], {"replayed": False}),
        ({"hits": []}, never("sorry"), ["reply"], {}),
        ({"hits": []}, {"kind": "path", "must": ["each:send"]}, ["reply"], {}),
        ({"hits": []}, {"kind": "path", "must": ["reply"]}, ["reply"], {}),
    ],
)
def test_what_can_fail_or_has_nothing_to_do_with_it_is_not_noted(desk, answer, check, others, more):
    assert notes(desk, MAPPED, answer, check, *others, **more) == ()


def test_it_is_said_once_for_all_trials_and_moves_no_verdict(desk):
    ran = [execution(1, "search", output=[], replayed=True)]
    trace = desk.trace(executions=ran, complete={"executions": True})
    records = [desk.record("c", trace, trial=number) for number in (1, 2)]
    suite = desk.suite({"id": "c", "checks": [never("each")], "trials": {"n": 2}})
    report = desk.build(suite, records, run=desk.run(workflow=workflow(*MAPPED))).report

    assert (report.exit, len(report.notes)) == (0, 1)
