"""What ends this process while its exits are barred, and what does not."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from flowjury.exits import barred

CHILD = """
import os
from flowjury.exits import barred
with barred():
    child = os.fork()
    if not child:
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
os._exit(5)
"""


def leave(status):
    os._exit(status)


def leave_quietly(status):
    with suppress(SystemExit):  # which ends a thread without a word, save under pytest
        leave(status)


def test_an_exit_is_reported_and_becomes_an_exception():
    calls = []

    with barred(calls.append), pytest.raises(SystemExit, match=r"^called os\._exit\(0\)$"):
        leave(0)

    assert calls == ["os._exit(0)"]


def test_an_exit_in_a_thread_ends_that_thread_alone():
    calls = []

    with barred(calls.append):
        thread = threading.Thread(target=leave_quietly, args=(0,))
        thread.start()
        thread.join()

    assert calls == ["os._exit(0)"]


def test_every_bar_hears_of_an_exit():
    outer, inner = [], []

    with barred(outer.append), barred(inner.append), pytest.raises(SystemExit):
        leave(1)

    assert (outer, inner) == (["os._exit(1)"], ["os._exit(1)"])


def test_this_process_becomes_no_other_program():
    calls = []

    with barred(calls.append), pytest.raises(SystemExit, match=r"^called os\.exec of '/x'$"):
        os.execl("/x", "x")  # noqa: S606 - as programs do

    assert calls == ["os.exec of '/x'"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_ends_as_it_must_and_so_does_the_process_once_nothing_is_barred():
    done = subprocess.run(
        [sys.executable, "-c", CHILD], check=False, capture_output=True, text=True
    )

    assert (done.stdout, done.returncode) == ("7\n", 5)
