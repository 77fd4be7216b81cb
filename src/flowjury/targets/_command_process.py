"""The process of a program: started in a group of its own, fed, heard within limits, ended."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Final

from flowjury.errors import TargetError
from flowjury.masking import MASK
from flowjury.targets._command_heard import Heard

MOST: Final = 16 * 2**20
"""How many bytes of standard output are read of one turn."""
_CHUNK: Final = 2**16
_LOOK: Final = 0.05
"""Seconds between looks whether a program has ended, where what it started hides its end."""
_LEAVE: Final = 2.0
"""Seconds in which a kept program must have ended after its input has."""


class OutOfTimeError(Exception):
    """The time of the case is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How a program is started."""

    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    secrets: Sequence[str] = ()
    """What is hidden in all that it writes."""

    def hide(self, text: str) -> str:
        """Hide the secrets in a text."""
        for secret in self.secrets:
            text = text.replace(secret, MASK)
        return text


class Process:
    """A running program, with everything in its group."""

    def __init__(self, launch: Launch) -> None:
        """Start it. Raises TargetError."""
        try:
            self._popen = subprocess.Popen(
                list(launch.argv),
                bufsize=0,
                cwd=launch.folder,
                env=dict(launch.environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise TargetError(f"the program cannot be started: {error}") from error
        self.launch = launch
        self.stdout = bytearray()
        self.stderr = Heard()
        self._unsent, self._last = b"", False
        self._ending, self._ended = Lock(), False
        self._selector = selectors.DefaultSelector()
        for stream in self._streams():
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._streams()[1], selectors.EVENT_READ, self._hear_out)
        self._selector.register(self._streams()[2], selectors.EVENT_READ, self._hear_err)
        self._reading = 2

    def feed(self, content: bytes, *, last: bool) -> None:
        """Have this written to its input as it takes it; after the last its input ends."""
        waiting = bool(self._unsent)
        self._unsent, self._last = self._unsent + content, last
        stdin = self._streams()[0]
        if waiting or stdin.closed:
            return
        if self._write(stdin):
            self._end_input()
        else:
            self._selector.register(stdin, selectors.EVENT_WRITE, self._write_more)

    def listen(self, deadline: float, *, until: Callable[[], bool] = lambda: False) -> None:
        """Listen until something has been heard, or the program has ended and all of it is heard.

        What it started may go on and keep its output open: that is not waited for.
        Raises OutOfTimeError, and TargetError for a flood.
        """
        while not until():
            if self._reading == 0:
                self._await_end(deadline)
                return
            self._turn(self._wait(deadline))
            if self._has_ended():
                self.kill()
                self.drain()
                return

    def drain(self) -> None:
        """Hear what was written already. Raises TargetError for a flood."""
        for _ in range(2 * MOST // _CHUNK):
            if not self._turn(0):
                return
        raise TargetError("what the program started floods its output, and cannot be ended")

    def kill(self) -> None:
        """Kill it with everything in its group, and reap it."""
        self.interrupt()
        with self._ending:
            self._ended = True
            self._popen.wait()

    def interrupt(self) -> None:
        """Kill it with everything in its group; whoever listens to it hears of its end."""
        with self._ending, suppress(ProcessLookupError, PermissionError):
            if not self._ended:  # once it is reaped, its number may be that of another
                os.killpg(self._popen.pid, signal.SIGKILL)

    @property
    def code(self) -> int | None:
        """The exit code; negative for a signal, None where it goes on."""
        return self._popen.returncode

    @property
    def alive(self) -> bool:
        """Whether it goes on."""
        return not self._has_ended()

    def close(self) -> None:
        """Kill what is left of it, and let go of it."""
        self.kill()
        self._selector.close()
        for stream in self._streams():
            with suppress(OSError):
                stream.close()

    def end_input(self) -> None:
        """Let it know that nothing more comes."""
        self.feed(b"", last=True)

    def leave(self) -> None:
        """Give it some time to end by itself; then close."""
        with suppress(OutOfTimeError, TargetError):
            self.listen(time.monotonic() + _LEAVE)
        self.close()

    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        popen = self._popen
        if popen.stdin is None or popen.stdout is None or popen.stderr is None:
            raise AssertionError("all three are pipes")
        return popen.stdin, popen.stdout, popen.stderr

    def _wait(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return min(left, _LOOK)

    def _turn(self, seconds: float) -> bool:
        """Do what can be done now; tell whether there was anything."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            key.data(key.fileobj)
        return bool(ready)

    def _write_more(self, stdin: IO[bytes]) -> None:
        if self._write(stdin):
            self._selector.unregister(stdin)
            self._end_input()

    def _write(self, stdin: IO[bytes]) -> bool:
        """Write what it takes now; tell whether that was all."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(stdin.fileno(), self._unsent) :]
        except BlockingIOError:
            return False
        except OSError:  # it reads no more
            self._unsent = b""
        return True

    def _end_input(self) -> None:
        if self._last:
            self._streams()[0].close()

    def _hear_out(self, stream: IO[bytes]) -> None:
        self.stdout += self._read(stream)
        if len(self.stdout) > MOST:
            raise TargetError(
                f"the program printed more than {MOST // 2**20} MB; write what is large into a file"
            )

    def _hear_err(self, stream: IO[bytes]) -> None:
        self.stderr.add(self._read(stream))

    def _read(self, stream: IO[bytes]) -> bytes:
        content = os.read(stream.fileno(), _CHUNK)
        if not content:
            self._selector.unregister(stream)
            self._reading -= 1
        return content

    def _has_ended(self) -> bool:
        """Tell whether it has ended; it is not reaped, so that its number stays its own."""
        if self._popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._popen.poll() is not None
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._popen.pid, flags) is not None

    def _await_end(self, deadline: float) -> None:
        """Wait for the end of a program that has closed its output."""
        pause = 0.0005
        while not self._has_ended():
            left = self._wait(deadline)
            time.sleep(min(left, pause))
            pause = min(2 * pause, _LOOK)
        self.kill()
