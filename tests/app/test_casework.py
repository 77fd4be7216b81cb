"""Cases are run one by one, by one process or several, into one run of each suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowjury.app.casework import Casework, Command, conclude
from flowjury.errors import InputError, StoreError
from flowjury.store.runs import RunStore
from flowjury.verdict import Status

COMMAND = Command(name="c1", started="2026-01-01T00:00:00Z")
PASSES = {"kind": "value", "at": "/output/text", "op": "contains", "value": "costs"}
FAILS = {"kind": "value", "at": "/output/text", "op": "equals", "value": "no"}
JUDGES = """\
def short(context, parameters):
    import scale

    return scale.weigh(context)
"""
SCALE = "def weigh(context):\n    return len(context.observation['output']['text']) < 99\n"


@pytest.fixture
def work(shop):
    made = Casework(shop.project, COMMAND)
    yield made
    made.close()


def test_a_case_is_weighed_as_soon_as_it_has_run(shop, work):
    path = shop.suite({"id": "a", "checks": [PASSES]}, {"id": "b", "checks": [FAILS]})
    work.read(path)

    assert [work.run(path, case).status for case in ("b", "a")] == ["failed", "passed"]
    assert [(record.case, record.trial) for record in shop.records("c1-shop")] == [
        ("a", 1),
        ("b", 1),
    ]


def test_reading_a_suite_loads_no_code_and_makes_no_store(shop, work):
    shop.write("nodes.py", "raise RuntimeError")
    work.read(shop.suite({"id": "a"}))

    assert work.runs == []
    assert not (shop.root / ".flowjury").exists()


def test_reading_finds_names_that_the_workflow_lacks(shop, work):
    with pytest.raises(InputError, match="no node is named 'look'"):
        work.read(shop.suite({"id": "a", "checks": [{"kind": "path", "must": ["look"]}]}))


def test_reading_leaves_names_open_that_only_code_knows(shop, work):
    target = {"kind": "python", "call": "nodes:answer"}
    check = {"kind": "path", "must": ["anything"]}
    case = {"id": "a", "checks": [check], "fixtures": {}}
    shop.write("s.suite.json", {"format": 1, "name": "s", "target": target, "cases": [case]})

    assert work.read(shop.root / "s.suite.json").suite.name == "s"


def test_what_is_wrong_with_the_code_is_said_for_each_case_and_loaded_once(shop, work):
    shop.write("nodes.py", "raise RuntimeError('no')")
    path = shop.suite({"id": "a"}, {"id": "b"})
    work.read(path)
    with pytest.raises(InputError, match="RuntimeError: no") as first:
        work.run(path, "a")
    with pytest.raises(InputError) as second:
        work.run(path, "b")

    assert second.value is first.value
    assert work.runs == []


def test_a_store_that_cannot_be_made_is_the_error_of_each_case(shop, work):
    shop.write(".flowjury", "a file")
    path = shop.suite({"id": "a"})
    work.read(path)

    with pytest.raises(StoreError):
        work.run(path, "a")


def test_several_processes_fill_one_run(shop, work):
    path = shop.suite({"id": "a", "checks": [PASSES]}, {"id": "b", "checks": [PASSES]})
    other = Casework(shop.project, COMMAND)
    for one, case in ((work, "a"), (other, "b")):
        one.read(path)
        one.run(path, case)
    other.close()

    assert work.runs == other.runs == [(path, "c1-shop")]
    assert conclude(shop.project, path, "c1-shop").report.totals == {"passed": 2}
    assert _is_finished(shop.root)


def test_a_run_whose_cases_did_not_all_run_is_not_finished(shop, work):
    path = shop.suite({"id": "a", "checks": [PASSES]}, {"id": "b", "checks": [PASSES]})
    work.read(path)
    work.run(path, "a")

    assert conclude(shop.project, path, "c1-shop").report.totals == {"passed": 1, "not-run": 1}
    assert not _is_finished(shop.root)


def test_cases_that_are_not_chosen_are_not_selected(shop, work):
    path = shop.suite({"id": "a", "checks": [PASSES]}, {"id": "b", "checks": [PASSES]})
    work.read(path)
    work.choose(path, ["b"])
    work.run(path, "b")

    report = conclude(shop.project, path, "c1-shop").report
    assert [(case.id, case.selected) for case in report.cases] == [("a", False), ("b", True)]
    assert _is_finished(shop.root)


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, None),
        ({"gates": {"case_pass_rate": "1/2"}}, Status.PASSED),
        ({"gates": {"case_pass_rate": 1}}, Status.FAILED),
        ({"gates": {"critical": 0}}, Status.UNKNOWN),
        ({"checks": [{"kind": "value", "at": "/summary/x", "op": "exists"}]}, Status.FAILED),
    ],
)
def test_what_is_asserted_of_the_whole_suite_is_weighed_at_the_end(shop, work, more, status):
    path = shop.suite({"id": "a", "checks": [PASSES]}, {"id": "b", "checks": [FAILS]}, **more)
    if "critical" in more.get("gates", {}):
        path = shop.suite(
            {"id": "a", "checks": [{**PASSES, "critical": True}]}, {"id": "b"}, **more
        )
    work.read(path)
    work.run(path, "a")
    if status is not Status.UNKNOWN:
        work.run(path, "b")

    assert conclude(shop.project, path, "c1-shop").status is status


def test_an_evaluator_answers_at_once_and_no_later_trace_depends_on_its_modules(shop, work):
    shop.write("judges.py", JUDGES)
    shop.write("scale.py", SCALE)
    check = {"kind": "evaluator", "use": "judges:short"}
    path = shop.suite({"id": "a", "checks": [check]}, {"id": "b", "checks": [check]})
    work.read(path)

    assert [work.run(path, case).status for case in ("a", "b")] == ["passed", "passed"]
    assert [set(one.stimulus.sources) for one in shop.records("c1-shop")] == [{"nodes.py"}] * 2


def _is_finished(root: Path) -> bool:
    with RunStore.open_readonly(root) as store:
        return store.run("c1-shop").finished
