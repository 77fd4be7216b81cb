"""`run --watch` from the command line: reports for as long as files change, and how it ends."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

BOUND = 60


class Watched:
    """A watch in a process of its own."""

    def __init__(self, root, *arguments, stdin=subprocess.DEVNULL) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.output = root / "printed.txt"
        with self.output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "flowjury.cli.main", "run", "--watch", *arguments],
                cwd=root,
                stdin=stdin,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=environment,
            )

    @property
    def text(self) -> str:
        return self.output.read_text()

    def until(self, times: int, what: str = "watching") -> str:
        """Wait until it has printed something so many times."""
        end = time.monotonic() + BOUND
        while len(re.findall(f"^{what}", self.text, re.MULTILINE)) < times:
            assert time.monotonic() < end, self.text
            assert self.process.poll() is None, self.text
            time.sleep(0.02)
        return self.text

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(BOUND)


@pytest.fixture
def watching(flowjury):
    begun = []

    def begin(*arguments, **more):
        begun.append(Watched(flowjury.root, *arguments, **more))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.wait()


@pytest.mark.parametrize("workers", ["0", "1"])
def test_an_edited_file_is_run_again_until_ctrl_c(flowjury, watching, workers):
    flowjury.suite("passes", "fails")
    watched = watching("--workers", workers)
    first = watched.until(1)
    code = (flowjury.root / "nodes.py").read_text()
    flowjury.write("nodes.py", code.replace(" costs {given['order']['price']}", "nothing"))

    both = watched.until(2)
    left = watched.interrupt()

    assert "✗ 1 failed   ✓ 1 passed" in first or "✓ 1 passed   ✗ 1 failed" in first
    assert "── changed: nodes.py · runs 2 trials" in both
    assert "✗ 2 failed" in both.partition("──")[2]
    assert left == 130
    assert "interrupted; what had finished is stored" in watched.text


def test_a_fault_is_told_and_waited_for_to_be_mended(flowjury, watching):
    path = flowjury.suite("passes")
    whole = path.read_text()
    path.write_text(whole.replace("checks:", "cheks:"))
    watched = watching("--workers", "0")
    faulty = watched.until(1)
    path.write_text(whole)

    mended = watched.until(2)

    assert "cheks" in faulty
    assert "exit 0: passed" in mended
    assert watched.interrupt() == 130


def test_keys_run_all_again_and_quit_with_the_exit_of_the_last_report(flowjury, watching):
    flowjury.suite("fails")
    ours, theirs = pty.openpty()
    watched = watching("--workers", "0", stdin=theirs)
    first = watched.until(1)
    os.write(ours, b"a\n")
    again = watched.until(2)
    os.write(ours, b"q\n")

    assert "watching · Enter: what changed · a: all · q: quit" in first
    assert "── asked · runs 1 trial" in again
    assert watched.process.wait(BOUND) == 1
    os.close(ours)
    os.close(theirs)


def test_json_is_refused_with_what_to_write_instead(flowjury):
    flowjury.suite("passes")

    refused = flowjury("run", "--watch", "--json")

    assert refused.code == 2
    assert "--report json=FILE" in refused.err


def test_a_command_that_is_wrong_from_the_start_ends(flowjury):
    flowjury.suite("passes")

    refused = flowjury("run", "--watch", "--case", "pases")

    assert refused.code == 2
    assert "nearest is 'passes'" in refused.err
