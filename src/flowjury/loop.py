"""The loop: the event loop of one case, and what of it does not end when it is told to."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, Final, NoReturn, TypeVar

T = TypeVar("T")

GRACE: Final = 5.0
"""Seconds after which what was cancelled and goes on is left behind."""

_LEFT: Final[list[object]] = []
"""Loops that were left, with their tasks: to collect them would run what is still to run there."""


class OutOfTimeError(Exception):
    """What was awaited was stopped, or ended, after its time was over."""


class UnendingError(Exception):
    """Something was cancelled and went on, so that it was left behind."""


class Loop:
    """Awaits one thing after the other. Nothing is made before the first."""

    def __init__(self, *, grace: float = GRACE) -> None:
        """Take the seconds that are waited for what was cancelled."""
        self._runner = asyncio.Runner()
        self.grace = grace
        self._used = self._broken = self._left = False

    def run(self, work: Awaitable[T], *, seconds: Callable[[], float]) -> T:
        """Await what it comes to, and cancel it when so many seconds are over.

        Raises OutOfTimeError then, UnendingError if it goes on, and whatever it raises.
        """
        if self._broken:
            self._runner.get_loop().run_until_complete(self._emptied())
        self._used = self._broken = True
        context = contextvars.copy_context()
        answer = self._runner.run(self._bounded(work, seconds), context=context)
        self._broken = False
        return answer()

    async def _bounded(self, work: Awaitable[T], seconds: Callable[[], float]) -> Callable[[], T]:
        task = asyncio.ensure_future(_settled(work))
        await asyncio.wait([task], timeout=max(0.0, seconds()))
        if task.done():
            return task.result()
        task.cancel()
        await self._ended([task])
        raise OutOfTimeError

    def close(self) -> None:
        """Cancel what still runs, and close the loop. Raises UnendingError if something goes on."""
        if not self._used:
            return
        self._used = False
        try:
            if not self._left:
                self._runner.get_loop().run_until_complete(self._emptied())
                self._runner.close()
        except UnendingError:
            raise
        except KeyboardInterrupt:
            self._leave()
            raise
        except BaseException as error:  # a task may raise anything, and SystemExit ends the loop
            self._leave()
            raise UnendingError from error
        finally:
            if self._left:
                asyncio.set_event_loop(None)

    async def _emptied(self) -> None:
        """End the tasks that others began, and the asynchronous generators."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await self._ended(others)
        await self._ended([asyncio.ensure_future(asyncio.get_running_loop().shutdown_asyncgens())])

    async def _ended(self, tasks: Collection[asyncio.Future[Any]]) -> None:
        """Wait for tasks to end, as long as they are given. Raises UnendingError."""
        if tasks and (await asyncio.wait(tasks, timeout=self.grace))[1]:
            self._leave()
            raise UnendingError

    def _leave(self) -> None:
        """Leave the loop as it is, with its tasks, about which nobody will complain."""
        self._left = True
        tasks = asyncio.all_tasks(self._runner.get_loop())
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001 - as asyncio does itself
        _LEFT.extend((self._runner, *tasks))


async def _settled(work: Awaitable[T]) -> Callable[[], T]:
    """Return what returns or raises what it comes to: raised in a task, some would end the loop."""
    try:
        value = await work
    except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
        return partial(_raise, error)
    return lambda: value


def _raise(error: BaseException) -> NoReturn:
    raise error
