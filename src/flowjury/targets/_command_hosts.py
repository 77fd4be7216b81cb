"""The hosts of a program's turns: a process for each turn, or one that is kept."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Protocol

from flowjury.errors import TargetError
from flowjury.json_values import short
from flowjury.masking import masked_text
from flowjury.targets._command_answer import Answer, said, said_in_line
from flowjury.targets._command_heard import Heard
from flowjury.targets._command_process import Launch, OutOfTimeError, Process
from flowjury.targets._command_trace import Seen
from flowjury.targets._command_workspace import Workspace


class CrashError(Exception):
    """A program that ended as no program ends by itself, or before it had answered."""


class Starter(Protocol):
    """Starts processes, and ends them at the latest when it is itself ended."""

    def started(self, launch: Launch) -> Process:
        """Start a program. Raises TargetError."""
        ...

    def ended(self, process: Process) -> None:
        """End a program."""
        ...


class Host(Protocol):
    """Where the turns of one case are run."""

    def ask(self, request: bytes, deadline: float, seen: Seen) -> None:
        """Run one turn, and keep what is seen of it, whatever becomes of it.

        Raises OutOfTimeError, CrashError, and TargetError for what is no answer.
        """
        ...

    def look(self, seen: Seen, mask: tuple[str, ...]) -> None:
        """Keep what a turn left behind."""
        ...


@dataclass(slots=True)
class Once:
    """A program that is started for each turn of a case."""

    starter: Starter
    launch: Launch
    workspace: Workspace | None = None

    def ask(self, request: bytes, deadline: float, seen: Seen) -> None:
        """Run it to its end."""
        if self.workspace is not None:
            seen.before = self.workspace.seen()
        process = self.starter.started(self.launch)
        try:
            process.feed(request, last=True)
            process.listen(deadline)
        finally:
            self.starter.ended(process)
            seen.stderr = self.launch.hide(process.stderr.text())
            seen.heard = not process.stderr.lost
        _weigh_exit(process, seen)

    def look(self, seen: Seen, mask: tuple[str, ...]) -> None:
        """Capture the workspace."""
        if self.workspace is not None and seen.before is not None:
            seen.after = self.workspace.seen()
            first = frozenset(seen.after.writes(seen.before))
            seen.captured = self.workspace.captured(seen.after, first, mask, self.launch.hide)


@dataclass(slots=True)
class Kept:
    """A program that goes on from case to case and answers each line by a line."""

    process: Process
    fit: bool = True
    """Whether it can be asked again: nothing that it did was out of step."""
    _answers: list[Answer] = field(default_factory=list)
    _last: str = ""
    """The last line that was no answer."""

    def ask(self, request: bytes, deadline: float, seen: Seen) -> None:
        """Have it answer one line."""
        fit, self.fit, self._last = self.fit, False, ""
        self._forget()
        self.process.stderr = Heard()
        try:
            self.process.feed(request, last=False)
            self.process.listen(deadline, until=self._answered)
            self.process.drain()
            self._answered()
        except OutOfTimeError as error:
            rest = bytes(self.process.stdout).decode(errors="backslashreplace") or self._last
            rest = masked_text(self.process.launch.hide(rest))
            hint = (
                f"; it printed {short(rest, 80)}, which is no line with an answer" if rest else ""
            )
            raise OutOfTimeError(hint) from error
        finally:
            seen.stderr = self.process.launch.hide(self.process.stderr.text())
            seen.heard = False
        seen.answer = self._only(seen)
        self.fit = fit

    def look(self, seen: Seen, mask: tuple[str, ...]) -> None:
        """Look at nothing: it has no workspace."""

    def _forget(self) -> None:
        """Pass over what was written since the last answer; another answer is out of step."""
        self.process.drain()
        self._answered()
        if self._answers:
            raise TargetError("the kept program printed an answer that nobody had asked for")

    def _only(self, seen: Seen) -> Answer:
        """Return the answer; it is one line, or nobody knows to which turn the others belong."""
        answers, self._answers = self._answers, []
        if not answers:
            raise CrashError(f"the kept program {how_it_ended(self.process)}{last_line(seen)}")
        if len(answers) > 1:
            raise TargetError(f"the kept program printed {len(answers)} answers to one line")
        return answers[0]

    def _answered(self) -> bool:
        """Take the lines that are whole, and tell whether there is an answer."""
        lines = self.process.stdout
        while (end := lines.find(b"\n")) >= 0:
            line = bytes(lines[:end])
            del lines[: end + 1]
            if (answer := said_in_line(line, self.process.launch.hide)) is not None:
                self._answers.append(answer)
            elif line.strip():
                self._last = line.decode(errors="backslashreplace")
        return bool(self._answers)


def last_line(seen: Seen) -> str:
    """Return the last line of standard error for the end of a message."""
    line = seen.stderr.strip().rpartition("\n")[2]
    return f"; the last line of its standard error: {short(masked_text(line), 200)}" if line else ""


def how_it_ended(process: Process) -> str:
    """Say how a program ended."""
    code = process.code or 0
    if code >= 0:
        return f"exited with code {code} before it had answered"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"was ended by {name}"


def _weigh_exit(process: Process, seen: Seen) -> None:
    """Find the answer of a program that has ended, and what is wrong with how it ended."""
    code = process.code or 0
    if code < 0:
        raise CrashError(f"the program {how_it_ended(process)}{last_line(seen)}")
    seen.code, why = code, "it printed nothing"
    try:
        seen.answer = said(bytes(process.stdout), process.launch.hide)
    except TargetError as error:
        why = str(error)
    if seen.answer is None:
        seen.exited = (
            f"the program exited with code {code} without an answer: {why}{last_line(seen)}"
        )
    elif code and seen.answer.error is None:
        seen.exited = f"the program exited with code {code} after its answer{last_line(seen)}"
