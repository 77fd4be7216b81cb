from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from flowjury.app.linting import lint, said, summary
from flowjury.errors import UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_good_suite_has_no_faults(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    found = lint(shop.project, ())

    assert (found.faults, found.hints) == ([], [])
    assert summary(found) == "1 suite, 1 case: no faults"


def test_faults_of_all_suites_are_found_and_nothing_is_run_or_written(shop):
    shop.suite({"id": "c", "checks": [{"kind": "count", "node": "answr", "exactly": 1}]})
    shop.suite({"id": "c", "chekcs": []}, name="other")
    shop.write("fixtures/d.yaml", "format: 1\ncase: x\nfixtures: {}\n")
    shop.suite({"id": "d", "checks": [shop.check]}, name="third")
    found = lint(shop.project, ())

    assert [(f.file.rpartition("/")[2], f.pointer) for f in found.faults] == [
        ("other.suite.json", "/cases/0/chekcs"),
        ("shop.suite.json", "/cases/0/checks/0/node"),
        ("d.yaml", "/case"),
    ]
    assert not (shop.root / ".flowjury").exists()


def test_what_asserts_nothing_or_is_skipped_is_a_hint(shop):
    path = shop.suite({"id": "c"}, {"id": "d", "skip": "later"})

    assert said(lint(shop.project, ())).hints == (
        f"{path}: case 'c' asserts nothing; it can only become unknown",
        f"{path}: case 'd' is skipped: later",
    )


UNSEEN = (
    "only its code knows all nodes, so their names were not checked; use --import, or run it once"
)
UNDECLARED = (
    "nothing says which nodes there are, so their names were not checked; "
    "add `declares: {nodes: […]}`"
)
CODE = {"target": {"kind": "python", "call": "answers:call"}, "workflow": None}


def found(shop, **more):
    linted = lint(shop.project, (), **more)
    return [fault.pointer for fault in linted.faults], linted.hints


def test_names_are_checked_once_it_is_known_whether_the_code_has_a_graph(shop):
    shop.write("answers.py", "def call(given):\n    return 1\n")
    check = {"kind": "count", "node": "x", "exactly": 1}
    path = shop.suite({"id": "c", "fixtures": {}, "checks": [check]}, **CODE)
    before, imported = found(shop), found(shop, load=True)
    shop.run()
    after = found(shop)
    shop.suite(
        {"id": "c", "fixtures": {}, "checks": [check]}, **CODE, declares={"nodes": ["answer"]}
    )

    assert [before, imported, after, found(shop)] == [
        ([], [f"{path}: {UNSEEN}"]),
        ([], [f"{path}: {UNDECLARED}"]),
        ([], [f"{path}: {UNDECLARED}"]),
        (["/cases/0/checks/0/node"], []),
    ]


@pytest.mark.parametrize("declared", [[], ["y"]])
def test_what_a_suite_declares_beside_unseen_code_is_not_the_whole_list(shop, declared):
    shop.write("answers.py", "def call(given):\n    return 1\n")
    check = {"kind": "count", "node": "x", "exactly": 1}
    path = shop.suite(
        {"id": "c", "fixtures": {}, "checks": [check]}, **CODE, declares={"nodes": declared}
    )

    assert found(shop) == ([], [f"{path}: {UNSEEN}"])
    assert found(shop, load=True) == (["/cases/0/checks/0/node"], [])


@pytest.mark.parametrize("name", ["http_service", "langgraph_agent", "langgraph_graph"])
def test_the_examples_have_no_faults_in_a_fresh_checkout(shop, name):
    shutil.copytree(EXAMPLES / name, shop.root / "example")

    assert lint(shop.project, [shop.root / "example"]).faults == []


def test_without_a_suite_there_is_nothing_to_look_at(shop):
    with pytest.raises(UsageError, match="no suite file given, and none named"):
        lint(shop.project, ())
