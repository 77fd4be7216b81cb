"""How the turns of a job are played in this process."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import pytest

from flowjury.case import Fixture, Resume
from flowjury.errors import LimitReached, PluginError, TargetError
from flowjury.job import Job, Turn
from flowjury.record import CaseFault
from flowjury.session import observed
from flowjury.trace import Raised
from flowjury.tracer.active import Ending
from flowjury.tracer.instruments import boundary, node
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
