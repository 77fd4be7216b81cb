"""The exits: while they are barred, no code ends this process before its report is written.

`os._exit` runs no handler, so the process would be gone with the exit code that the code chose.
What crashes the interpreter itself cannot be barred from within.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, NoReturn, TypeAlias

Report: TypeAlias = Callable[[str], None]

_EXIT: Final = os._exit
# Modules may keep the function that they imported, so what stands there needs a switch.
_BARRED: Final[list[tuple[int, Report]]] = []
"""By process, as a forked child inherits the list and ends as it must."""


@contextmanager
def barred(report: Report = lambda _: None) -> Iterator[None]:
    """Turn `os._exit`, in any thread, into a SystemExit, and report each call as it is written."""
    _install()
    bar = (os.getpid(), report)
    _BARRED.append(bar)
    try:
        yield
    finally:
        _BARRED.remove(bar)


@cache
def _install() -> None:
    os._exit = _leave


def _leave(status: int) -> NoReturn:
    """Exit where nothing bars it."""
    reports = [report for process, report in tuple(_BARRED) if process == os.getpid()]
    if not reports:
        _EXIT(status)
    call = f"os._exit({status!r})"
    for report in reports:
        report(call)
    raise SystemExit(f"called {call}")
