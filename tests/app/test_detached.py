from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Event

import pytest

from flowjury.app.detached import UnstoppableError, detached


def test_work_answers_and_raises_as_it_would_here():
    with pytest.raises(TimeoutError, match="its own"):
        detached(lambda: (_ for _ in ()).throw(TimeoutError("its own")).send(None), seconds=5)

    assert detached(lambda: 7, seconds=5) == 7


def test_work_that_swallows_its_cancellation_is_left_behind():
    freed = Event()

    async def stubborn():
        while not freed.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.01)

    async def bounded():
        async with asyncio.timeout(0.02):
            await stubborn()

    with pytest.raises(UnstoppableError):
        detached(lambda: asyncio.run(bounded()), seconds=0.2)
    freed.set()
