"""The Python face: the words of the command line as arguments."""

from __future__ import annotations

import os

import pytest

import flowjury
from flowjury.errors import UsageError

CODE = """
import os

def go(given):
    with open("calls", "a") as file:
        file.write(f"{given} {os.getpid()}\\n")
    return given == os.environ.get("MENDED", "fine")
"""


@pytest.fixture
def desk(shop, monkeypatch):
    monkeypatch.chdir(shop.root)
    monkeypatch.delenv("MENDED", raising=False)
    shop.write("desk.py", CODE)
    checks = [{"kind": "value", "at": "/output", "op": "equals", "value": True}]
    cases = [{"id": name, "input": name, "checks": checks} for name in ("fine", "bad", "last")]
    return shop.write(
        "desk.suite.json",
        {
            "format": 1,
            "name": "desk",
            "target": {"kind": "python", "call": "desk:go"},
            "data": "live",
            "cases": cases,
        },
    )


def calls(shop) -> list[tuple[str, int]]:
    lines = (shop.root / "calls").read_text().splitlines()
    return [(name, int(process)) for name, process in map(str.split, lines)]


def test_cases_run_here_unless_there_are_workers(desk, shop):
    flowjury.run(desk, cases=["fine"])
    flowjury.run(desk, cases=["bad"], workers=1)

    (first, here), (second, elsewhere) = calls(shop)
    assert (first, second) == ("fine", "bad")
    assert here == os.getpid() != elsewhere


def test_a_run_stops_is_resumed_and_its_failures_are_run_again(desk, shop):
    stopped = flowjury.run(desk, fail_fast=True)
    resumed = flowjury.run(desk, resume=True)
    again = flowjury.run(desk, last_failed=True)

    assert [case.status.value for case in stopped.cases] == ["passed", "failed", "not-run"]
    assert [case.status.value for case in resumed.cases] == ["passed", "failed", "failed"]
    assert resumed.run == stopped.run
    assert [case.selected for case in again.cases] == [False, True, True]
    assert [name for name, _ in calls(shop)] == ["fine", "bad", "last", "bad", "last"]


def test_fewer_workers_than_none_are_refused(desk):
    with pytest.raises(UsageError, match="--workers -1: write 0 for this process"):
        flowjury.run(desk, workers=-1)
