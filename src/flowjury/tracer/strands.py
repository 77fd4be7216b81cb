"""The strands: the tasks and threads of a run, and the place of what is begun in them.

A place is the same in every run, however fast each task is. Inside one execution, what its own
task begins has the places (1,), (2,), …; what the task numbered 8, made after the second of those,
begins has (2, 8, 1), (2, 8, 2), …; and so on in the tasks that this one makes. Tasks are numbered
by asyncio as they are made. A thread has no number, so it has 0.
"""

from __future__ import annotations

import asyncio
import re
from threading import Thread, current_thread
from typing import Any, Final, TypeAlias
from weakref import ref

from flowjury.tracer.current import STRAND, Place, Strand

_Owner: TypeAlias = "asyncio.Task[Any] | Thread"

_START: Final = (0,)
_NUMBERED: Final = re.compile(r"Task-([0-9]+)")
"""The name that asyncio gives to a task that nobody named."""


def begun(span: object, *, inside: object) -> tuple[Place, Strand]:
    """Return the place of a span that begins here, () if unknown, and the strand inside of it."""
    strand, me = STRAND.get(), _me()
    if strand is None and inside is None:
        return (), Strand(span, ref(me), _START)
    if strand is None or strand.inside is not inside:
        number = _number(me)
        strand = Strand(inside, ref(me), (0, number, 0) if number else _START)
    elif strand.owner() is not me:
        strand = Strand(inside, ref(me), (*strand.place, _number(me), 0))
    strand = strand.next()
    STRAND.set(strand)
    return strand.place, Strand(span, strand.owner, _START)


def entered(span: object) -> Strand:
    """Return the strand of what this task or thread will begin inside a span."""
    return Strand(span, ref(_me()), _START)


def _me() -> _Owner:
    try:
        return asyncio.current_task() or current_thread()
    except RuntimeError:  # no event loop runs here
        return current_thread()


def _number(owner: _Owner) -> int:
    named = None if isinstance(owner, Thread) else _NUMBERED.fullmatch(owner.get_name())
    return int(named[1]) if named else 0
