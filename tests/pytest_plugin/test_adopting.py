"""A project that has tests already goes on as before, with workers and with other plugins."""

from __future__ import annotations

import json
import sys

import pytest

pytest_plugins = ["pytester"]

CONFTEST = """\
import pytest


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("PLACE", "tests")


@pytest.fixture
def trace():
    return "of the project"


def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.usefixtures(*item.fixturenames))
"""
TESTS = """\
import os

import nodes


def test_its_own_fixture_comes_first(trace):
    assert trace == "of the project"


def test_environment():
    assert os.environ["PLACE"] == "tests"


def test_its_own_module_stays():
    import nodes as again

    assert again is nodes
    assert again.WHO == "the project"
"""
PLAIN = """\
import sys


def test_nothing_of_ours_is_loaded():
    ours = {name for name in sys.modules if name.split(".")[0] in {"flowjury", "yaml"}}

    assert ours == {"flowjury", "flowjury.pytest_plugin", "flowjury.pytest_plugin.outcomes"}
"""


def test_a_project_without_suites_loads_next_to_nothing(adopter):
    adopter.write("test_plain.py", PLAIN)

    assert adopter.summary(adopter.run()) == "1 passed"


def test_without_the_plugin_no_suite_is_collected(adopter):
    adopter.suite("passes")
    adopter.write("test_plain.py", "def test_it():\n    pass\n")

    assert adopter.summary(adopter.run("-p", "no:flowjury")) == "1 passed"


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_tests_fixtures_and_modules_of_a_project_stay_as_they_are(adopter, workers):
    adopter.write("conftest.py", CONFTEST)
    adopter.write("nodes.py", 'WHO = "the project"\n')
    for name in ("a", "z"):
        adopter.suite("passes", "fails", name=name, folder=name)
    adopter.write("tests/test_own.py", TESTS)
    adopter.write("pytest.ini", "[pytest]\npythonpath = .\n")
    result = adopter.run(*workers)

    assert adopter.summary(result) == "2 failed, 5 passed"


def test_suites_whose_modules_have_one_name_keep_them_apart_in_any_order(adopter):
    for name in ("one", "two"):
        adopter.write(f"{name}/desk.py", "def f(_):\n    import late\n    return late.NAME\n")
        adopter.write(f"{name}/late.py", f'NAME = "{name}"\n')
        cases = "".join(
            f"  - id: {case}\n"
            f"    checks: [{{kind: value, at: /output, op: equals, value: {name}}}]\n"
            for case in ("a", "b")
        )
        head = f"format: 1\nname: {name}\ntarget: {{kind: python, call: desk:f}}\ncases:\n"
        adopter.write(f"{name}/{name}.suite.yaml", head + cases)
    order = [f"{n}/{n}.suite.yaml::{c}" for c in "ab" for n in ("one", "two")]

    assert adopter.summary(adopter.run(*order)) == "4 passed"


def test_workers_of_xdist_fill_one_run_which_is_whole(adopter):
    cases = [f"case-{number}" for number in range(8)]
    adopter.suite(*cases, "unknown", more="gates: {case_pass_rate: 1/2}\n")
    result = adopter.run("-n", "2")

    assert adopter.summary(result) == "9 passed, 1 unknown"
    assert adopter.stored() == [("shop", True, 9)]
    report = json.loads((adopter.root / ".flowjury/reports/shop/latest/report.json").read_text())
    assert report["totals"] == {"passed": 8, "unknown": 1}


def test_a_failure_in_a_worker_reads_like_one_without(adopter):
    adopter.suite("fails")
    result = adopter.run("-n", "1", "--show-capture=no", "--junitxml=out.xml")

    assert adopter.lines(result, "FAILURES")[2:5] == [
        "FAILED  fails  The case that fails",
        '  ✗ value  /output/text is "A-1 costs 80": `equals "no"` does not hold',
        '      at /output/text   expected "no"   found "A-1 costs 80"',
    ]
    assert (
        'message="/output/text is &quot;A-1 costs 80&quot;'
        in (adopter.root / "out.xml").read_text()
    )


def test_a_run_counts_for_the_command_line_too(adopter):
    adopter.suite("passes", "asks")
    adopter.run()
    said = adopter.pytester.run(sys.executable, "-m", "flowjury.cli.main", "pending")

    said.stdout.fnmatch_lines(["*asks*"])


def test_a_project_with_asyncio_is_traced_in_its_tests(adopter):
    adopter.write("pytest.ini", "[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    adopter.write(
        "test_async.py",
        """\
import asyncio

import pytest

from flowjury import assert_check, node


@node
async def work(number):
    return number


@pytest.mark.asyncio
async def test_it(trace):
    await asyncio.gather(work(1), work(2))
    assert_check(trace, kind="count", node="work", exactly=2)
""",
    )

    assert adopter.summary(adopter.run(asyncio=True)) == "1 passed"


def test_an_assertion_fails_like_a_finding(adopter):
    adopter.write(
        "test_trace.py",
        """\
from flowjury import assert_path, node


@node
def work(number):
    return number


def test_it(trace):
    trace.declare(nodes=["work", "rest"])
    work(1)
    assert_path(trace, must_not=["rest"])
    assert_path(trace, must=["rest"])
""",
    )
    result = adopter.run()

    assert adopter.summary(result) == "1 failed"
    assert [line for line in result.outlines if line.startswith(("E ", ">"))] == [
        '>       assert_path(trace, must=["rest"])',
        "E       AssertionError: ✗ path  rest was not visited",
        "E           at /nodes/rest",
    ]
