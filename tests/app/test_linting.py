from __future__ import annotations

import pytest

from flowjury.app.linting import lint, said, summary
from flowjury.errors import UsageError


def test_a_good_suite_has_no_faults(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    found = lint(shop.project, ())

    assert (found.faults, found.hints) == ([], [])
    assert summary(found) == "1 suites, 1 cases: no faults"


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


def test_names_that_nothing_declares_are_told(shop):
    shop.write("answers.py", "def call(given):\n    return 1\n")
    path = shop.suite(
        {"id": "c", "fixtures": {}, "checks": [{"kind": "count", "node": "x", "exactly": 1}]},
        target={"kind": "python", "call": "answers:call"},
        workflow=None,
    )

    assert lint(shop.project, ()).hints == [
        (
            f"{path}: nothing says which nodes there are, so their names were not checked; "
            "use --import, run it once, or add `declares: {nodes: […]}`"
        )
    ]


def test_without_a_suite_there_is_nothing_to_look_at(shop):
    with pytest.raises(UsageError, match="no suite file given, and none named"):
        lint(shop.project, ())
