from __future__ import annotations

import pytest

from flowjury.app.choice import Choice
from flowjury.app.showing import Wanted, show, show_node, show_value
from flowjury.errors import UsageError


@pytest.fixture
def ran(shop):
    shop.suite(
        {"id": "c", "checks": [shop.check]},
        {"id": "broken", "fixtures": {}, "checks": [shop.check]},
        {
            "id": "talk",
            "fixtures": shop.served,
            "steps": [{"id": "one", "input": {"id": "A-1"}}, {"id": "two", "input": {"id": "B"}}],
            "checks": [{"kind": "count", "node": "answer", "exactly": 2}],
        },
    )
    shop.run()
    return shop


def test_a_case_is_shown_as_a_timeline_with_what_came_of_it(ran):
    shown = show(ran.project, Wanted(case="c"))

    assert (shown.suite, shown.run, shown.trial, shown.status) == ("shop", "r1", 1, "finished")
    assert [(line.node, line.status, line.replayed) for line in shown.timeline] == [
        ("look_up", "ok", True),
        ("answer", "ok", False),
    ]
    assert shown.case.status == "passed"


def test_a_case_that_broke_is_shown_up_to_there(ran):
    shown = show(ran.project, Wanted(case="broken"))

    assert (shown.case.status, [line.node for line in shown.timeline]) == ("error", ["look_up"])


def test_what_a_node_raised_is_shown_with_its_line(shop):
    shop.suite({"id": "c", "fixtures": shop.served, "expect": "error"})
    shop.write("nodes.py", f"{shop.nodes}\ndef answer(given):\n    return {{}}['total']\n")
    line = (shop.root / "nodes.py").read_text().count("\n")
    shop.run()

    shown = show(shop.project, Wanted(case="c"))

    assert [each.error for each in shown.timeline] == [
        None,
        f"KeyError: 'total' (nodes.py:{line} in answer)",
    ]


def test_one_turn_can_be_looked_at_alone(ran):
    shown = show(ran.project, Wanted(case="talk", step="one"))

    assert {line.step for line in shown.timeline} == {"one"}
    with pytest.raises(UsageError, match=r"no step 'oen' was observed \(observed: one"):
        show(ran.project, Wanted(case="talk", step="oen"))


@pytest.mark.parametrize(
    ("at", "present", "value"),
    [
        ("/output/text", True, "A-1 costs 80"),
        ("/nodes/look_up/0/output/price", True, 80),
        ("/output/txt", False, None),
        ("/messages", False, None),
    ],
)
def test_one_value_can_be_looked_at(ran, at, present, value):
    shown = show_value(ran.project, Wanted(case="c"), at)

    assert (shown.present, shown.value) == (present, value)
    assert bool(shown.message) != present


def test_a_node_is_named_as_in_a_suite(ran):
    shown = show_node(ran.project, Wanted(case="c"), "look_up", "/0/output/price")
    missing = show_node(ran.project, Wanted(case="c"), "lookup")

    assert (shown.at, shown.value) == ("/nodes/look_up/0/output/price", 80)
    assert (missing.present, missing.message) == (
        False,
        "no node 'lookup' ran in this case; nearest is 'look_up' (ran: answer, look_up)",
    )


def test_a_case_of_several_suites_is_asked_for_by_suite(shop):
    shop.suite({"id": "c", "checks": [shop.check]}, name="one")
    two = shop.suite({"id": "c", "checks": [shop.check]}, name="two")
    shop.ran()

    assert show(shop.project, Wanted(case="c", suites=(two,))).suite == "two"
    with pytest.raises(UsageError) as caught:
        show(shop.project, Wanted(case="c"))
    assert str(caught.value) == (
        "2 suites have a case 'c'; say which: --suite one.suite.json or --suite two.suite.json"
    )


def test_a_case_that_did_not_run_says_why(shop):
    shop.suite({"id": "c", "checks": [shop.check]}, {"id": "d", "skip": "later"}, {"id": "e"})
    shop.run(choice=Choice(ids=("c", "d")))

    for case, why in (("d", "skipped, later"), ("e", "not-run, not selected")):
        with pytest.raises(UsageError, match=f"case '{case}' has no trace: {why}"):
            show(shop.project, Wanted(case=case))


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (Wanted(case="brokn"), "no case 'brokn' is stored; nearest is 'broken'"),
        (Wanted(case="c", trial=2), "case 'c' has no trial 2 in this run"),
        (Wanted(case="c", run="x"), "no run is named 'x'"),
    ],
)
def test_what_is_not_stored_is_refused(ran, wanted, message):
    with pytest.raises(UsageError, match=message):
        show(ran.project, wanted)


def test_a_pointer_that_is_none_is_refused(ran):
    with pytest.raises(UsageError, match="--at 'output'"):
        show_value(ran.project, Wanted(case="c"), "output")
