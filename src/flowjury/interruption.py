"""The interruption: the user's Ctrl-C, which counts even where the code under test catches it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interruption:
    """A handler of SIGINT or SIGTERM that remembers its call. It raises KeyboardInterrupt.

    It is of our own also because asyncio, where it sees the default one, lets code that blocks go
    on.
    """

    def __init__(self, *, again: Callable[[], None] = lambda: None) -> None:
        """Take what is done first at every call but the first."""
        self.heard = False
        self._again = again
        self._process = os.getpid()

    def __call__(self, number: int = signal.SIGINT, *_: object) -> None:
        """Stop what runs; a copy of the process that is told to end does so."""
        if number == signal.SIGTERM and os.getpid() != self._process:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        if self.heard:
            self._again()
        self.heard = True
        raise KeyboardInterrupt


@contextmanager
def heeded() -> Iterator[None]:
    """Handle SIGINT by an interruption for as long as a block lasts, where nobody else does."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, Interruption())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def heed() -> None:
    """Raise KeyboardInterrupt if the user pressed Ctrl-C, whoever caught it then."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, Interruption) and handler.heard:
        raise KeyboardInterrupt


def let_through(error: BaseException) -> None:
    """Raise an exception again if it is the user's Ctrl-C, and no more than of the same class."""
    handler = signal.getsignal(signal.SIGINT)
    its_own = isinstance(handler, Interruption) and not handler.heard
    if isinstance(error, KeyboardInterrupt) and not its_own:
        raise error
