from __future__ import annotations

import pytest

from flowjury.app.choice import Choice
from flowjury.app.failing import only_failing
from flowjury.app.project import load_suites
from flowjury.app.suite_files import suite_paths


@pytest.fixture
def failing(shop):
    """Return what is chosen of the newest runs, and what is told of it."""

    def asked(**choice):
        told = []
        suites = load_suites(suite_paths(shop.project, ()))
        narrowed = only_failing(shop.project, suites, Choice(**choice), tell=told.append)
        return narrowed, *told

    return asked


@pytest.fixture
def mixed(shop):
    """Write a suite of which one case fails, one errs, and the others are well."""

    def write(price=80, **more):
        check = shop.check | {"value": f"A-1 costs {price}"}
        cases = [
            {"id": "good", "checks": [shop.check]},
            {"id": "bad", "checks": [check]},
            {"id": "broken", "checks": [shop.check], "fixtures": {}},
            {"id": "later", "skip": "not now"},
        ]
        return shop.suite(*cases, **more)

    return write


def test_without_a_run_no_case_is_left_out(shop, failing, mixed):
    mixed()

    assert failing() == (Choice(), "--last-failed: no run is stored, so no case is left out")
    assert not (shop.root / ".flowjury").exists()


def test_cases_that_failed_erred_or_are_open_are_run_again(shop, failing, mixed):
    mixed(price=1)
    shop.run()

    assert failing(words="b") == (
        Choice(words="b", failed={"shop": frozenset({"bad", "broken"})}),
        "--last-failed: 2 cases did not pass in the newest run",
    )


def test_they_are_the_same_after_the_workflow_was_mended(shop, failing, mixed):
    mixed(price=1)
    shop.run()
    shop.write("nodes.py", shop.nodes + "\n# mended\n")

    assert failing()[0].failed == {"shop": frozenset({"bad", "broken"})}


def test_a_check_that_was_mended_counts_as_it_is_now(shop, failing, mixed):
    mixed(price=1)
    shop.run()
    mixed(price=80)

    assert failing()[0].failed == {"shop": frozenset({"broken"})}


def test_cases_that_were_not_selected_are_not_run_again(shop, failing, mixed):
    mixed(price=1)
    shop.run()
    shop.run(choice=Choice(ids=("good", "bad")))

    assert failing()[0].failed == {"shop": frozenset({"bad"})}


def test_where_all_passed_no_case_is_left_out(shop, failing, mixed):
    mixed(price=1)
    shop.run(choice=Choice(ids=("good",)))

    assert failing() == (
        Choice(),
        "--last-failed: nothing failed in the newest run, so no case is left out",
    )


def test_all_cases_of_a_suite_that_never_ran_are_run(shop, failing, mixed):
    shop.run(mixed(price=1))
    mixed(name="new")

    assert failing()[0].failed == {
        "shop": frozenset({"bad", "broken"}),
        "new": frozenset({"good", "bad", "broken", "later"}),
    }


def test_all_cases_are_run_where_the_suite_names_what_the_stored_graph_lacks(shop, failing, mixed):
    mixed(price=1)
    shop.run()
    shop.suite({"id": "c", "checks": [{"kind": "count", "node": "new", "exactly": 1}]})

    assert failing()[0].failed == {"shop": frozenset({"c"})}
