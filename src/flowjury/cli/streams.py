"""The streams: standard output is for what a command says, whatever the user's code prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Final

from flowjury.errors import UsageError

_IN: Final = 0
_OUT: Final = 1
_ERR: Final = 2


def fill_closed() -> None:
    """Let closed streams lead nowhere, or the next file that is opened would be one of them."""
    for descriptor in (_IN, _OUT, _ERR):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest number, which is this one


def silence(*descriptors: int) -> None:
    """Let streams that cannot be written lead nowhere, with what they have not written yet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors or (_OUT, _ERR):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def flush_all() -> None:
    """Write what is still to be written; what cannot be is dropped, or the exit code would be."""
    for descriptor, stream in ((_OUT, sys.stdout), (_ERR, sys.stderr)):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            silence(descriptor)


def standard_input() -> bytes:
    """Read all of standard input. Raises UsageError if it cannot be read."""
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file, or let an answer come in by it")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(f"standard input cannot be read: {error.strerror}") from error


@contextmanager
def prints_aside() -> Iterator[None]:
    """Send to standard error what is printed meanwhile, also by programs and C libraries."""
    ours = os.dup(_OUT)
    _flush()
    os.dup2(_ERR, _OUT)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _flush()
        os.dup2(ours, _OUT)
        os.close(ours)


def _flush() -> None:
    """Write what is still to be written to where it belongs."""
    for stream in (sys.stdout, sys.__stdout__):
        if stream is not None and not stream.closed:
            stream.flush()
