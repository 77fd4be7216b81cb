"""The detached: work that is waited for no longer than a bound, and then left behind."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class UnstoppableError(Exception):
    """Work did not come to its end within its bound."""


def detached(work: Callable[[], T], *, seconds: float) -> T:
    """Do the work in a thread of its own, which the process does not wait for when it ends.

    Raises UnstoppableError where it takes longer, and whatever the work raises.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def settle() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the work is waited for
            future.set_exception(error)

    Thread(target=context.run, args=(settle,), daemon=True).start()
    try:
        return future.result(timeout=seconds)
    except TimeoutError as error:
        if future.done():
            raise
        raise UnstoppableError from error
