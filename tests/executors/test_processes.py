"""Worker processes: what one case does costs that case alone, and what it did is said."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from flowjury.errors import InputError
from flowjury.executors import Assignment, Seen
from flowjury.executors._process import Worker, how_it_ended
from flowjury.executors.processes import Processes, hire
from flowjury.job import Job, Turn
from flowjury.targets.python import PythonTarget

CODE = """\
import atexit, ctypes, os, posix, signal, subprocess, sys, threading, time
import flowjury

def answer(given):
    print("about to", given)
    return globals()["do_" + given]()

def do_tell(): return {"pid": os.getpid(), "group": os.getpgrp(), "argv": sys.argv}
def do_hang(): time.sleep(600)
def do_hang_inside():
    first("in"); second("in")
@flowjury.node
def first(given): return "out"
@flowjury.node
def second(given): return first(given) and time.sleep(600)
def do_spin():
    while True: pass
def do_leave(): posix._exit(7)
def do_crash(): ctypes.string_at(0)
def do_out_of_memory(): os.kill(os.getpid(), signal.SIGKILL)
def do_flood():
    for _ in range(300): sys.stdout.write("x" * 9_999 + "\\n")
    return "flooded"
def do_raw(): os.write(2, b"raw \\xff\\n"); return "written"
def do_fork():
    child = os.fork()
    if child: os.waitpid(child, 0)
    return {"child": not child}
def do_leave_a_child():
    with open("child", "w") as file:
        file.write(str(subprocess.Popen(["sleep", "600"]).pid))
    return "left"
def do_leave_a_bomb():
    threading.Timer(0.3, posix._exit, (9,)).start()
    return "armed"
def do_wait(): time.sleep(1); return "waited"
def do_go_away():
    os.mkdir("gone"); os.chdir("gone"); os.rmdir(os.getcwd()); return "gone"
def do_where(): return os.getcwd()
def do_scribble():
    for descriptor in range(3, 20):
        try: os.write(descriptor, b"\\0\\0\\0\\5hello")
        except OSError: pass
    return "written"
def do_promise():
    for descriptor in range(3, 20):
        try: os.write(descriptor, b"\\x7f\\xff\\xff\\xff more will come")
        except OSError: pass
    time.sleep(600)
def do_keep_the_lock():
    with open("child", "w") as file: file.write(str(os.getpid()))
    ctypes.PyDLL(None).sleep(600)
def do_keep_it_later():
    threading.Timer(0.1, ctypes.PyDLL(None).sleep, (600,)).start(); return "armed"
def do_flood_from_afar():
    if not os.fork():
        os.setsid()
        end = time.time() + 4
        while time.time() < end: os.write(1, b"x" * 65536)
        os.kill(os.getpid(), signal.SIGKILL)
    return "left"
