"""Who hears of the user's Ctrl-C, and for how long."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import pytest

from flowjury.interruption import Interruption, heed, heeded, let_through


def press():
    signal.raise_signal(signal.SIGINT)


def test_an_interruption_is_raised_and_counts_after_it_was_caught():
    with heeded():
        heed()
        with pytest.raises(KeyboardInterrupt):
            press()
        with pytest.raises(KeyboardInterrupt):
            heed()


def test_a_copy_of_the_process_that_is_told_to_end_does_so():
    before = signal.signal(signal.SIGTERM, Interruption())
    try:
        child = os.fork()
        if not child:
            with suppress(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
            os._exit(0)
        _, status = os.waitpid(child, 0)
    finally:
        signal.signal(signal.SIGTERM, before)

    assert os.waitstatus_to_exitcode(status) == -signal.SIGTERM


def test_it_counts_no_longer_than_the_block_lasts():
    with suppress(KeyboardInterrupt), heeded():
        press()

    heed()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_whoever_handles_it_already_goes_on_to():
    calls = []
    before = signal.signal(signal.SIGINT, lambda *_: calls.append("theirs"))
    try:
        with heeded():
            press()
            heed()
    finally:
        signal.signal(signal.SIGINT, before)

    assert calls == ["theirs"]


def test_code_that_raises_one_by_itself_is_told_apart_where_it_can_be():
    error = KeyboardInterrupt()

    with pytest.raises(KeyboardInterrupt):
        let_through(error)
    with heeded():
        let_through(error)
        with suppress(KeyboardInterrupt):
            press()
        let_through(ValueError())
        with pytest.raises(KeyboardInterrupt):
            let_through(error)


def test_only_the_second_one_and_those_after_it_do_more():
    calls = []
    handler = Interruption(again=lambda: calls.append("again"))

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            handler()

    assert calls == ["again", "again"]
