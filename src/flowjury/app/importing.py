"""Importing: a trace file of another tool, written as one that suites can name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from flowjury.errors import Fault, FlowJuryError, InputError, UsageError
from flowjury.foreign import read_foreign
from flowjury.json_values import loads
from flowjury.model import Model
from flowjury.plural import numbered
from flowjury.sense import contradictions
from flowjury.store.files import json_bytes, read_bytes
from flowjury.store.outputs import is_stream, write_out
from flowjury.trace import Trace, TraceStatus

_CHANNELS: Final = ("executions", "messages", "tools", "usage")


class ImportSaid(Model):
    """What came of importing a trace."""

    file: str
    """The file that was read."""
    source: str
    """The source that read it."""
    output: str
    """The file that was written."""
    status: TraceStatus
    """How the run ended."""
    executions: int
    """Number of executions of nodes."""
    tools: int
    """Number of calls of tools."""
    messages: int
    """Number of messages to and from models."""
    missing: tuple[str, ...]
    """What was not recorded, of input, output, executions, tools and messages."""
    complete: tuple[str, ...]
    """The channels that are known to be complete."""


def import_trace(
    file: Path,
    output: Path,
    *,
    source: str | None = None,
    trace_id: str | None = None,
    complete: Iterable[str] = (),
) -> ImportSaid:
    """Read a trace of another tool and write it as one of ours, masked.

    The channels that the user knows to be complete are named as such. Raises InputError and
    StoreError.
    """
    _refuse_loss(output)
    found = read_foreign(read_bytes(file), file=str(file), source=source, trace_id=trace_id)
    if faults := [Fault(file=str(file), message=each) for each in contradictions(found.trace)]:
        raise InputError(faults)
    trace = _vouched(found.trace, complete)
    write_out(output, json_bytes(trace.model_dump(exclude_unset=True)))
    return _said(trace, file=file, source=found.source, output=output)


def described(said: ImportSaid) -> list[str]:
    """Return what came of it in lines that a person can read."""
    counts = (
        numbered(said.executions, "execution"),
        numbered(said.tools, "tool call"),
        numbered(said.messages, "message"),
    )
    lines = [f"{said.output}: {said.status}, {', '.join(counts)} (read as {said.source})"]
    if said.missing:
        lines.append(f"not recorded: {', '.join(said.missing)}")
    if not said.complete:
        lines.append("nothing is known to be complete, so that nothing passes by its absence")
    return lines


def _vouched(trace: Trace, channels: Iterable[str]) -> Trace:
    """Name channels as complete, where nothing speaks against it. Raises UsageError."""
    complete = dict(trace.complete)
    for channel in channels:
        if (why := _against(trace, channel)) is not None:
            raise UsageError(f"--complete {channel}: {why}")
        complete[channel] = True  # type: ignore[index]  # one of those that are known
    return trace.model_copy(update={"complete": dict(sorted(complete.items()))})


def _against(trace: Trace, channel: str) -> str | None:
    """Say why a channel cannot be known to be complete."""
    if channel not in _CHANNELS:
        return f"no channel of an import is named so (known: {', '.join(_CHANNELS)})"
    spent = any(each.usage for each in trace.executions or ())
    if not (trace.recorded(channel) or (channel == "usage" and spent)):
        return "nothing of it was recorded, so that its recording may have been off"
    if trace.complete.get(channel) is False:  # type: ignore[call-overload]  # one of the known
        return (
            "the file itself shows gaps: a span whose parent is not in it, that had not ended, or"
            " that is beside the one of the whole run"
        )
    return None


def _said(trace: Trace, *, file: Path, source: str, output: Path) -> ImportSaid:
    parts = ("input", "output", "executions", "tools", "messages")
    return ImportSaid(
        file=str(file),
        source=source,
        output=str(output),
        status=trace.status,
        executions=len(trace.executions or ()),
        tools=len(trace.tools or ()),
        messages=len(trace.messages or ()),
        missing=tuple(part for part in parts if not trace.recorded(part)),
        complete=tuple(channel for channel, whole in trace.complete.items() if whole),
    )


def _refuse_loss(output: Path) -> None:
    """Refuse to write over a file that is no trace. Raises UsageError."""
    if output.is_dir():
        raise UsageError(f"--output {output}: this is a folder; name a file")
    if is_stream(output) or not output.exists():
        return
    try:
        value = loads(read_bytes(output))
    except (FlowJuryError, ValueError):
        value = None
    if not isinstance(value, dict) or "status" not in value:
        raise UsageError(
            f"--output {output}: this file is there and is no trace; name another file"
        )
