"""A project in a temporary folder: a small workflow, a suite, and the use cases on them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from flowjury.app import attaching, judging
from flowjury.app.choice import Choice
from flowjury.app.pending import Pending, pending
from flowjury.app.project import Project, find_project, load_suites
from flowjury.app.recording import Told
from flowjury.app.refreshing import Refreshed
from flowjury.app.running import Orders, Ran, run
from flowjury.app.standing import refresh
from flowjury.app.suite_files import suite_paths
from flowjury.report import CaseReport, Report
from flowjury.store.runs import RunStore

FLOW = {
    "format": 1,
    "name": "shop",
    "nodes": {
        "look_up": {"use": "nodes:look_up", "boundary": True, "input": {"id": "/input/id"}},
        "answer": {"use": "nodes:answer", "input": {"order": "/look_up"}},
    },
    "edges": [{"from": "look_up", "to": "answer"}],
}
NODES = """
def look_up(given):
    return {"id": given["id"], "price": 7}


def answer(given):
    order = given["order"]
    return {"text": f"{order['id']} costs {order['price']}"}
"""
SERVED = {"look_up": [{"output": {"id": "A-1", "price": 80}}]}
CHECK = {"kind": "value", "at": "/output/text", "op": "equals", "value": "A-1 costs 80"}
RUBRIC = {
    "evidence": [{"at": "/output/text"}],
    "criteria": [{"id": "clear", "text": "It is clear", "quote": False}],
}
JUDGE = """
from flowjury.errors import JudgeFailure
from flowjury.model import Model
from flowjury.request import Judge, Judgement, Ruling

NAME = "tester"
VERSION = "1"


class Settings(Model):
    model: str | None = None
    verdict: str = "met"


class Host:
    def __init__(self, settings, now):
        self.settings, self.now = settings, now

    async def judge(self, request, vote):
        if self.settings.verdict == "nothing":
            raise JudgeFailure("busy", "try later")
        return Judgement(
            request=request.digest,
            judge=Judge(name=NAME),
            criteria=tuple(
                Ruling(id=one.id, verdict=self.settings.verdict) for one in request.criteria
            ),
            vote=vote,
            created=self.now(),
        )

    async def close(self):
        pass


def open_judge(settings, environment, now):
    return Host(settings, now)
"""
NOW = "2026-01-01T00:00:00Z"


@dataclass
class Shop:
    """The project, with what a user does in it."""

    root: Path
    told: list[Told] = field(default_factory=list)
    flow = FLOW
    nodes = NODES
    served = SERVED
    check = CHECK
    rubric = RUBRIC
    runs: int = 0

    @property
    def project(self) -> Project:
        return find_project(self.root)

    @property
    def path(self) -> Path:
        return self.root / "shop.suite.json"

    def write(self, name: str, content: str | dict | list) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def suite(self, *cases: dict[str, Any], name: str = "shop", **more: Any) -> Path:
        """Write a suite whose cases have, unless they say otherwise, an input and fixtures."""
        usual = {"input": {"id": "A-1"}, "fixtures": SERVED}
        listed = [case if "steps" in case or "trace" in case else usual | case for case in cases]
        value = {"format": 1, "name": name, "workflow": "flow.json", "target": {"kind": "graph"}}
        return self.write(f"{name}.suite.json", {**value, "cases": listed, **more})

    def ran(self, *suites: Path, choice: Choice | None = None, **more: Any) -> list[Ran]:
        self.runs += 1
        orders = Orders(
            run=f"r{self.runs}",
            started=NOW,
            choice=choice or Choice(),
            tell=self.told.append,
            **more,
        )
        paths = suite_paths(self.project, suites)
        return list(run(self.project, load_suites(paths), orders))

    def run(self, *suites: Path, **more: Any) -> Report:
        return self.ran(*suites, **more)[0].refreshed.report

    def run_case(self, case: dict[str, Any], **more: Any) -> CaseReport:
        """Write a suite of one case, run it, and return what came of the case."""
        self.suite({"id": "c", **case}, **more)
        return self.run().cases[0]

    def refreshed(self, **more: Any) -> list[Refreshed]:
        return refresh(self.project, **more)

    def refresh(self, **more: Any) -> Report:
        return self.refreshed(**more)[0].report

    def pending(self) -> list[Pending]:
        return list(pending(self.project, ()).open)

    def answer(self, request: Any, verdict: str = "met", **more: Any) -> dict[str, Any]:
        return {
            "format": 1,
            "request": request.digest,
            "judge": {"name": "ann"},
            "criteria": [{"id": c.id, "verdict": verdict} for c in request.criteria],
            "created": NOW,
            **more,
        }

    def attach(self, *given: str, stdin: bytes = b"", **more: Any) -> attaching.Attachment:
        answers = attaching.answers_in(self.project, given, read=lambda: stdin)
        return attaching.attach(self.project, answers, **more)

    def rehearse(self, *given: str) -> attaching.Attachment:
        answers = attaching.answers_in(self.project, given, read=lambda: b"")
        return attaching.rehearse(self.project, answers)

    def judge(self, suites: Sequence[Path] = (), **more: Any) -> judging.Sitting:
        host = str(self.write("judges/tester.py", JUDGE))
        verdict, tell = more.pop("verdict", "met"), more.pop("tell", lambda *_: None)
        bench = judging.Bench(
            host=host, settings={"verdict": verdict}, environment={}, now=lambda: NOW, **more
        )
        return judging.judge(self.project, suites, bench, tell=tell)

    def records(self, run: str = "r1") -> list[Any]:
        with RunStore.open_readonly(self.root) as store:
            return list(store.records(run))

    def files(self) -> dict[str, bytes]:
        """Map every file of the project, but for the database, to its content."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.name.startswith("runs.db")
        }


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    path, modules = list(sys.path), set(sys.modules)
    made = Shop(tmp_path)
    made.write("flowjury.toml", "")
    made.write("flow.json", FLOW)
    made.write("nodes.py", NODES)
    yield made
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path)):
            del sys.modules[name]
