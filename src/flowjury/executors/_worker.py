"""The worker: a process that does the jobs of one suite, one after the other, until told to end."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final

from flowjury.errors import InputError
from flowjury.executors import Assignment, Seen
from flowjury.executors._observer import Observer
from flowjury.executors._wire import Answer, Ready, Refused, packed, unpacked
from flowjury.interruption import Interruption
from flowjury.job import Job
from flowjury.session import cut_short

END: Final = b""
"""The message that ends a worker."""
CUT: Final = b"cut"
"""The message that asks for what was seen so far: its process will be killed."""
_ANSWERING: Final = Lock()


def main(descriptor: int, life: int) -> None:
    """Prepare the target, then answer each job, on the connection with this descriptor.

    `life` is the end of a pipe whose other end closes when nobody is there any more.
    """
    # What a case leaves behind must not keep them open.
    for each in (descriptor, life):
        os.set_inheritable(each, False)  # noqa: FBT003 - it takes no keyword
    _live_by(life)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # what a case printed outlives its process
    signal.signal(signal.SIGINT, Interruption())  # nobody presses Ctrl-C here: code raises it
    connection = Connection(descriptor)
    orders: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(connection, orders), daemon=True).start()
    me = os.getpid()
    observer = _prepared(connection, unpacked(orders.get()))
    while observer is not None and (content := orders.get()) != END:
        job: Job = unpacked(content)
        seen = observer.observe(job)
        if os.getpid() != me:  # a case forked, and this is the copy that came back from it
            os._exit(0)
        _answer(connection, seen)
    if observer is not None:
        observer.close()


def _live_by(life: int) -> None:
    """Have the kernel kill the group when the pipe closes: a thread that listens may be kept out.

    Code in C that never lets go of the interpreter's lock does that. Only Linux can.
    """
    if (signal_of := getattr(fcntl, "F_SETSIG", None)) is not None:
        fcntl.fcntl(life, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(life, signal_of, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)


def _prepared(connection: Connection, assignment: Assignment) -> Observer | None:
    try:
        observer = Observer.of(assignment)
    except InputError as error:
        _answer(connection, Refused(error.faults))
        return None
    _answer(connection, Ready(observer.workflow, observer.sources))
    return observer


def _answer(connection: Connection, answer: Answer) -> None:
    """Answer, when what the case printed is on its way."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # the case may have closed it
            stream.flush()
    content = packed(answer)
    with _ANSWERING:
        connection.send_bytes(content)


def _listen(connection: Connection, orders: SimpleQueue[bytes]) -> None:
    """Take orders; where nobody is there any more to give them, end with all that was started."""
    while True:
        try:
            content = connection.recv_bytes()
        except (EOFError, OSError):
            os.killpg(os.getpgrp(), signal.SIGKILL)
        if content != CUT:
            orders.put(content)
        elif (seen := cut_short()) is not None:
            _answer(connection, Seen(observed=seen))
