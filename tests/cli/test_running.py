"""Running on workers, from the command line: what hangs, crashes and prints, shards, a debugger."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """\
import ctypes
import time


def answer(given):
    print("asked for", given)
    if given == "hang":
        time.sleep(600)
    if given == "crash":
        ctypes.string_at(0)
    return given.upper()
"""
SUITE = """\
format: 1
name: desk
target: {kind: python, call: desk_code:answer}
data: live
timeout: 1
cases:
  - {id: hangs, input: hang}
  - {id: crashes, input: crash}
  - {id: prints, input: hello, checks: [{kind: value, at: /output, op: equals, value: HELLO}]}
  - {id: fails, input: hello, checks: [{kind: value, at: /output, op: equals, value: hello}]}
"""
STOPS = """\
def answer(given):
    price = 80 * len(given)
    breakpoint()
    return given.upper()
"""
REPORT = """\
desk · run RUN · data: live
  ✓ 1 passed   ✗ 1 failed   ! 2 error   of 4 cases
ERROR  hangs
  reason  timeout: still running after 1 s; its process was killed with all it had started
ERROR  crashes
  reason  crash: the process of the case was ended by SIGSEGV
FAILED  fails
  ✗ value  /output is "HELLO": `equals "hello"` does not hold
      at /output   expected "hello"   found "HELLO"
exit 4: error (2 error, 1 failed)
"""


@pytest.fixture
def desk(flowjury):
    flowjury.write("desk_code.py", CODE)
    flowjury.write("desk.suite.yaml", SUITE)
    return flowjury


def without_times(value):
    """Leave out of a report what tells one run from another."""
    if isinstance(value, dict):
        left = {key: item for key, item in value.items() if key not in {"run", "started"}}
        return {key: without_times(item) for key, item in left.items() if key != "seconds"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def latest(root: Path):
    return json.loads((root / ".flowjury/reports/desk/latest/report.json").read_text())


def test_what_hangs_and_what_crashes_costs_one_case_each(desk, normal):
    ran = desk("run", "--workers", "2")

    assert ran.code == 4
    assert normal(ran.out).startswith(REPORT)
    assert ran.err == "", "what cases print is kept with them"


@pytest.mark.parametrize("case", ["hangs", "crashes", "prints"])
def test_what_a_case_printed_is_shown_with_it(desk, case):
    desk("run", "-n", "2")
    given = {"hangs": "hang", "crashes": "crash", "prints": "hello"}[case]

    shown = desk("show", case)

    assert shown.code == 0
    assert shown.out.endswith(f"printed:\n  asked for {given}\n")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--workers", "-1"], "--workers -1: write 0 for this process, or how many there shall be"),
        (
            ["--executor", "proceses"],
            (
                "no member of executors is named 'proceses'; nearest is 'processes' "
                "(known: dask, inline, processes, threads)"
            ),
        ),
        (["--executor", "dask"], "--executor dask needs the scheduler: write dask://HOST:PORT"),
        (["--resume"], "there is no run to resume; run without --resume"),
        (["--shard", "4/3"], "--shard '4/3': write I/N with 1 <= I <= N, for example 1/3"),
    ],
)
def test_what_cannot_be_meant_is_refused(desk, options, says):
    refused = desk("run", *options)

    assert (refused.code, refused.out, refused.err) == (2, "", f"flowjury: {says}\n")


def test_a_run_that_came_to_its_end_is_resumed_without_running_anything(desk):
    desk("run", "-n", "2", "-c", "prints")
    desk.write("desk.suite.yaml", SUITE.replace("equals, value: HELLO", "equals, value: hi"))

    resumed = desk("run", "-n", "2", "--resume", "--json")

    assert resumed.code == 1, "today's checks are asked"
    assert [one["status"] for one in resumed.json[0]["cases"]] == ["not-run"] * 2 + [
        "failed",
        "not-run",
    ]


def test_code_that_changed_is_run_again_by_force_alone(desk):
    desk("run", "-n", "2", "-c", "prints")
    desk.write("desk_code.py", CODE + "\n# edited\n")

    refused = desk("run", "-n", "2", "--resume")
    forced = desk("run", "-n", "2", "--resume", "--force")

    assert refused.code == 2
    assert "1 case of it ran on what has changed" in refused.err
    assert "desk_code.py" in refused.err
    assert (forced.code, forced.err) == (0, "")


def test_three_shards_that_are_merged_give_the_report_of_one_run(desk, monkeypatch):
    parts = [desk.root.parent / f"{desk.root.name}-{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        shutil.copytree(desk.root, part)
        monkeypatch.chdir(part)
        desk("run", "-n", "2", "--shard", f"{number}/3")
    monkeypatch.chdir(desk.root)

    merged = desk("runs", "merge", *map(str, parts))
    in_parts = latest(desk.root)
    whole = desk("run", "-n", "2")

    assert merged.code == whole.code == 4
    assert not in_parts["partial"]
    assert without_times(in_parts) == without_times(latest(desk.root))


def test_a_debugger_stops_in_the_process_of_the_command(desk):
    desk.write("desk_code.py", STOPS)

    ran = desk.process("run", "-n", "0", "-c", "prints", input="p price\ncontinue\n")

    assert ran.returncode == 0
    assert ran.stdout.startswith("desk · run ")
    assert "answer()\n-> " in ran.stderr
    assert "\n(Pdb) 400\n(Pdb) " in ran.stderr


def test_a_debugger_can_be_used_on_a_terminal(desk):
    desk.write("desk_code.py", STOPS)
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "flowjury.cli.main", "run", "-n", "0", "-c", "prints"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    os.close(theirs)

    said = _until(terminal, "(Pdb) ")
    os.write(terminal, b"p price\n")
    said += _until(terminal, "(Pdb) ")
    os.write(terminal, b"continue\n")
    said += _until(terminal, None)
    os.close(terminal)

    assert process.wait() == 0
    assert "(Pdb) p price\r\n400\r\n(Pdb) continue\r\n" in said


def test_in_a_worker_a_debugger_has_nobody_to_ask(desk):
    desk.write("desk_code.py", STOPS)

    ran = desk("run", "-n", "1", "-c", "prints")

    assert ran.code == 1
    assert "ended with BdbQuit" in ran.out
    assert "raised at desk_code.py:" in ran.out


def _until(terminal: int, text: str | None) -> str:
    """Read a terminal up to a text, or to the end."""
    said = b""
    while text is None or text.encode() not in said:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # the program has ended
            break
    return said.decode()
