"""What an event loop of a case waits for, and what it leaves behind."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress

import pytest

from flowjury.loop import Loop, OutOfTimeError, UnendingError

GRACE = 0.02


@pytest.fixture
def loop():
    made = Loop(grace=GRACE)
    yield made
    with suppress(UnendingError):
        made.close()


def for_long():
    return 60.0


def for_no_time():
    return 0.0


async def answer(value):
    await asyncio.sleep(0)
    return value


async def going_on():
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)


def test_what_is_awaited_one_after_the_other_shares_a_loop(loop):
    async def here():
        return asyncio.get_running_loop()

    assert loop.run(answer(1), seconds=for_long) == 1
    assert loop.run(here(), seconds=for_long) is loop.run(here(), seconds=for_long)


def test_anything_that_can_be_awaited_is(loop):
    class Answer:
        def __await__(self):
            return answer(2).__await__()

    assert loop.run(Answer(), seconds=for_long) == 2


@pytest.mark.parametrize(
    "error",
    [ValueError, TimeoutError, SystemExit, KeyboardInterrupt, asyncio.CancelledError],
)
def test_what_is_raised_goes_through_and_the_loop_goes_on(loop, error):
    async def broken():
        await asyncio.sleep(0)
        raise error

    with pytest.raises(error):
        loop.run(broken(), seconds=for_long)

    assert loop.run(answer(1), seconds=for_long) == 1


def test_what_awaits_a_task_that_ends_the_loop_is_ended_before_the_next(loop):
    ended = []

    async def leave():
        await asyncio.sleep(0)
        raise SystemExit(3)

    async def wait():
        tasks.append(asyncio.create_task(leave()))
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("in order")

    tasks = []
    with pytest.raises(SystemExit):
        loop.run(wait(), seconds=for_long)
    assert ended == []

    assert loop.run(answer(1), seconds=for_long) == 1
    assert ended == ["in order"]
    assert isinstance(tasks[0].exception(), SystemExit)


def test_what_has_no_time_left_is_cancelled(loop):
    ended = []

    async def lasting():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("in order")

    with pytest.raises(OutOfTimeError):
        loop.run(lasting(), seconds=for_no_time)

    assert ended == ["in order"]


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_what_is_cancelled_and_raises_something_else_is_out_of_time(loop, error, caplog):
    async def breaking():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise error from None

    with pytest.raises(OutOfTimeError):
        loop.run(breaking(), seconds=for_no_time)

    loop.close()
    assert caplog.text == ""


def test_what_goes_on_is_left_behind_at_once_when_the_loop_is_closed(loop):
    with pytest.raises(UnendingError):
        loop.run(going_on(), seconds=for_no_time)

    loop.close()
    with closing(Loop()) as other:
        assert other.run(answer(1), seconds=for_long) == 1


def test_a_loop_that_was_not_used_is_closed_without_a_word():
    Loop().close()


def test_an_interruption_of_a_task_goes_through_when_the_loop_is_closed(loop):
    async def interrupting():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None

    async def begin():
        tasks.append(asyncio.create_task(interrupting()))
        await asyncio.sleep(0)

    tasks = []
    loop.run(begin(), seconds=for_long)
    with pytest.raises(KeyboardInterrupt):
        loop.close()

    assert isinstance(tasks[0].exception(), KeyboardInterrupt)
