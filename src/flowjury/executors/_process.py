"""One worker process, from outside: it is hired, given jobs, and ended with all it started."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Final

from flowjury.errors import Fault, InputError
from flowjury.executors import Assignment, Seen
from flowjury.executors._line import Line, LineBroken
from flowjury.executors._printed import Printed
from flowjury.executors._wire import Answer, Ready, Refused, answered, packed
from flowjury.executors._worker import CUT, END
from flowjury.job import Job, Observed
from flowjury.json_values import short
from flowjury.record import CaseFault, FaultKind
from flowjury.workflow import Workflow

GRACE: Final = 1.0
"""Seconds beyond its time after which a job that nothing could interrupt is killed."""
_LOOK: Final = 0.05
"""Seconds between looks whether a process is still there, where what it started hides its end."""
_LEAVE: Final = 2.0
"""Seconds in which a process that is told to end must have done so."""
_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); life = int(sys.argv.pop()); "
    "from flowjury.executors._worker import main; main(int(sys.argv.pop()), life)"
)


class Worker:
    """A process of its own, in a group of its own, that does one job at a time."""

    def __init__(self, assignment: Assignment) -> None:
        """Start the process; `prepare` has it prepare the target. Raises OSError."""
        self.fresh = True
        """Whether it has done no job yet."""
        self.workflow: Workflow | None = None
        self._assignment = assignment
        self._sources: Mapping[str, str] = {}
        self._broken = False
        self._process, self._line, self._printed, self._life = _started(assignment.folder)

    def prepare(self, seconds: float | None = None) -> None:
        """Have the target prepared. Raises InputError as that does, and where it takes too long."""
        self._line.put(packed(self._assignment))
        answer = self._awaited(None if seconds is None else time.monotonic() + seconds)
        if isinstance(answer, Ready):
            self.workflow, self._sources = answer.workflow, answer.sources
            return
        late = self._process.poll() is None
        self.kill()
        self._printed.read()
        if isinstance(answer, Refused):
            raise answer.error()
        raise self._died(f"did not load it within {seconds:g} s" if late and seconds else None)

    def observe(self, job: Job) -> Seen:
        """Have a job done. Where the process does not survive it, the result says how it died."""
        began = time.monotonic()
        self._printed.take()
        self.fresh = False
        self._line.put(packed(job))
        seen = self._awaited(began + job.timeout + GRACE)
        if isinstance(seen, Seen):
            self._sources = seen.sources
            return replace(seen, printed=self._printed.take())
        cut = self._cut_short()
        late = self._process.poll() is None and not self._broken
        self.kill()
        self._printed.read()
        return Seen(
            observed=cut or Observed(trace=None, fault=self._fault(job, late=late)),
            sources=self._sources,
            seconds=time.monotonic() - began,
            printed=self._printed.take(),
            lost=not late,
        )

    def _cut_short(self) -> Observed | None:
        """Ask for what was seen so far, which a process that is stuck in C cannot tell."""
        if self._broken or self._process.poll() is not None:
            return None
        self._line.put(CUT)
        seen = self._awaited(time.monotonic() + GRACE)
        return seen.observed if isinstance(seen, Seen) else None

    @property
    def alive(self) -> bool:
        """Whether it can do another job."""
        return self._process.poll() is None

    def dismiss(self) -> None:
        """Tell the process to end in order."""
        self._line.put(END)

    def end(self) -> None:
        """See to it that a process which was dismissed has ended, with all that it started."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE)
        self.kill()
        self._line.close()
        self._printed.close()
        os.close(self._life)

    def kill(self) -> None:
        """Kill the process with everything in its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _awaited(self, deadline: float | None) -> Answer | None:
        """Return the next answer; None where none can come any more, or the time was over."""
        while True:
            gone = self._process.poll() is not None
            left = _LOOK if deadline is None else min(_LOOK, self._left(deadline))
            came = self._attend(0 if gone else max(0.0, left))
            try:
                content = self._line.message()
                if content is not None:
                    self._printed.read()
                    return answered(content)
            except LineBroken:
                self._broken = True
                return None
            if (gone and not came) or left <= 0:
                return None

    def _left(self, deadline: float) -> float:
        """Return the seconds that are left; an answer that is coming in may take longer."""
        until = max(deadline, self._line.heard + GRACE) if self._line.receiving else deadline
        return until - time.monotonic()

    def _attend(self, seconds: float) -> bool:
        """Wait for what is said or printed, and take it; tell whether something was said."""
        with DefaultSelector() as selector:
            if not self._line.ended:
                writing = EVENT_WRITE if self._line.sending else 0
                selector.register(self._line, EVENT_READ | writing)
            if not self._printed.ended:
                selector.register(self._printed, EVENT_READ)
            ready = {key.fileobj for key, _ in selector.select(seconds)}
        if self._printed in ready:
            self._printed.read()
        if self._line in ready:
            self._line.send()
            return self._line.receive()
        return False

    def _fault(self, job: Job, *, late: bool) -> CaseFault:
        kind: FaultKind = "timeout" if late else "crash"
        what = f"the process of the case {self._how()}"
        if late:
            what = (
                f"still running after {job.timeout:g} s; its process was killed with all it had"
                " started"
            )
        return CaseFault(kind=kind, message=what)

    def _died(self, how: str | None = None) -> InputError:
        """Return what is wrong with code that ends the process which loads it."""
        last = self._printed.take().strip().rpartition("\n")[2]
        said = f"; the last that it printed: {short(last)}" if last else ""
        message = f"the code of the target cannot be loaded: its process {how or self._how()}{said}"
        return InputError(
            Fault(file=str(self._assignment.root), pointer="/target", message=message)
        )

    def _how(self) -> str:
        if self._broken:
            return "or what it started wrote to a descriptor that it had not opened, and was killed"
        return how_it_ended(self._process.returncode)


def how_it_ended(code: int) -> str:
    """Say how a process ended, from its exit code; a negative one is a signal."""
    if code >= 0:
        return f"exited with code {code} before it had answered"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    hint = " (perhaps for want of memory)" if -code == signal.SIGKILL else ""
    return f"was ended by {name}{hint}"


def _started(folder: Path) -> tuple[subprocess.Popen[bytes], Line, Printed, int]:
    """Start a process, and return it with its line, what it prints, and what it lives by."""
    ours, theirs = socket.socketpair()
    (reading, writing), (lived_by, life) = os.pipe(), os.pipe()
    given = theirs.fileno(), lived_by
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, given), json.dumps(_path())],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            pass_fds=given,
            start_new_session=True,
        )
    except OSError:
        ours.close()
        for descriptor in (reading, life):
            os.close(descriptor)
        raise
    finally:
        theirs.close()
        for descriptor in (writing, lived_by):
            os.close(descriptor)
    return process, Line(ours), Printed(reading), life


def _path() -> list[str]:
    """Return where modules are found here; an empty entry means the folder of today."""
    return [entry or os.getcwd() for entry in sys.path]  # noqa: PTH109 - as texts
