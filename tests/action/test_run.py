from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import ROOT

SCRIPT = ROOT / ".ci" / "action" / "run.py"
SUITE = """\
format: 1
name: {name}
target: {{kind: python, call: answers:answer}}
data: live
cases:
  - id: polite
    tags: [smoke]
    input: hello
    checks: [{{kind: value, at: /output, op: equals, value: {expected}}}]
"""
ANSWERS = """\
def answer(given):
    print("::set-env name=PATH::/evil")
    return given
"""


@dataclass(frozen=True)
class Ran:
    lines: list[str]
    outputs: dict[str, str]
    summary: str


@dataclass
class Job:
    folder: Path

    def suite(self, name: str, expected: str = "hello") -> None:
        (self.folder / "work" / f"{name}.suite.yaml").write_text(
            SUITE.format(name=name, expected=expected)
        )

    def run(self, where: str = "work", **inputs: str) -> Ran:
        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        files["GITHUB_STEP_SUMMARY"].write_text("before\n")
        ran = subprocess.run(
            [sys.executable, SCRIPT],
            cwd=self.folder / where,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "RUNNER_TEMP": str(self.folder),
                **{name: str(path) for name, path in files.items()},
                **inputs,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
            timeout=60,
        )
        told = re.findall(
            r"^(\w+)<<(\w+)\n(.*)\n\2$", files["GITHUB_OUTPUT"].read_text(), re.MULTILINE
        )
        return Ran(
            ran.stdout.splitlines(),
            {name: value for name, _, value in told},
            files["GITHUB_STEP_SUMMARY"].read_text(),
        )


@pytest.fixture
def job(tmp_path: Path) -> Job:
    work = tmp_path / "work"
    work.mkdir()
    (work / "flowjury.toml").write_text("")
    (work / "answers.py").write_text(ANSWERS)
    return Job(tmp_path)


def test_it_annotates_summarises_and_tells_how_the_run_ended(job):
    job.suite("good")
    job.suite("bad", expected="goodbye")
    ran = job.run()

    assert ran.outputs["exit"] == "1"
    assert ran.outputs["reports"] == str(job.folder / "work" / ".flowjury" / "reports")
    assert ran.lines[-1].startswith("::error file=bad.suite.yaml,line=6,title=bad%3A polite failed")
    assert Path(ran.outputs["summary"]).read_text() == ran.summary.removeprefix("before\n")
    assert re.findall(r"^### (.*)$", ran.summary, re.MULTILINE) == [
        "✗ `bad`: failed",
        "✓ `good`: passed",
    ]


def test_what_the_program_prints_is_no_command(job):
    job.suite("good")
    lines = job.run(ARGS="--workers 0").lines
    stopped = next(n for n, line in enumerate(lines) if line.startswith("::stop-commands::"))
    resumed = lines.index(f"::{lines[stopped].removeprefix('::stop-commands::')}::")
    commands = [n for n, line in enumerate(lines) if line.lstrip().startswith("::")]

    assert any("set-env" in line for line in lines[stopped:resumed])
    assert [n for n in commands if not stopped <= n <= resumed] == []


def test_suites_and_options_are_words_as_a_shell_reads_them_and_nothing_of_them_is_run(job):
    job.suite("good")
    (job.folder / "work" / "good.suite.yaml").rename(
        job.folder / "work" / "a $(touch x).suite.yaml"
    )
    ran = job.run(SUITES="'a $(touch x).suite.yaml'", ARGS="-k 'polite or \"; touch x\"'")

    assert ran.outputs["exit"] == "0"
    assert not (job.folder / "work" / "x").exists()


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"SUITES": "none.suite.yaml"}, "flowjury run ended with exit 2; its log says why"),
        ({"ARGS": "--tag nope"}, "flowjury run ended with exit 2; its log says why"),
        ({"ARGS": "-k 'open"}, "suites and args are read as a shell does: No closing quotation"),
    ],
)
def test_a_wrong_input_is_annotated_and_kept_as_exit_2(job, inputs, said):
    job.suite("good")
    ran = job.run(**inputs)

    assert ran.lines[-1] == f"::error title=FlowJury::{said}"
    assert ran.outputs["exit"] == "2"


def test_an_empty_shard_is_summarised_as_that(job):
    job.suite("good")
    shards = [job.run(ARGS=f"--shard {number}/2") for number in (1, 2)]

    assert [ran.outputs["exit"] for ran in shards] == ["0", "0"]
    assert sorted("### FlowJury: no report" in ran.summary for ran in shards) == [False, True]


def test_the_reports_are_those_of_the_project_above(job):
    job.suite("good")
    (job.folder / "work" / "sub").mkdir()
    ran = job.run("work/sub", SUITES="../good.suite.yaml")

    assert ran.outputs["reports"] == str(job.folder / "work" / ".flowjury" / "reports")
