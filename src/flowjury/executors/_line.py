"""The line: whole messages over a socket whose other end may be stuck, flooded or vandalised.

Nothing here waits, as whoever holds the other end may never read, or promise more than it sends.
The other end is a `multiprocessing.connection.Connection`: its framing is used.
"""

from __future__ import annotations

import socket
import struct
import time
from typing import Final

_SHORT: Final = struct.Struct("!i")
_LONG: Final = struct.Struct("!Q")
_ANY_LONG: Final = -1
"""The short length that stands before a long one."""
_LARGEST_SHORT: Final = 0x7FFFFFFF
_CHUNK: Final = 1 << 20
_CHUNKS: Final = 64
"""How many chunks are read at once: whoever waits has other things to look at."""


class LineBroken(Exception):  # noqa: N818 - what became of it
    """What came is no message: something else than the other end has written."""


class Line:
    """One end of a socket over which whole messages go."""

    def __init__(self, ours: socket.socket) -> None:
        ours.settimeout(0)
        self._socket = ours
        self._out, self._in = bytearray(), bytearray()
        self.ended = False
        """Whether the other end is gone."""
        self.heard = 0.0
        """When something came last."""

    def fileno(self) -> int:
        """Return the descriptor, for whoever waits for it."""
        return self._socket.fileno()

    @property
    def sending(self) -> bool:
        """Whether something has not gone out yet."""
        return bool(self._out)

    @property
    def receiving(self) -> bool:
        """Whether a message has come in part."""
        return bool(self._in)

    def put(self, content: bytes) -> None:
        """Send a message as far as it goes; `send` sends the rest."""
        self._out += head_of(len(content))
        self._out += content
        self.send()

    def send(self) -> None:
        """Send what goes out at once."""
        try:
            while self._out:
                del self._out[: self._socket.send(memoryview(self._out)[:_CHUNK].tobytes())]
        except BlockingIOError:
            pass
        except OSError:  # nobody will read it any more
            self._out.clear()
            self.ended = True

    def receive(self) -> bool:
        """Take what is there, and tell whether something was."""
        before = len(self._in)
        for _ in range(_CHUNKS):
            try:
                chunk = self._socket.recv(_CHUNK)
            except BlockingIOError:
                break
            except OSError:
                chunk = b""
            if not chunk:
                self.ended = True
                break
            self._in += chunk
        came = len(self._in) > before
        if came:
            self.heard = time.monotonic()
        return came

    def message(self) -> bytes | None:
        """Return the next message, if it is there whole. Raises LineBroken."""
        head, size = self._size()
        if size is None or len(self._in) < head + size:
            return None
        content = bytes(memoryview(self._in)[head : head + size])
        del self._in[: head + size]
        return content

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _size(self) -> tuple[int, int | None]:
        """Return how long the head of the next message is, and the message, if that has come."""
        if len(self._in) < _SHORT.size:
            return 0, None
        (size,) = _SHORT.unpack_from(self._in)
        if size >= 0:
            return _SHORT.size, size
        if size != _ANY_LONG:
            raise LineBroken
        if len(self._in) < _SHORT.size + _LONG.size:
            return 0, None
        return _SHORT.size + _LONG.size, _LONG.unpack_from(self._in, _SHORT.size)[0]


def head_of(size: int) -> bytes:
    """Return what stands before a message of a size."""
    if size <= _LARGEST_SHORT:
        return _SHORT.pack(size)
    return _SHORT.pack(_ANY_LONG) + _LONG.pack(size)
