"""The play: the turns of one case, one after the other, until one is at fault."""

from __future__ import annotations

from flowjury.errors import TargetError
from flowjury.job import Job, Turn
from flowjury.record import CaseFault, FaultKind
from flowjury.targets._command_answer import asked
from flowjury.targets._command_hosts import CrashError, Host, last_line
from flowjury.targets._command_process import OutOfTimeError
from flowjury.targets._command_trace import Seen, Story
from flowjury.trace import ErrorInfo, TraceStatus


def played(job: Job, host: Host, story: Story, deadline: float) -> CaseFault | None:
    """Play turn after turn; return the fault that ended the case, if one did."""
    for number, turn in enumerate(job.turns, 1):
        if (why := not_waiting(turn, story)) is not None:
            return CaseFault(kind="not-waiting", message=why, step=turn.id)
        seen = Seen()
        try:
            host.ask(asked(turn, number), deadline, seen)
            host.look(seen, job.mask)
            story.add(turn, seen)
        except OutOfTimeError as error:
            took = f"the program was still running after {job.timeout:g} seconds{error}"
            how = "; it was killed with all that it had started"
            return _broken("timeout", took + how + last_line(seen), turn, seen, story)
        except CrashError as error:
            return _broken("crash", str(error), turn, seen, story)
        except TargetError as error:
            return _broken("target", str(error), turn, seen, story)
    return None


_STATUS: dict[FaultKind, TraceStatus] = {"timeout": "timeout", "crash": "crashed"}


def _broken(kind: FaultKind, message: str, turn: Turn, seen: Seen, story: Story) -> CaseFault:
    """Keep what was seen before a turn was at fault, as a stub."""
    fault = CaseFault(kind=kind, message=message, step=turn.id)
    error = ErrorInfo(type="TargetError", message=fault.message) if kind == "target" else None
    stub = Seen(
        status=_STATUS.get(kind, "error"), error=error, stderr=seen.stderr, heard=seen.heard
    )
    story.add(turn, stub)
    return fault


def not_waiting(turn: Turn, story: Story) -> str | None:
    """Say that a step resumes what does not wait, or waits for something else."""
    wait = None if turn.resume is None else turn.resume.wait
    if wait is None or wait == story.waits_at:
        return None
    at = f"it waits at {story.waits_at!r}" if story.waits_at else story.rest
    return f"step {turn.id!r} resumes the wait {wait!r}, but nothing waits there ({at})"
