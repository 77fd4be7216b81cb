"""What a hand-written test calls is recorded, and assertions on it read like findings."""

from __future__ import annotations

import threading
from itertools import count

import pytest

from flowjury import Outcome, Traced, assert_check, assert_path, boundary, node, traced
from flowjury.errors import FixtureMiss, InputError

FLOW = """\
format: 1
name: refunds
nodes:
  check_limit: {use: "refunds:check", outcomes: [under, over]}
  create_refund: {use: "refunds:create"}
  escalate: {use: "refunds:escalate"}
edges:
  - {from: check_limit, to: create_refund, outcome: under}
  - {from: check_limit, to: escalate, outcome: over}
"""


@boundary
def look_up(order):
    return {"id": order, "amount": 700, "api_key": "sk-abcdefghijklmnop"}


@node
def decide(order):
    return look_up(order)["amount"] > 500


@pytest.fixture
def trace():
    with traced(clock=count().__next__) as recorded:
        yield recorded


def test_what_ran_is_asserted(trace: Traced):
    trace.declare(nodes=["decide", "look_up", "refund"])
    trace.output(decide(trace.input("A-1")))

    assert_path(
        trace, must=["decide", "look_up"], must_not=["refund"], exactly=["decide", "look_up"]
    )
    assert_check(trace, kind="count", node="look_up", caller="decide", exactly=1)
    assert_check(trace, {"kind": "value", "at": "/output", "op": "equals"}, value=True)
    assert_check(trace, kind="value", at="/input", op="equals", value="A-1")
    assert trace.evidence["nodes"]["look_up"][0]["output"]["amount"] == 700


def test_boundary_nodes_are_served_from_answers_and_go_live_no_more(trace: Traced):
    trace.declare(nodes=["look_up", "decide"])
    trace.answers(look_up=[{"output": {"amount": 10}}])

    assert decide("A-1") is False
    assert_check(trace, kind="count", node="look_up", exactly=1)
    assert_check(trace, kind="node", node="look_up", side="output", at="/amount", op="lt", value=11)
    with pytest.raises(FixtureMiss, match="look_up"):
        decide("A-2")
    with pytest.raises(AssertionError, match="not recorded completely"):
        assert_check(trace, kind="count", node="look_up", exactly=2)


def test_a_wrong_answer_says_what_would_be_right(trace: Traced):
    with pytest.raises(InputError, match="ouput"):
        trace.answers({"look_up": [{"ouput": 1}]})


def test_secrets_are_masked(trace: Traced):
    trace.output(look_up("A-1"))

    assert "sk-abcdefghijklmnop" not in str(trace.evidence)


def test_what_is_recorded_after_one_assertion_counts_in_the_next(trace: Traced):
    decide("A-1")
    assert_check(trace, kind="count", node="decide", exactly=1)
    decide("A-2")
    assert_check(trace, kind="count", node="decide", exactly=2)


def test_a_route_says_where_it_left_and_why(trace: Traced, tmp_path):
    (tmp_path / "flow.yaml").write_text(FLOW)
    trace.declare(workflow=tmp_path / "flow.yaml")

    @node
    def check_limit(amount):
        return Outcome("over", amount)

    check_limit(700)

    with pytest.raises(AssertionError) as raised:
        assert_path(trace, must=["create_refund"])
    [said, *_] = str(raised.value).splitlines()
    assert said == (
        "✗ path  create_refund was not visited: left at check_limit by outcome `over`, after which"
        " the run ended as finished; create_refund is reachable only through `under`"
    )


def test_a_value_says_what_was_found(trace: Traced):
    trace.output({"amount": 700})

    with pytest.raises(AssertionError) as raised:
        assert_check(trace, kind="value", at="/output/amount", op="lt", value=500)
    assert str(raised.value).splitlines() == [
        "✗ value  /output/amount is 700: `lt 500` does not hold",
        "    at /output/amount   expected 500   found 700",
    ]


def test_what_is_cut_is_whole_in_the_evidence(trace: Traced):
    trace.output("x" * 1000)

    with pytest.raises(AssertionError, match=r"whole: the evidence of the trace\)"):
        assert_check(trace, kind="value", at="/output", op="equals", value="y")


def test_what_was_not_recorded_does_not_pass(trace: Traced):
    with pytest.raises(AssertionError, match=r"^\? value  output was not recorded"):
        assert_check(trace, kind="value", at="/output", op="exists")


def test_the_absence_of_what_nobody_declared_is_not_proved(trace: Traced):
    decide("A-1")

    with pytest.raises(AssertionError, match=r"^\? path  refund was not visited: no workflow"):
        assert_path(trace, must_not=["refund"])


def test_nothing_is_proved_absent_while_something_still_runs(trace: Traced):
    began, ending = threading.Event(), threading.Event()

    @node
    def slow():
        began.set()
        ending.wait(timeout=10)

    trace.declare(nodes=["slow", "refund"])
    thread = threading.Thread(target=slow)
    thread.start()
    began.wait(timeout=10)
    with pytest.raises(AssertionError, match=r"^\? path  refund was not visited"):
        assert_path(trace, must_not=["refund"])
    ending.set()
    thread.join()

    assert_path(trace, must_not=["refund"])


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ({"kind": "coutn"}, "check: /kind: 'coutn' is not a kind of check; nearest is 'count'"),
        ({}, "check: key 'kind' is missing"),
        ({"kind": "count", "node": "decide"}, "check: it bounds nothing: write `exactly`, a `max`"),
        ({"kind": "path", "must": ["decid"]}, "check: /must/0: no node is named 'decid'; nearest"),
        ({"kind": "path", "must": ["decide"], "enforcement": "warn"}, "check: /enforcement: what"),
    ],
)
def test_a_wrong_assertion_says_what_would_be_right(trace: Traced, check, said):
    trace.declare(nodes=["decide"], tools=["orders.lookup"])

    with pytest.raises(InputError) as raised:
        assert_check(trace, check)
    assert str(raised.value).startswith(said)


def test_nothing_is_recorded_after_the_block():
    with traced() as recorded:
        decide("A-1")
    decide("A-2")

    assert_check(recorded, kind="count", node="decide", exactly=1)
