"""`make demo` shows the main job on the sample suite, offline, and ends with everything passed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / ".ci" / "demo.sh"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """Run the script with a `flowjury` that this Python runs, and without any key."""
    folder = tmp_path_factory.mktemp("demo")
    flowjury = folder / "venv" / "bin" / "flowjury"
    flowjury.parent.mkdir(parents=True)
    code = "from flowjury.cli.main import main; main()"
    flowjury.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    flowjury.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if "KEY" not in name}
    environment |= {"VENV": str(folder / "venv"), "DEMO": str(folder / "copy")}
    return subprocess.run(
        ["bash", str(SCRIPT)],
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_it_ends_well(demo: subprocess.CompletedProcess[str]) -> None:
    assert demo.returncode == 0, demo.stdout


def test_it_goes_from_an_open_case_to_everything_passed(
    demo: subprocess.CompletedProcess[str],
) -> None:
    counted = re.findall(r"^  [✓✗?!].* of \d+ cases$", demo.stdout, re.MULTILINE)
    ended = re.findall(r"^exit .*$", demo.stdout, re.MULTILINE)

    assert counted == [
        "  ✓ 8 passed   ? 1 needs-judge   of 9 cases",
        "  ✓ 9 passed   of 9 cases",
        "  ✓ 9 passed   of 9 cases",
    ]
    assert ended == ["exit 3: incomplete (1 needs-judge)", "exit 0: passed", "exit 0: passed"]


def test_one_case_is_settled_by_a_committed_judgement(
    demo: subprocess.CompletedProcess[str],
) -> None:
    before_attaching = demo.stdout.partition("== 3.")[0]

    assert "PASSED  rejection-is-kind" in before_attaching


def test_it_says_before_each_step_what_it_shows(demo: subprocess.CompletedProcess[str]) -> None:
    steps = re.findall(r"^== (\d)\. .*\n\$ flowjury (\w+)", demo.stdout, re.MULTILINE)

    assert steps == [("1", "run"), ("2", "pending"), ("3", "attach"), ("4", "refresh")]


def test_it_names_reports_that_are_there(demo: subprocess.CompletedProcess[str]) -> None:
    named = demo.stdout.partition("The reports:")[2].split()

    assert {Path(path).name for path in named} == {"report.json", "report.md", "report.xml"}
    assert [path for path in named if not Path(path).is_file()] == []
