from __future__ import annotations

import pytest

from flowjury.app.showing import Wanted, node_pointer, show, show_value
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
    wanted = Wanted(case="c")

    assert node_pointer(ran.project, wanted, "look_up") == "/nodes/look_up"
    with pytest.raises(UsageError, match="no node 'lookup' ran in this case; nearest is 'look_up'"):
        node_pointer(ran.project, wanted, "lookup")


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
