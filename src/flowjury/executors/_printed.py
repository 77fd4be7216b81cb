"""What a process prints: read while it runs, so that it never waits, and kept up to a bound."""

from __future__ import annotations

import os
from typing import Final

HEAD: Final = 48 * 1024
TAIL: Final = 16 * 1024
"""Bytes that are kept of the beginning and of the end."""
_CHUNK: Final = 64 * 1024
_CHUNKS: Final = 32
"""How many chunks are read at once: whoever waits has other things to look at."""


class Printed:
    """The reading end of a pipe."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self.ended = False
        """Whether nothing will come any more."""
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0

    def fileno(self) -> int:
        """Return the descriptor, for whoever waits for it."""
        return self._descriptor

    def read(self) -> None:
        """Take what is there; of a flood that comes on, a part."""
        for _ in range(_CHUNKS):
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                self.ended = True
                return
            self._keep(chunk)

    def take(self) -> str:
        """Return what was printed since the last time, cut in the middle where it is long."""
        dropped = f"\n… {self._dropped:,} bytes …\n" if self._dropped else ""
        text = self._head.decode("utf-8", "backslashreplace") + dropped
        text += self._tail.decode("utf-8", "backslashreplace")
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        return text

    def close(self) -> None:
        """Close the pipe."""
        os.close(self._descriptor)

    def _keep(self, chunk: bytes) -> None:
        room = max(0, HEAD - len(self._head))
        self._head += chunk[:room]
        self._tail += chunk[room:]
        past = len(self._tail) - TAIL
        if past > 0:
            self._dropped += past
            del self._tail[:past]
