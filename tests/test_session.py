"""How the turns of a job are played in this process."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from flowjury.case import Fixture, Resume
from flowjury.errors import LimitReached, PluginError, TargetError
from flowjury.interruption import heeded
from flowjury.job import Job, Turn
from flowjury.record import CaseFault
from flowjury.session import observed
from flowjury.trace import Raised
from flowjury.tracer.active import Ending
from flowjury.tracer.instruments import boundary, carry, node
from flowjury.workflow import Node, Workflow

FAR = ("192.0.2.1", 443)


@boundary
def fetch(key):
    return {"key": key}


def job(*turns, **options):
    usual = {
        "case": "c",
        "trial": 1,
        "turns": turns or (Turn(id=None, input="in"),),
        "data": "live",
        "fixtures": {},
        "ignore": {},
        "mask": (),
        "timeout": 5,
    }
    return Job(**{**usual, **options})


def playing(function):
    return lambda turn, _recording: Ending(output=function(turn.input))


def raising(error):
    def fail(_):
        raise error

    return playing(fail)


def test_a_turn_that_answers_is_finished():
    seen = observed(job(), playing(str.upper))

    assert (seen.fault, seen.recorded, seen.replayed) == (None, {}, False)
    assert (seen.trace.status, seen.trace.input, seen.trace.output) == ("finished", "in", "IN")


def test_what_the_workflow_raises_is_an_observation_and_the_next_turn_is_played():
    def play(turn, _recording):
        if turn.id == "s1":
            raise ValueError("no")
        return Ending(output=2)

    seen = observed(job(Turn(id="s1"), Turn(id="s2")), play)

    first = seen.trace.steps[0].trace.error
    assert seen.fault is None
    assert first.where.endswith(f"test_session.py:{play.__code__.co_firstlineno + 2} in play")
    assert [(s.id, s.trace.status, s.trace.error) for s in seen.trace.steps] == [
        ("s1", "error", Raised(type="ValueError", message="no", where=first.where)),
        ("s2", "finished", None),
    ]


@pytest.mark.parametrize(
    ("error", "status", "fault"),
    [
        (LimitReached("too many"), "error", CaseFault(kind="limit", message="too many")),
        (TargetError("broken"), "error", CaseFault(kind="target", message="broken")),
        (PluginError("x: no"), "error", CaseFault(kind="harness", message="x: no")),
        (
            SystemExit(3),
            "crashed",
            CaseFault(
                kind="crash", message="the workflow left by SystemExit(3) instead of answering"
            ),
        ),
    ],
)
def test_what_is_no_fault_of_the_workflow_is_a_fault_and_ends_the_case(error, status, fault):
    seen = observed(job(Turn(id="s1"), Turn(id="s2")), raising(error))

    assert seen.fault == fault.model_copy(update={"step": "s1"})
    assert [(s.id, s.trace.status) for s in seen.trace.steps] == [("s1", status)]


def test_an_interruption_by_the_user_goes_through():
    with pytest.raises(KeyboardInterrupt):
        observed(job(), raising(KeyboardInterrupt()))


class StopError(BaseException):
    """What is no Exception."""


class HostileError(BaseException):
    def __str__(self):
        raise StopError


@pytest.mark.parametrize(
    "error", [StopError("no"), GeneratorExit("no"), asyncio.CancelledError("no")]
)
def test_what_is_no_exception_is_an_observation_like_one(error):
    async def play():
        raise error

    sync = observed(job(Turn(id="s1"), Turn(id="s2")), raising(error))
    in_a_loop = observed(job(Turn(id="s1"), Turn(id="s2")), lambda _turn, _recording: play())

    for seen in (sync, in_a_loop):
        ends = [(step.trace.status, step.trace.error.type) for step in seen.trace.steps]
        assert (seen.fault, ends) == (None, [("error", type(error).__name__)] * 2)


def test_an_exception_whose_text_raises_what_is_no_exception_is_an_observation_too():
    seen = observed(job(), raising(HostileError()))

    assert seen.fault is None
    assert seen.trace.error.message == "<no message: str() of this HostileError fails>"


def test_an_exit_with_a_code_that_cannot_be_shown_is_a_crash():
    seen = observed(job(), raising(SystemExit(HostileError())))

    assert seen.fault.message == (
        "the workflow left by SystemExit(HostileError) instead of answering"
    )


def test_an_exit_in_a_task_is_a_crash_and_leaves_nothing_behind(caplog):
    async def leave():
        raise SystemExit(3)

    async def play():
        await asyncio.gather(leave())
        return Ending()

    seen = observed(job(), lambda _turn, _recording: play())
    gc.collect()

    assert (seen.fault.kind, seen.trace.status, caplog.text) == ("crash", "crashed", "")
    assert observed(job(), playing(str.upper)).trace.output == "IN"


def test_an_interruption_that_the_workflow_raises_by_itself_is_an_observation():
    async def play():
        raise KeyboardInterrupt

    with heeded():
        sync = observed(job(), raising(KeyboardInterrupt()))
        in_a_loop = observed(job(), lambda _turn, _recording: play())

    for seen in (sync, in_a_loop):
        assert (seen.fault, seen.trace.error.type) == (None, "KeyboardInterrupt")


@pytest.mark.parametrize("error", [TimeoutError("its own"), asyncio.CancelledError()])
def test_the_workflow_may_raise_time_outs_and_cancellations_of_its_own(error):
    async def play():
        raise error

    seen = observed(job(), lambda _turn, _recording: play())

    assert (seen.fault, seen.trace.error.type) == (None, type(error).__name__)


def test_an_asynchronous_turn_is_cancelled_when_the_time_is_over_and_its_trace_is_kept():
    @node
    async def slow():
        fetch("k")
        await asyncio.sleep(60)

    async def play():
        await slow()
        return Ending()

    seen = observed(job(timeout=0.05), lambda _turn, _recording: play())

    assert seen.fault == CaseFault(
        kind="timeout", message="took longer than its timeout of 0.05 seconds"
    )
    assert seen.trace.status == "timeout"
    assert [(e.node, e.status) for e in seen.trace.executions] == [
        ("slow", "cancelled"),
        ("fetch", "ok"),
    ]


def test_an_asynchronous_turn_that_ignores_its_cancellation_is_out_of_time_all_the_same():
    async def play():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return Ending(output="ignored")

    seen = observed(job(timeout=0.02), lambda _turn, _recording: play())

    assert seen.fault.kind == "timeout"


async def going_on():
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)


LEFT = (
    "did not end within 0.02 seconds after it was cancelled, and was left behind; let"
    " asyncio.CancelledError through"
)


def test_an_asynchronous_turn_that_never_ends_is_left_behind_and_its_case_is_at_fault():
    seen = observed(job(timeout=0.02), lambda _turn, _recording: going_on(), grace=0.02)

    assert seen.fault == CaseFault(kind="timeout", message=f"{LEFT} (its timeout is 0.02 seconds)")
    assert seen.trace.status == "timeout"
    assert observed(job(), lambda _turn, _recording: later()).trace.output == "next"


async def later():
    await asyncio.sleep(0)
    return Ending(output="next")


def test_a_task_that_outlives_its_turn_and_never_ends_is_a_fault():
    tasks = []

    async def play():
        tasks.append(asyncio.create_task(going_on()))
        await asyncio.sleep(0)
        return Ending(output="done")

    seen = observed(job(), lambda _turn, _recording: play(), grace=0.02)

    assert seen.fault == CaseFault(kind="timeout", message=LEFT)
    assert not tasks[0].done()


def test_tasks_and_generators_that_outlive_the_last_turn_are_ended():
    ended = []

    async def lasting(name):
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(name)

    async def stream():
        try:
            yield 1
        finally:
            ended.append("stream")

    async def play():
        items.append(stream())
        await anext(items[0])
        tasks.append(asyncio.create_task(lasting("task")))
        await asyncio.sleep(0)
        return Ending(output="done")

    items, tasks = [], []
    seen = observed(job(), lambda _turn, _recording: play())

    assert (seen.fault, ended) == (None, ["task", "stream"])


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_a_task_that_exits_when_it_is_cancelled_ends_no_more_than_its_case(error):
    async def leaving():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise error from None

    async def play():
        tasks.append(asyncio.create_task(leaving()))
        await asyncio.sleep(0)
        return Ending(output="done")

    tasks = []
    with heeded():
        seen = observed(job(), lambda _turn, _recording: play(), grace=0.02)

    assert seen.fault.kind == "timeout"
    assert isinstance(tasks.pop().exception(), error)


@pytest.mark.parametrize("steps", [("s1",), ("s1", "s2")])
def test_an_interruption_that_the_workflow_catches_goes_through_all_the_same(steps):
    played = []

    def caught(given):
        with suppress(BaseException):
            signal.raise_signal(signal.SIGINT)
        played.append(given)

    turns = [Turn(id=step, input=step) for step in steps]
    with heeded(), pytest.raises(KeyboardInterrupt):
        observed(job(*turns), playing(caught))

    assert played == ["s1"]
    assert observed(job(), playing(str.upper)).trace.output == "IN"


def test_a_turn_that_cannot_be_cancelled_is_at_fault_when_it_ends():
    seconds = count(step=10**9)

    seen = observed(job(timeout=0.5), playing(str.upper), clock=lambda: next(seconds))

    assert (seen.fault.kind, seen.trace.status) == ("timeout", "timeout")


def test_asynchronous_turns_share_a_loop():
    loops = []

    async def play():
        loops.append(asyncio.get_running_loop())
        return Ending()

    observed(job(Turn(id="s1"), Turn(id="s2")), lambda _turn, _recording: play())

    assert loops[0] is loops[1]


def test_it_works_inside_a_running_loop():
    async def play(turn):
        await asyncio.sleep(0)
        return Ending(output=turn.input)

    async def main():
        return observed(job(), lambda turn, _recording: play(turn))

    assert asyncio.run(main()).trace.output == "in"


def test_what_is_recorded_can_be_replayed():
    play = playing(fetch)
    first = observed(job(data="record"), play)
    again = observed(job(data="replay", fixtures=first.recorded), play)

    assert list(first.recorded) == ["fetch"]
    assert (first.replayed, again.replayed) == (False, True)
    assert again.trace.output == first.trace.output == {"key": "in"}


def test_fixtures_that_answered_nothing_are_named_in_the_trace():
    fixtures = {"fetch": (Fixture(output=1), Fixture(output=2)), "fecth": (Fixture(output=1),)}

    seen = observed(job(data="replay", fixtures=fixtures), playing(fetch))

    assert seen.trace.unused == ("1 of 2 of 'fetch'", "1 of 1 of 'fecth' (no boundary node asked)")


def test_the_names_of_fixtures_are_resolved_by_the_workflow():
    nodes = {"sub": Node(), "sub:fetch": Node(boundary=True)}
    fixtures = {"fetch": (Fixture(output=1),)}

    def play(_turn, recording):
        with recording.visiting("sub:fetch", boundary=True) as span:
            return Ending(output=span.replay())

    seen = observed(
        job(data="replay", fixtures=fixtures), play, workflow=Workflow(name="w", nodes=nodes)
    )

    assert seen.trace.output == 1
    assert list(seen.trace.workflow.nodes) == ["sub", "sub:fetch"]


def test_a_missing_fixture_is_a_fault_even_if_the_workflow_catches_it():
    def caught(given):
        try:
            return fetch(given)
        except Exception:  # noqa: BLE001 - as careless programs do
            return "fine"

    seen = observed(job(Turn(id="s1", input=1), data="replay"), playing(caught))

    assert (seen.fault.kind, seen.fault.node, seen.fault.step) == ("fixture-miss", "fetch", "s1")
    assert seen.trace.steps[0].trace.complete == {"executions": False, "usage": False}


@pytest.mark.parametrize("catch", [True, False])
def test_going_live_on_replay_is_a_fault_even_if_the_workflow_catches_it(catch):
    @node
    def live(given):
        try:
            socket.create_connection(FAR, timeout=0.1)
        except OSError:
            if not catch:
                raise
        return given

    seen = observed(job(data="replay"), playing(live))

    assert seen.fault == CaseFault(
        kind="target",
        node="live",
        message=(
            "connected to 192.0.2.1:443 on `data: replay`: only fixtures may answer there; make"
            " what reaches outside a boundary node, or run the suite with `data: live`"
        ),
    )


def leave(_):
    os._exit(0)


def leave_in_a_thread(_):
    def quietly():
        with suppress(SystemExit):  # which ends a thread without a word, save under pytest
            leave(None)

    thread = threading.Thread(target=quietly)
    thread.start()
    thread.join()
    return "fine"


@pytest.mark.parametrize("function", [leave, leave_in_a_thread])
def test_ending_this_process_is_a_crash_and_ends_nothing_but_the_case(function):
    seen = observed(job(Turn(id="s1"), Turn(id="s2")), playing(function))

    assert (seen.fault.kind, seen.fault.message) == (
        "crash",
        "called os._exit(0), which would end this process without a report; raise instead",
    )
    assert [step.id for step in seen.trace.steps] == ["s1"]


def test_what_is_done_at_a_wait_is_the_input_of_that_turn():
    resume = Resume(wait="w", action="approve")

    seen = observed(job(Turn(id="s1", resume=resume)), lambda _turn, _recording: Ending())

    assert seen.trace.input == {"wait": "w", "action": "approve", "content": None}


def in_a_thread(pay, answers):
    thread = threading.Thread(target=lambda: answers.append(pay()))
    thread.start()
    thread.join()


def in_a_pool(pay, answers):
    with ThreadPoolExecutor() as pool:
        answers.append(pool.submit(pay).result())


def in_an_executor(pay, answers):
    loop = asyncio.new_event_loop()
    answers.append(loop.run_until_complete(loop.run_in_executor(None, pay)))
    loop.close()


@pytest.mark.parametrize("call", [in_a_thread, in_a_pool, in_an_executor])
def test_a_boundary_in_a_thread_of_its_own_is_served_and_never_live(call):
    live, answers = [], []

    @boundary
    def pay():
        live.append("paid")

    def play(_turn, _recording):
        call(pay, answers)
        return Ending(output=answers[0])

    seen = observed(job(data="replay", fixtures={"pay": (Fixture(output="served"),)}), play)

    assert live == []
    assert seen.fault is None
    assert seen.trace.output == "served"
    assert [execution.node for execution in seen.trace.executions] == ["pay"]


def late_in_a_thread(work, begun, go):
    def wait():
        go.wait(5)
        work()

    begun.append(threading.Thread(target=wait))
    begun[0].start()


def late_in_a_carried_thread(work, begun, go):
    late_in_a_thread(carry(work), begun, go)


def late_in_a_thread_of_a_thread(work, begun, go):
    def again():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    late_in_a_thread(again, begun, go)


LATE = (
    "boundary node 'pay' was called when its case was over: no fixture answers it, and on"
    " `data: replay` nothing goes live; let the case wait for the threads and tasks it starts"
)


@pytest.mark.parametrize(
    "begin", [late_in_a_thread, late_in_a_carried_thread, late_in_a_thread_of_a_thread]
)
@pytest.mark.parametrize("data", ["replay", "live"])
def test_a_thread_that_outlives_its_case_goes_live_only_where_the_case_does(begin, data):
    live, refused, begun, go = [], [], [], threading.Event()

    @boundary
    def pay():
        live.append("paid")

    def work():
        try:
            pay()
        except TargetError as error:
            refused.append(str(error))

    seen = observed(job(data=data), playing(lambda _: begin(work, begun, go)))
    go.set()
    begun[0].join()

    assert seen.fault is None
    assert (live, refused) == ((["paid"], []) if data == "live" else ([], [LATE]))


def test_when_a_case_is_over_boundaries_of_other_threads_are_plain_calls():
    observed(job(data="replay"), playing(str.upper))

    assert fetch("k") == {"key": "k"}


def test_programs_that_are_started_on_replay_are_named_in_the_trace():
    def play(_):
        subprocess.run([sys.executable, "-c", ""], check=True)
        subprocess.run([sys.executable, "-c", ""], check=True)

    seen = [observed(job(data=data), playing(play)) for data in ("replay", "live")]

    assert [each.trace.programs for each in seen] == [(Path(sys.executable).name,), None]
