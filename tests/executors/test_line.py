"""The line: whole messages, whatever is at its other end."""

from __future__ import annotations

import os
import socket
import struct
from multiprocessing.connection import Connection

import pytest

from flowjury.executors._line import Line, LineBroken, head_of
from flowjury.executors._wire import answered


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    line, connection = Line(ours), Connection(theirs.detach())
    yield line, connection
    line.close()
    connection.close()


def raw(connection: Connection, content: bytes) -> None:
    os.write(connection.fileno(), content)


def test_a_message_goes_over_and_comes_back(ends):
    line, connection = ends

    line.put(b"one")
    line.put(b"two")
    assert [connection.recv_bytes(), connection.recv_bytes()] == [b"one", b"two"]
    connection.send_bytes(b"three")
    connection.send_bytes(b"")

    assert line.receive()
    assert [line.message(), line.message(), line.message()] == [b"three", b"", None]


def test_a_message_that_has_not_come_whole_is_none_yet(ends):
    line, connection = ends
    for sent in (b"\0\0", b"\0\4", b"abc"):
        raw(connection, sent)

        assert line.receive()
        assert line.message() is None
    assert line.receiving


def test_a_message_that_does_not_go_out_at_once_waits(ends):
    line, connection = ends
    large = b"x" * 5_000_000

    line.put(large)

    assert line.sending
    connection.close()
    line.send()
    assert (line.sending, line.ended) == (False, True)


def test_a_large_message_has_a_long_head(ends):
    line, connection = ends
    raw(connection, struct.pack("!iQ", -1, 3) + b"abc")

    assert line.receive()
    assert line.message() == b"abc"
    assert head_of(2**31) == struct.pack("!iQ", -1, 2**31)


@pytest.mark.parametrize("head", [-2, -(2**31)])
def test_no_message_has_such_a_head(ends, head):
    line, connection = ends
    raw(connection, struct.pack("!i", head))

    assert line.receive()
    with pytest.raises(LineBroken):
        line.message()


@pytest.mark.parametrize("content", [b"", b"hello", b"N.", b"\x80\x05K\x01."])
def test_what_is_no_answer_is_refused(content):
    with pytest.raises(LineBroken):
        answered(content)
