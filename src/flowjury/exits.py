"""The exits: while they are barred, no code ends this process before its report is written.

`os._exit` runs no handler, so the process would be gone with the exit code that the code chose; and
`os.exec` puts another program into its place. What crashes the interpreter itself cannot be barred
from within.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NoReturn, TypeAlias

Report: TypeAlias = Callable[[str], None]

_EXIT: Final = os._exit
# Modules may keep the function that they imported, so what stands there needs a switch.
_BARRED: Final[list[tuple[int, Report]]] = []
"""By process, as a forked child inherits the list and ends as it must."""


@contextmanager
def barred(report: Report = lambda _: None) -> Iterator[None]:
    """Turn `os._exit` and `os.exec`, in any thread, into a SystemExit, and report each call."""
    _install()
    bar = (os.getpid(), report)
    _BARRED.append(bar)
    try:
        yield
    finally:
        _BARRED.remove(bar)


def end_process(status: int) -> NoReturn:
    """End this process at once, whatever is barred."""
    _EXIT(status)


@cache
def _install() -> None:
    os._exit = _leave
    sys.addaudithook(_heard)


def _leave(status: int) -> NoReturn:
    """Exit where nothing bars it."""
    _refuse(f"os._exit({status!r})")
    _EXIT(status)


def _heard(event: str, args: tuple[Any, ...]) -> None:
    """Refuse to become another program. Python calls this for every audited event: be quick."""
    if event == "os.exec":
        _refuse(f"os.exec of {os.fsdecode(args[0])!r}")


def _refuse(call: str) -> None:
    reports = [report for process, report in tuple(_BARRED) if process == os.getpid()]
    for report in reports:
        report(call)
    if reports:
        raise SystemExit(f"called {call}")
