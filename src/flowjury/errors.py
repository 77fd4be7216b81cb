"""The exceptions of FlowJury, one tree; every class says whose fault it is.

FlowJuryError
├── InputError            the user's: a command, a suite, a workflow, a config (exit 2)
│   └── UsageError        the user's: options that do not fit together (exit 2)
├── HarnessError          ours or the machine's: what we own could not be done (exit 4)
│   ├── StoreError        a file or database that cannot be read or written
│   └── PluginError       a member of a family that cannot be loaded, named
├── JudgeFailure          a host judge's or its server's: no answer to one request (needs-judge)
└── TargetError           the plumbing between us and the workflow under test (case `error`)
    ├── FixtureMiss       replay without an answer for a boundary node
    ├── NotWaiting        a step that resumes a run which waits for nothing
    └── LimitReached      a workflow that does not end within its stated limits
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with one file: where, what, and what would be right."""

    file: str
    message: str
    pointer: str = ""
    line: int | None = None

    def __str__(self) -> str:
        """Render as `file:line: /pointer: message`, leaving out what is not known."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, self.pointer, self.message) if part)


class FlowJuryError(Exception):
    """Any error of FlowJury that a face turns into a message and an exit code."""


class InputError(FlowJuryError):
    """The user's input is wrong; carries all faults that were found, in file order."""

    def __init__(self, faults: Iterable[Fault] | Fault) -> None:
        """Keep every fault; one line each in the message."""
        self.faults = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class UsageError(InputError):
    """Options of a command that do not fit together, or name what does not exist."""

    def __init__(self, message: str) -> None:
        """Say what is wrong and what would be right."""
        super().__init__(Fault(file="", message=message))


class HarnessError(FlowJuryError):
    """Something of ours, or of the machine, failed."""


class StoreError(HarnessError):
    """A file or database of ours cannot be read or written."""


class PluginError(HarnessError):
    """A member of a family cannot be loaded; the message names it."""


class JudgeFailure(FlowJuryError):  # noqa: N818 - a failure is what a judge may end in
    """A host judge brought no usable answer to one request; its case stays needs-judge."""

    def __init__(
        self, code: str, message: str, *, usage: Mapping[str, int | float] | None = None
    ) -> None:
        """Name the kind of failure, say what happened, and what was spent all the same."""
        super().__init__(message)
        self.code = code
        self.usage = usage


class TargetError(FlowJuryError):
    """The plumbing between us and the workflow failed; the case is an error."""


class FixtureMiss(TargetError):  # noqa: N818 - the word of the design for this outcome
    """A boundary node was reached on replay and no fixture answers it."""


class NotWaiting(TargetError):  # noqa: N818 - what the run does instead
    """A step resumes a wait, and the run waits for nothing: it ended, or never began."""

    def __init__(self) -> None:
        """Say so; how it ended instead is known to who played the turn before."""
        super().__init__("the run does not wait")


class LimitReached(TargetError):  # noqa: N818 - a limit is not an error of the limit
    """The workflow did not end within its visit or step limit."""
