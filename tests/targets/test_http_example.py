"""The example of a service: started as its README says, its suites pass, and keep its secret."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import flowjury

for package in ("fastapi", "httpx2", "uvicorn"):
    pytest.importorskip(package)

EXAMPLE = Path(__file__).parents[2] / "examples" / "http_service"
RUN = "import sys; from flowjury.cli.main import main; sys.exit(main())"
SECRET = "a-token-that-nobody-may-see"


@pytest.fixture
def project(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "example"


@pytest.fixture
def environment(project):
    """Serve the example on a free port; who asks before it is up waits for it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        number = listening.fileno()
        command = [sys.executable, "-m", "uvicorn", "app:app", "--fd", str(number)]
        where = {
            **os.environ,
            "SHOP_TOKEN": SECRET,
            "SHOP_URL": f"http://127.0.0.1:{listening.getsockname()[1]}",
            "PYTHONPATH": str(Path(flowjury.__file__).parents[1]),
        }
        server = subprocess.Popen(
            command, cwd=project, env=where, pass_fds=[number], stderr=subprocess.DEVNULL
        )
        yield where
        server.terminate()
        server.wait(10)


def run(project, environment, *words):
    command = [sys.executable, "-c", RUN, "run", *words]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("workers", ["0", "2"])
def test_every_case_passes_and_nothing_keeps_the_secret(project, environment, workers):
    done = run(project, environment, "--workers", workers, "--report", "json=report.json")

    assert (done.returncode, done.stderr) == (0, "")
    assert "4 passed" in done.stdout
    assert "1 passed" in done.stdout
    kept = [path for path in project.rglob("*") if path.is_file()]
    assert [path for path in kept if SECRET.encode() in path.read_bytes()] == []


def test_another_token_is_refused_as_an_error_of_every_case(project, environment):
    done = run(project, {**environment, "SHOP_TOKEN": "another-token"}, "refunds.suite.yaml")

    assert done.returncode == 4
    assert "4 error" in done.stdout
    assert "answered 401 Unauthorized" in done.stdout
    assert "another-token" not in done.stdout


def test_without_its_token_no_case_is_begun(project, environment):
    lacking = {name: value for name, value in environment.items() if name != "SHOP_TOKEN"}
    done = run(project, lacking, "refunds.suite.yaml")

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "flowjury: refunds.suite.yaml:7: /target/headers/Authorization: not set in this"
        " environment: SHOP_TOKEN\n"
    )
