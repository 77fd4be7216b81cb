"""Runs that are cut short, and go on: nothing that finished is lost, or done twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from flowjury.app.choice import Choice
from flowjury.app.staffing import Staffing
from flowjury.errors import StoreError, UsageError
from flowjury.store.runs import RunStore

CALL = {"workflow": None, "target": {"kind": "python", "call": "nodes:go"}, "data": "live"}
COUNTING = """
import os, time

def go(given):
    with open("calls", "a") as file:
        file.write(given["id"] + "\\n")
    if given["id"] == "bad":
        raise ValueError("no")
    time.sleep(given.get("wait", 0))
    return {"id": given["id"]}
"""


def case(name: str, **more):
    checks = [{"kind": "value", "at": "/output/id", "op": "equals", "value": name}]
    return {"id": name, "input": {"id": name, **more}, "fixtures": {}, "checks": checks}


@pytest.fixture
def counting(shop, monkeypatch):
    monkeypatch.chdir(shop.root)
    shop.write("nodes.py", COUNTING)
    return shop


def calls(shop) -> list[str]:
    return (shop.root / "calls").read_text().split()


def statuses(report) -> dict[str, str]:
    return {one.id: one.status.value for one in report.cases}


def test_after_a_failure_no_case_begins_and_the_run_can_be_resumed(counting):
    counting.suite(case("a"), case("bad"), case("c"), **CALL)

    stopped = counting.run(fail_fast=True)
    resumed = counting.run(resume=True)

    assert statuses(stopped) == {"a": "passed", "bad": "failed", "c": "not-run"}
    assert stopped.exit == 1
    assert statuses(resumed) == {"a": "passed", "bad": "failed", "c": "passed"}
    assert resumed.run == stopped.run
    assert calls(counting) == ["a", "bad", "c"]


def test_a_case_may_fail_within_its_bound_without_stopping_a_run(counting):
    failing_once = COUNTING.replace('== "bad"', '== "bad" and os.path.getsize("calls") == 4')
    counting.write("nodes.py", failing_once)
    counting.suite({**case("bad"), "trials": {"n": 2, "pass": "1/2"}}, case("c"), **CALL)

    report = counting.run(fail_fast=True)

    assert statuses(report) == {"bad": "passed", "c": "passed"}
    assert [trial.status.value for trial in report.cases[0].trials] == ["failed", "passed"]


def test_what_changed_since_is_refused_and_done_again_by_force(counting):
    counting.suite(case("a"), case("bad"), case("c"), **CALL)
    counting.run(fail_fast=True)
    counting.suite({**case("a"), "input": {"id": "a", "new": 1}}, case("bad"), case("c"), **CALL)

    with pytest.raises(UsageError, match=r"1 case of it ran on what has changed .*input"):
        counting.run(resume=True)
    report = counting.run(resume=True, force=True)

    assert statuses(report) == {"a": "passed", "bad": "failed", "c": "passed"}
    assert calls(counting) == ["a", "bad", "a", "c"]


def test_edited_code_is_refused_by_the_name_of_its_file(counting):
    counting.suite(case("a"), case("bad"), case("c"), **CALL)
    counting.run(fail_fast=True)
    counting.write("nodes.py", COUNTING + "\n# edited\n")

    with pytest.raises(UsageError, match=r"nodes\.py"):
        counting.run(resume=True)


def test_another_data_mode_is_refused(counting):
    counting.suite(case("a"), case("bad"), case("c"), **CALL)
    counting.run(fail_fast=True)

    with pytest.raises(UsageError, match="was made with data live, the suite says replay"):
        counting.run(resume=True, data="replay")


def test_nothing_to_resume_is_said(counting):
    counting.suite(case("a"), **CALL)

    with pytest.raises(UsageError, match="there is no run to resume; run without --resume"):
        counting.run(resume=True)


def test_force_without_resume_is_refused(counting):
    counting.suite(case("a"), **CALL)

    with pytest.raises(UsageError, match="--force says what to do with --resume"):
        counting.run(force=True)


def test_a_resumed_run_does_what_it_was_asked_to_do(counting):
    counting.suite(case("a"), case("bad"), case("c"), case("d"), **CALL)
    counting.run(fail_fast=True, choice=Choice(ids=("bad", "c")))

    report = counting.run(resume=True)

    assert statuses(report) == {"a": "not-run", "bad": "failed", "c": "passed", "d": "not-run"}
    assert report.partial


def test_of_several_suites_each_goes_on_where_it_was(counting):
    counting.suite(case("a"), name="one", **CALL)
    counting.suite(case("bad"), case("c"), name="two", **CALL)
    first, second = counting.ran(fail_fast=True)

    again = counting.ran(resume=True)

    assert [ran.refreshed.report.run for ran in again] == [
        first.refreshed.report.run,
        second.refreshed.report.run,
    ]
    assert calls(counting) == ["a", "bad", "c"]


def test_trials_that_are_missing_are_done(counting):
    counting.suite({**case("a"), "trials": {"n": 3}}, **CALL)
    report = counting.run()
    with closing(sqlite3.connect(counting.root / ".flowjury/runs.db")) as database:
        database.execute("DELETE FROM cases WHERE trial = 2")
        database.commit()

    again = counting.run(resume=True)

    assert [trial.number for trial in again.cases[0].trials] == [1, 2, 3]
    assert again.run == report.run
    assert calls(counting) == ["a"] * 4


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "flowjury.cli.main", "run", *arguments]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_run_that_is_killed_at_any_moment_loses_and_repeats_nothing(counting, workers):
    names = [f"c{number}" for number in range(60)]
    counting.suite(*(case(name, wait=0.01) for name in names), **CALL)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "FLOWJURY_WORKERS": str(workers),
    }
    moments = random.Random(workers)  # noqa: S311 - moments to kill at are no secret
    kept: set[str] = set()
    process = subprocess.Popen(command(), env=environment, start_new_session=True)
    for _ in range(4):
        time.sleep(moments.uniform(0.8, 1.4))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kept = grown(counting.root, kept)
        more = command("--resume") if kept else command()
        process = subprocess.Popen(more, env=environment, start_new_session=True)

    assert process.wait(120) == 0
    counted = calls(counting)
    assert set(counted) == set(names)
    assert len(counted) <= len(names) + 4 * max(1, workers), "only what was going on is repeated"
    resumed = latest(counting.root)
    counting.run(staffing=Staffing(workers))
    undisturbed = latest(counting.root)
    assert without_times(resumed) == without_times(undisturbed)


def grown(root: Path, before: set[str]) -> set[str]:
    """Return the trials that are stored, among which those of before must be."""
    if not (root / ".flowjury/runs.db").exists():
        return set()
    with RunStore.open(root) as store:
        run = store.latest("shop")
        now = {one.case for one in store.kept(run.id)} if run else set()
    assert before <= now
    return now


def latest(root: Path) -> dict:
    return json.loads((root / ".flowjury/reports/shop/latest/report.json").read_text())


def without_times(value):
    """Leave out of a report what tells one run from another."""
    if isinstance(value, dict):
        left = {key: item for key, item in value.items() if key not in {"run", "started"}}
        return {key: without_times(item) for key, item in left.items() if key != "seconds"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_a_run_that_is_resumed_with_fewer_cases_has_not_come_to_its_end(counting):
    counting.suite(case("bad"), case("b"), case("c"), **CALL)
    counting.run(fail_fast=True)

    partly = counting.run(resume=True, choice=Choice(words="b"))
    wholly = counting.run(resume=True)

    assert statuses(partly) == {"bad": "failed", "b": "passed", "c": "not-run"}
    assert partly.cases[2].reason == "the run did not come to its end"
    assert statuses(wholly) == {"bad": "failed", "b": "passed", "c": "passed"}
    assert calls(counting) == ["bad", "b", "c"]


def test_a_store_that_is_deleted_while_a_run_goes_on_is_an_error(counting):
    counting.write(
        "nodes.py", "import shutil\n\ndef go(given): shutil.rmtree('.flowjury'); return given\n"
    )
    counting.suite(case("a"), **CALL)

    with pytest.raises(StoreError, match="deleted or replaced meanwhile"):
        counting.run()


def test_after_a_failure_no_case_of_a_later_suite_begins_either(counting):
    first = counting.suite(case("bad"), case("b"), name="first", **CALL)
    second = counting.suite(case("c"), name="second", **CALL)

    stopped = [ran.refreshed.report for ran in counting.ran(first, second, fail_fast=True)]
    resumed = [ran.refreshed.report for ran in counting.ran(first, second, resume=True)]

    assert [statuses(one) for one in stopped] == [
        {"bad": "failed", "b": "not-run"},
        {"c": "not-run"},
    ]
    assert [statuses(one) for one in resumed] == [
        {"bad": "failed", "b": "passed"},
        {"c": "passed"},
    ]
    assert calls(counting) == ["bad", "b", "c"]


def test_suites_that_had_not_begun_are_resumed_beside_any_that_had(counting):
    first = counting.suite(case("a"), name="first", **CALL)
    second = counting.suite(case("bad"), name="second", **CALL)
    third = counting.suite(case("c"), name="third", **CALL)
    counting.ran(first, second)

    resumed = counting.ran(second, third, resume=True)

    assert [statuses(ran.refreshed.report) for ran in resumed] == [
        {"bad": "failed"},
        {"c": "passed"},
    ]
    assert calls(counting) == ["a", "bad", "c"]
