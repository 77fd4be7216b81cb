"""A project that adopts the plugin, and pytest run on it as a program of its own."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from flowjury.app.project import find_project
from flowjury.store.runs import RunStore

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
    print("answering")
    return {"text": f"{given['order']['id']} costs {given['order']['price']}"}
"""
HEAD = """\
format: 1
name: {name}
workflow: flow.yaml
target: {{kind: graph}}
"""
CASE = """\
  - id: {id}
    title: The case that {id}
    tags: [{tags}]
    input: {{id: A-1}}
"""
SERVED = "    fixtures: {look_up: [{output: {id: A-1, price: 80}}]}\n"
PASSES = SERVED + "    checks: [{kind: value, at: /output/text, op: contains, value: costs}]\n"
BODIES = {
    "passes": PASSES,
    "fails": SERVED + "    checks: [{kind: value, at: /output/text, op: equals, value: no}]\n",
    "asks": SERVED
    + """\
    rubric:
      evidence: [{at: /output/text}]
      criteria: [{id: clear, text: It is clear, quote: false}]
""",
    "unknown": SERVED + "    checks: [{kind: value, at: /messages/0, op: exists}]\n",
    "breaks": "    checks: [{kind: value, at: /output/text, op: contains, value: costs}]\n",
    "skipped": "    skip: not yet\n",
}
OTHERS = ("cov", "langsmith_plugin", "hypothesispytest", "anyio")
"""Plugins of this environment that have nothing to do with ours, and take long to load."""


@dataclass
class Adopter:
    """A project with suites."""

    pytester: pytest.Pytester

    @property
    def root(self) -> Path:
        return self.pytester.path

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def suite(
        self, *cases: str, name: str = "shop", folder: str = ".", tags: str = "", more: str = ""
    ) -> Path:
        """Write a suite with the cases named, and its workflow beside it."""
        self.write(f"{folder}/flow.yaml", FLOW)
        self.write(f"{folder}/nodes.py", NODES)
        text = HEAD.format(name=name) + more + "cases:\n"
        for case in cases:
            text += CASE.format(id=case, tags=tags) + BODIES.get(case, PASSES)
        return self.write(f"{folder}/{name}.suite.yaml", text)

    def run(self, *arguments: str, asyncio: bool = False) -> pytest.RunResult:
        """Run pytest; a warning that somebody would see is an error."""
        others = (*OTHERS, *(() if asyncio else ("asyncio",)))
        without = [word for name in others for word in ("-p", f"no:{name}")]
        return self.pytester.runpytest_subprocess(
            "-W", "error", "--strict-markers", *without, *arguments, timeout=60
        )

    def lines(self, result: pytest.RunResult, between: str) -> list[str]:
        """Return the lines of one section of what pytest printed."""
        found: list[str] = []
        inside = False
        for line in result.outlines:
            heading = re.fullmatch(r"=+ (.+?) =+", line)
            if heading:
                inside = heading[1] == between
            elif inside:
                found.append(line)
        return found

    def summary(self, result: pytest.RunResult) -> str:
        """Return the counts, without the time."""
        return re.sub(r" in [\d.]+s.*", "", result.outlines[-1].strip("= "))

    def stored(self) -> list[tuple[str, bool, int]]:
        """Return suite, whether it came to its end, and number of records, of each run."""
        with RunStore.open_readonly(find_project(self.root).root) as store:
            return [(one.run.suite, one.run.finished, one.records) for one in store.runs()]


@pytest.fixture
def adopter(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Adopter:
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)
    made = Adopter(pytester)
    made.write("flowjury.toml", "")
    return made
