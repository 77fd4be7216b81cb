"""The trace: what was observed of one case, and which channels were recorded and complete."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from flowjury.model import JsonField, Model
from flowjury.scalars import Amounts, Flag, Whole
from flowjury.workflow import Workflow

FORMAT = 1

Channel = Literal[
    "executions",
    "tools",
    "messages",
    "usage",
    "files",
    "effects",
    "activations",
]
ExecutionStatus = Literal["ok", "error", "interrupted", "cancelled"]
TraceStatus = Literal["finished", "error", "wait", "timeout", "crashed"]


class ErrorInfo(Model):
    """An exception of the workflow under test, as data."""

    type: str
    """The name of its class."""
    message: str
    """Its text."""

    def described(self) -> dict[str, str]:
        """Describe it as the evidence does: without its place, which moves with every edit."""
        return {"type": self.type, "message": self.message}


class Raised(ErrorInfo):
    """An exception as it was observed."""

    where: str | None = None
    """The line of the user's code that raised it; no part of the evidence."""


class Execution(Model):
    """One try of one node. Absent `input` or `output` means not recorded, which is not `null`."""

    id: str
    """Unique within the trace."""
    parent: str | None = None
    """Id of the execution inside which this one ran."""
    caller: str | None = None
    """Static name of the reference or enclosing node that called this one."""
    node: str
    """Static name; nested names use `:`."""
    visit: str
    """The arrival that this try belongs to: a retry shares it, a loop iteration does not."""
    attempt: Whole = Field(default=1, ge=1)
    """1 for the first try of a visit."""
    index: tuple[int, ...] = ()
    """Branch or iteration numbers, outermost first."""
    place: tuple[int, ...] = ()
    """Where it was begun among what ran inside the same execution, whatever the clock says.

    Its number there; of what a concurrent task began, the number before which the task was made,
    the number of the task, and the number in that task. No part of the evidence.
    """
    step: str | None = None
    """Id of the conversation step in which it ran."""
    status: ExecutionStatus
    """How the try ended."""
    input: JsonField = None
    """Snapshot of what the node was given."""
    output: JsonField = None
    """Snapshot of what it answered."""
    outcome: str | None = None
    """Name of the outcome that chose the way on."""
    error: Raised | None = None
    """What it raised."""
    action: str | None = None
    """What was done at the wait from which it goes on; no part of the evidence."""
    start_ns: Whole
    """Nanoseconds on the clock of the recording."""
    end_ns: Whole
    """Nanoseconds on the clock of the recording."""
    usage: Amounts | None = None
    """What it spent, by unit."""
    replayed: Flag = False
    """Answered from a fixture; its times measure nothing."""
    other_input: Flag = False
    """Answered from a fixture that was recorded for another input."""

    def recorded(self, side: Literal["input", "output"]) -> bool:
        """Tell whether this side was recorded at all."""
        return side in self.model_fields_set


class ToolCall(Model):
    """One call of a tool."""

    name: str
    """The tool's name."""
    arguments: JsonField = None
    """What it was called with."""
    result: JsonField = None
    """What it answered; absent if not recorded."""
    status: Literal["ok", "error", "refused"] = "ok"
    """How the call ended."""
    execution: str | None = None
    """Id of the execution inside which it was called."""
    start_ns: Whole | None = None
    """Nanoseconds on the clock of the recording."""


class StepTrace(Model):
    """The whole trace of one turn of a conversation."""

    id: str
    """The step's id."""
    trace: Trace
    """What was observed in this turn."""


class Trace(Model):
    """What was observed. A channel that was not recorded is absent; recorded and empty is `[]`."""

    format: Literal[1] = 1
    """The number of this format."""
    stimulus: str | None = None
    """Digest of what this trace depends on."""
    status: TraceStatus
    """How the run ended."""
    input: JsonField = None
    """What the workflow was given."""
    output: JsonField = None
    """What it answered; absent if it did not, or if it was not recorded."""
    error: Raised | None = None
    """What it raised."""
    executions: tuple[Execution, ...] | None = None
    """Every try of every node."""
    tools: tuple[ToolCall, ...] | None = None
    """Every call of a tool, in order."""
    messages: tuple[JsonField, ...] | None = None
    """The conversation with models, in order."""
    usage: Amounts | None = None
    """What the whole run spent, where the engine itself says so."""
    files: dict[str, JsonField] | None = None
    """Captured workspace files by path."""
    effects: JsonField = None
    """Writes, deletes and network use of a captured program."""
    exit_code: Whole | None = None
    """Exit code of a program."""
    activations: tuple[JsonField, ...] | None = None
    """Which skill, agent or handoff was taken."""
    workflow: Workflow | None = None
    """The static graph on which the run was made."""
    steps: tuple[StepTrace, ...] | None = None
    """One whole trace per turn of a conversation."""
    complete: dict[Channel, bool] = Field(default_factory=dict)
    """For each channel whether all of it was recorded; a channel not named is not known to be."""
    wait: str | None = None
    """Name of the wait at which the run is suspended."""
    unused: tuple[str, ...] | None = None
    """Fixtures that answered nothing, each in words; no part of the evidence."""
    programs: tuple[str, ...] | None = None
    """Programs that were started on replay, where nobody sees what they do; no evidence either."""
    exited: str | None = None
    """Why the exit of a program is a fault unless its case asserts exit, files or effects."""

    def recorded(self, field: str) -> bool:
        """Tell whether a channel, or the input or output, was recorded at all."""
        return field in self.model_fields_set and (
            field in {"input", "output"} or getattr(self, field) is not None
        )
