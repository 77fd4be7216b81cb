"""The command line, in this process: what it prints, and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flowjury.cli.main import main

FLOW = """\
format: 1
name: shop
nodes:
  look_up: {use: "nodes:look_up", boundary: true, input: {id: /input/id}}
  answer: {use: "nodes:answer", input: {order: /look_up}}
edges:
  - {from: look_up, to: answer}
"""
NODES = """\
def look_up(given):
    return {"id": given["id"], "price": 80}


def answer(given):
    return {"text": f"{given['order']['id']} costs {given['order']['price']}"}
"""
CASE = """\
  - id: {id}
    input: {{id: A-1}}
    fixtures: {{look_up: [{{output: {{id: A-1, price: 80}}}}]}}
"""
HEAD = """\
format: 1
name: {name}
workflow: flow.yaml
target: {{kind: graph}}
cases:
"""
PASSES = "    checks: [{kind: value, at: /output/text, op: contains, value: costs}]\n"
FAILS = "    checks: [{kind: value, at: /output/text, op: equals, value: nothing}]\n"
ASKS = """\
    rubric:
      evidence: [{at: /output/text}]
      criteria: [{id: clear, text: It is clear, quote: false}]
"""
UNKNOWN = "    checks: [{kind: value, at: /messages/0, op: exists}]\n"
BROKEN = "    fixtures: {}\n    checks: []\n"
BODIES = {"passes": PASSES, "fails": FAILS, "asks": ASKS, "unknown": UNKNOWN}


@dataclass(frozen=True)
class Printed:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Desk:
    """A folder in which commands are given."""

    root: Path
    capture: pytest.CaptureFixture[str]

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def suite(self, *cases: str, name: str = "shop", folder: str = ".") -> Path:
        """Write a suite with a case of each kind named, and the workflow beside it."""
        self.write(f"{folder}/flow.yaml", FLOW)
        self.write(f"{folder}/nodes.py", NODES)
        text = HEAD.format(name=name)
        for case in cases:
            made = CASE.format(id=case)
            if case == "broken":
                made, body = made.replace("price: 80", "price: 80, x: 1"), PASSES
                made = made[: made.index("    fixtures")]
            else:
                body = BODIES[case]
            text += made + body
        return self.write(f"{folder}/{name}.suite.yaml", text)

    def __call__(self, *arguments: str) -> Printed:
        self.capture.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = self.capture.readouterr()
        assert "Traceback" not in out + err
        return Printed(int(left.value.code or 0), out, err)

    def process(self, *arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """Give a command in a process of its own."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        environment |= more.pop("env", {})
        return subprocess.run(
            [sys.executable, "-m", "flowjury.cli.main", *arguments],
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=environment,
            **more,
        )


@pytest.fixture
def flowjury(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Desk]:
    path, modules = list(sys.path), set(sys.modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLOWJURY_WORKERS", "0")
    desk = Desk(tmp_path, capsys)
    desk.write("flowjury.toml", "")
    yield desk
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def normal(flowjury: Desk) -> Callable[[str], str]:
    """Replace in a text what differs from run to run."""

    def replaced(text: str) -> str:
        runs = flowjury.root / ".flowjury" / "reports"
        for run in (p.name for folder in runs.glob("*") for p in folder.glob("2*")):
            text = text.replace(run, "RUN")
        return text.replace(str(flowjury.root), "ROOT")

    return replaced