def do_interrupt(): raise KeyboardInterrupt
def do_read(): return sys.stdin.read()
def do_linger(): atexit.register(time.sleep, 0.8); time.sleep(0.5); return "there"
"""


def job(given: str, timeout: float = 30) -> Job:
    return Job(
        case=given,
        trial=1,
        turns=(Turn(id=None, input=given),),
        data="live",
        fixtures={},
        ignore={},
        mask=(),
        timeout=timeout,
    )


@pytest.fixture
def assignment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop_code.py").write_text(CODE)
    target = PythonTarget(kind="python", call="shop_code:answer")
    return Assignment(
        target=target, root=tmp_path, workflow=None, folder=tmp_path, code_root=tmp_path
    )


@pytest.fixture
def one(assignment):
    pool = hire(assignment, workers=1, address="")
    yield pool
    pool.close()


def seen(pool, given: str, timeout: float = 30) -> Seen:
    return pool.submit(job(given, timeout)).result(60)


def output(pool, given: str):
    return seen(pool, given).observed.trace.output


def test_a_case_runs_in_a_process_and_a_group_of_its_own(one):
    told = output(one, "tell")

    assert told["pid"] != os.getpid()
    assert told["group"] == told["pid"]
    assert told == output(one, "tell"), "the same worker does the next job"


def test_what_a_case_prints_and_what_it_imported_comes_with_what_was_seen(one):
    first, second = seen(one, "tell"), seen(one, "raw")

    assert first.printed == "about to tell\n"
    assert second.printed == "about to raw\nraw \\xff\n"
    assert list(second.sources) == ["shop_code.py"]


def test_a_flood_is_kept_from_both_ends(one):
    flood = seen(one, "flood")

    assert flood.observed.trace.output == "flooded"
    assert flood.printed.startswith("about to flood\nxxx")
    assert flood.printed.endswith("xxx\n")
    assert " bytes …\n" in flood.printed
    assert len(flood.printed) < 70_000


@pytest.mark.parametrize(
    ("given", "how"),
    [
        ("leave", "exited with code 7 before it had answered"),
        ("crash", "was ended by SIGSEGV"),
        ("out_of_memory", "was ended by SIGKILL (perhaps for want of memory)"),
    ],
)
def test_a_case_that_ends_its_process_costs_itself_alone(one, given, how):
    lost = seen(one, given)

    assert lost.observed.trace is None
    assert lost.observed.fault.kind == "crash"
    assert lost.observed.fault.message == f"the process of the case {how}"
    assert lost.printed.startswith(f"about to {given}\n")
    assert lost.sources, "what it had imported is known all the same"
    assert output(one, "raw") == "written"


@pytest.mark.parametrize("given", ["hang", "spin"])
def test_a_case_that_hangs_is_killed_when_its_time_is_over(one, given):
    late = seen(one, given, timeout=0.2)

    assert late.observed.fault.kind == "timeout"
    assert "still running after 0.2 s" in late.observed.fault.message
    assert late.printed == f"about to {given}\n"
    assert output(one, "raw") == "written"


def test_what_was_seen_of_a_case_before_it_was_killed_is_kept(one):
    late = seen(one, "hang_inside", timeout=0.2).observed

    assert late.fault.node == "second"
    assert late.fault.message == (
        "still running in node second after 0.2 s; its process was killed with all it had started"
    )
    assert [(e.node, e.status) for e in late.trace.executions] == [
        ("first", "ok"),
        ("second", "cancelled"),
        ("first", "ok"),
    ]
    assert late.trace.status == "timeout"
    assert late.trace.complete["executions"] is False


def test_a_copy_of_the_process_that_comes_back_from_a_case_answers_nothing(one):
    assert output(one, "fork") == {"child": False}
    assert output(one, "raw") == "written"


def test_what_a_case_leaves_behind_is_ended_with_its_worker(one, tmp_path):
    assert output(one, "leave_a_child") == "left"
    child = int((tmp_path / "child").read_text())
    assert running(child)

    one.close()

    deadline = time.monotonic() + 10
    while running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running(child)


def test_a_case_whose_worker_an_earlier_one_has_armed_runs_once_more_alone(one):
    assert output(one, "leave_a_bomb") == "armed"

    assert output(one, "wait") == "waited"


def test_an_interruption_that_code_raises_by_itself_is_what_it_raised(one):
    interrupted = seen(one, "interrupt").observed

    assert interrupted.fault is None
    assert interrupted.trace.error.type == "KeyboardInterrupt"


def test_a_case_begins_where_the_first_one_did(one, tmp_path):
    assert output(one, "go_away") == "gone"

    assert output(one, "where") == str(tmp_path)


def test_what_is_written_over_an_answer_is_the_fault_of_its_case(one):
    fault = seen(one, "scribble").observed.fault

    assert fault.kind == "crash"
    assert "wrote to a descriptor that it had not opened" in fault.message
    assert output(one, "raw") == "written"


def test_an_answer_that_never_comes_whole_is_waited_for_no_longer_than_its_time(one):
    late = seen(one, "promise", timeout=0.2)

    assert late.observed.fault.kind == "timeout"
    assert late.seconds < 5


def test_a_job_that_nobody_reads_is_waited_for_no_longer_than_its_time(one):
    assert output(one, "keep_it_later") == "armed"
    time.sleep(0.3)
    large = replace(job("raw", timeout=0.2), turns=(Turn(id=None, input="x" * 10_000_000),))

    late = one.submit(large).result(60)

    assert late.observed.fault.kind == "timeout"
    assert late.seconds < 5


def test_a_flood_that_goes_on_after_its_case_holds_nobody_up(one):
    began = time.monotonic()

    assert output(one, "flood_from_afar") == "left"
    assert output(one, "raw") == "written"
    assert time.monotonic() - began < 3


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel has no way to tell")
def test_a_worker_ends_with_the_process_that_hired_it_whatever_it_does(assignment, tmp_path):
    code = (
        "import sys; from test_processes import hire, job, pickle;"
        "hire(pickle.load(sys.stdin.buffer), workers=1, address='')"
        ".submit(job('keep_the_lock')).result()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )
    assert parent.stdin is not None
    with parent.stdin as given:
        pickle.dump(assignment, given)
    child = tmp_path / "child"
    try:
        until(lambda: child.exists() and child.read_text())
    finally:
        parent.kill()
        parent.wait()

    until(lambda: not running(int(child.read_text())))


def test_standard_input_is_empty(one):
    assert output(one, "read") == ""


def test_closing_kills_what_still_runs(assignment):
    pool = Processes(assignment, 2)
    going = [pool.submit(job("hang", 600)) for _ in range(2)]
    time.sleep(0.5)

    began = time.monotonic()
    pool.close()

    assert time.monotonic() - began < 10
    assert all(each.done() for each in going)


def test_code_that_cannot_be_loaded_is_a_fault_of_the_suite(assignment, tmp_path):
    (tmp_path / "shop_code.py").write_text("import missing_thing\n")

    with pytest.raises(InputError, match="missing_thing"):
        hire(assignment, workers=2, address="")


def test_code_that_ends_the_process_which_loads_it_is_a_fault_of_the_suite(assignment, tmp_path):
    (tmp_path / "shop_code.py").write_text("import posix; print('bye', flush=True); posix._exit(3)")

    with pytest.raises(InputError) as caught:
        hire(assignment, workers=2, address="")
    assert "its process exited with code 3 before it had answered" in str(caught.value)
    assert 'the last that it printed: "bye"' in str(caught.value)


def test_a_worker_that_cannot_be_hired_any_more_is_an_error_of_its_case(one, tmp_path):
    (tmp_path / "shop_code.py").write_text("gone = 1\n")
    seen(one, "leave")

    fault = seen(one, "tell").observed.fault

    assert fault.kind == "harness"
    assert "has no 'answer'" in fault.message


def test_a_worker_that_is_never_ready_is_not_waited_for(assignment, tmp_path):
    (tmp_path / "shop_code.py").write_text(
        "import time\nprint('wait', flush=True)\ntime.sleep(600)"
    )
    worker = Worker(assignment)

    with pytest.raises(InputError) as caught:
        worker.prepare(0.5)
    worker.end()

    assert 'did not load it within 0.5 s; the last that it printed: "wait"' in str(caught.value)


def test_closing_does_not_wait_for_a_worker_that_gets_ready(one, tmp_path):
    seen(one, "leave")
    (tmp_path / "shop_code.py").write_text("import time\ntime.sleep(600)")
    going = one.submit(job("tell"))
    time.sleep(0.5)
    began = time.monotonic()

    one.close()

    assert time.monotonic() - began < 5
    assert going.result().observed.fault.kind == "harness"


def test_a_folder_that_is_gone_is_an_error_of_the_case_that_needs_a_worker_there(
    one, assignment, tmp_path
):
    seen(one, "leave")
    moved = tmp_path.rename(tmp_path.with_name("elsewhere"))
    try:
        fault = seen(one, "tell").observed.fault
    finally:
        moved.rename(tmp_path)

    assert fault.kind == "harness"
    assert fault.message.startswith("no process can be started for the case: ")
    assert str(assignment.folder) in fault.message


def test_a_process_says_how_it_ended():
    assert how_it_ended(-1_000) == "was ended by signal 1000"


def until(holds) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_workers_are_ended_side_by_side(assignment):
    pool = hire(assignment, workers=3, address="")
    going = [pool.submit(job("linger")) for _ in range(3)]
    assert [each.result(60).observed.trace.output for each in going] == ["there"] * 3

    began = time.monotonic()
    pool.close()

    assert time.monotonic() - began < 2, "one after the other they need 2.4 seconds"
