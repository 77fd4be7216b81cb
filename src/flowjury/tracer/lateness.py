"""The late: threads that outlive the replay in which they were started, and what they ask for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, wraps
from threading import Thread, current_thread
from typing import Final, NoReturn

from flowjury.errors import TargetError
from flowjury.tracer.current import OWNED, Recorder

_START: Final = Thread.start
_KEEPING: Final[list[Recorder]] = []


@contextmanager
def keeping(recorder: Recorder) -> Iterator[None]:
    """Let threads that are started meanwhile belong to a recording, even when it is over.

    So do those that they start. Without it their boundary nodes would go live.
    """
    _install()
    _KEEPING.append(recorder)
    try:
        yield
    finally:
        _KEEPING.remove(recorder)


def refuse(node: str) -> NoReturn:
    """Refuse what a boundary node is asked when the case is over. Raises TargetError."""
    raise TargetError(
        f"boundary node {node!r} was called when its case was over: no fixture answers it, and on"
        " `data: replay` nothing goes live; let the case wait for the threads and tasks it starts"
    )


@cache
def _install() -> None:
    Thread.start = _started  # type: ignore[assignment,method-assign]  # no event tells before 3.12


@wraps(_START)
def _started(thread: Thread) -> None:
    """Start a thread, and note whose it is."""
    owner = _KEEPING[-1] if _KEEPING else OWNED.get(current_thread())
    if owner is not None:
        OWNED[thread] = owner
    _START(thread)
