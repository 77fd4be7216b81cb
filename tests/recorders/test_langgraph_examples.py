"""The examples of LangGraph: their suites pass on every machine, without a network or a key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import flowjury

pytest.importorskip("langgraph", reason="LangGraph is an extra: pip install 'flowjury[langgraph]'")

EXAMPLES = Path(__file__).parents[2] / "examples"
RUN = "import sys; from flowjury.cli.main import main; sys.exit(main())"


@pytest.mark.parametrize(
    ("folder", "suite", "passed"),
    [
        ("langgraph_agent", "agent.suite.yaml", "3 passed"),
        ("langgraph_graph", "article.suite.yaml", "4 passed"),
    ],
)
def test_every_case_passes(tmp_path: Path, folder: str, suite: str, passed: str):
    shutil.copytree(EXAMPLES / folder, tmp_path / folder)

    command = [sys.executable, "-c", RUN, "run", f"{folder}/{suite}"]
    where = {**os.environ, "PYTHONPATH": str(Path(flowjury.__file__).parents[1])}
    done = subprocess.run(
        command, cwd=tmp_path, env=where, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert passed in done.stdout
