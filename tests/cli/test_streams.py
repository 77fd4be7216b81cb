from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

LOUD = """\
import os
import subprocess
import sys

print("imported")


def look_up(given):
    return {"id": given["id"], "price": 80}


def answer(given):
    print("in python")
    print("to the stream of the start", file=sys.__stdout__)
    os.write(1, b"to the descriptor\\n")
    subprocess.run([sys.executable, "-c", "print('in a program')"], check=True)
    return {"text": "A-1 costs 80"}
"""
PRINTED = ["imported", "in python", "to the stream of the start", "to the descriptor"]


@pytest.fixture
def loud(flowjury):
    flowjury.suite("passes")
    flowjury.write("nodes.py", LOUD)
    return flowjury


def test_what_code_prints_goes_to_standard_error(loud):
    ran = loud.process("run", "--json")
    shown = loud.process("run")
    graph = loud.process("suite", "lint", "--import")

    assert [report["exit"] for report in json.loads(ran.stdout)] == [0]
    assert shown.stdout.startswith("shop · run ")
    assert sorted(ran.stderr.splitlines()) == sorted([*PRINTED, "in a program"])
    assert (graph.stderr, graph.stdout.count("\n")) == ("imported\n", 1)


def test_what_code_prints_is_apart_in_one_process_too(loud):
    printed = loud("run", "--json")

    assert [report["exit"] for report in printed.json] == [0]
    assert "in python" in printed.err


def shell(desk, command, **more):
    """Give a command in a shell, which can close streams."""
    return subprocess.run(
        ["sh", "-c", f"{sys.executable} -m flowjury.cli.main {command}"],
        cwd=desk.root,
        timeout=60,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        **more,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&-"])
def test_closed_streams_stop_no_run(loud, closed):
    ran = shell(loud, f"run --report json=out.json {closed}")

    assert ran.returncode == 0
    assert json.loads((loud.root / "out.json").read_text())["exit"] == 0


CLOSED = "flowjury: standard output is closed, so what you asked for went nowhere; leave it open"
FULL = "standard output: cannot be written: No space left on device; free some space"


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("attach - <&-", 2, "flowjury: standard input is closed; name a file, or let an answer"),
        ("attach - 0>new", 2, "flowjury: standard input cannot be read: Bad file descriptor"),
        ("show nope >&-", 2, "flowjury: no case 'nope' is stored"),
        ("show nope 2>&-", 2, ""),
        ("report >&-", 4, CLOSED),
        ("report --json >&-", 4, CLOSED),
        ("show passes >&-", 4, CLOSED),
        ("pending >&-", 4, CLOSED),
        ("runs list >&-", 4, CLOSED),
        ("schema suite >&-", 4, CLOSED),
        ("run --json >&-", 4, CLOSED),
        ("report --output out.md --format markdown >&-", 0, ""),
        ("attach >&-", 0, ""),
        ("init new >&-", 0, ""),
        ("bogus 2>/dev/full", 2, ""),
        ("run nope.suite.yaml 2>/dev/full", 2, ""),
        ("report >/dev/full", 4, f"flowjury: {FULL}"),
        ("--help >/dev/full", 4, "flowjury: a file: No space left on device"),
        ("report >/dev/full 2>&1", 4, ""),
    ],
)
def test_streams_that_are_closed_or_full_have_a_sensible_exit(flowjury, command, code, said):
    flowjury.suite("passes")
    flowjury("run")
    ran = shell(flowjury, command)

    assert (ran.returncode, ran.stdout) == (code, "")
    assert ran.stderr.startswith(said)
    assert ran.stderr.count("\n") == bool(said)


def test_a_current_folder_that_is_gone_is_said(flowjury):
    ran = subprocess.run(
        ["sh", "-c", f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -m flowjury run"],
        cwd=flowjury.root,
        timeout=60,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )

    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (
        4,
        "flowjury: the current folder is gone; change to one that is there",
    )
