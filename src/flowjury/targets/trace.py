"""The target `trace`: a trace that was written before, read from a file for each case."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

from flowjury.documents import Document, parse
from flowjury.errors import FlowJuryError, InputError
from flowjury.foreign import is_foreign, read_foreign
from flowjury.job import Job, Observed, Place, Prepared, Turn
from flowjury.json_values import equal, loads
from flowjury.masking import masked
from flowjury.record import CaseFault
from flowjury.sense import contradictions, other_steps
from flowjury.target import Target
from flowjury.trace import FORMAT, Trace
from flowjury.validation import refuse_newer, validate
from flowjury.workflow import Workflow

_MOST_SAID: Final = 20


class TraceTarget(Target):
    """Reads what was observed before; nothing is run."""

    runs: ClassVar[Literal["code", "program", "nothing"]] = "nothing"
    kind: Literal["trace"]
    """Reads each case's trace from a file."""
    trace: str | None = None
    """The file of a case that names none, relative to the suite; `{id}` stands for its id."""

    def prepare(self, place: Place) -> Prepared:
        """Be ready to read; which files there are is only known case by case."""
        return PreparedTraces(place, self)

    def trace_file(self, case: str, named: str | None) -> str | None:
        """Return the file that the case names, or that the pattern comes to."""
        return named or (self.trace and self.trace.replace("{id}", case))


@dataclass(frozen=True, slots=True)
class PreparedTraces:
    """Trace files that are ready to be read."""

    place: Place
    target: TraceTarget
    workflow: Workflow | None = None

    def observe(self, job: Job) -> Observed:
        """Read the trace of a case, masked; what is wrong with its file is a fault of the case."""
        name = self.target.trace_file(job.case, job.trace)
        if not name:
            return _at_fault(
                f"case {job.case!r} names no trace file; write `trace: FILE` in the case, or a"
                " pattern such as `trace: traces/{id}.json` in the target"
            )
        try:
            content = self.place.read(self.place.root / name)
            trace, text = _read(content, name, job)
            return replace(_held_against(job, trace, name), text=text)
        except FlowJuryError as error:
            return _at_fault(str(error))
        except OSError as error:
            return _at_fault(f"trace file {name!r} cannot be read: {error.strerror or error}")
        except ValueError:  # a NUL, or a lone surrogate that the file system has no byte for
            return _at_fault(f"trace file {name!a}: no file has such a name")


def _read(content: bytes, name: str, job: Job) -> tuple[Trace, bytes | None]:
    """Read a trace of ours, or of another tool, masked; with its text, if that says the same.

    Raises InputError.
    """
    try:
        document, text = _parsed(content, name)
        refuse_newer(document, supported=FORMAT)
        value = masked(document.value, job.mask)
        trace = validate(Document(value, name, document.find), Trace)
    except InputError:
        if not is_foreign(content, file=name):
            raise
        return read_foreign(content, file=name, mask=job.mask).trace, None
    return trace, text if value is document.value else None


def _parsed(content: bytes, name: str) -> tuple[Document, bytes | None]:
    """Read a recorded document, in which a number that is none, such as NaN, is opaque.

    With it comes its JSON text, if that says exactly the same. Raises InputError.
    """
    try:
        document = parse(content, name=name)
    except InputError:
        with suppress(ValueError):
            return Document(loads(content), name), None
        raise
    return document, content if name.endswith(".json") else None


def _at_fault(message: str) -> Observed:
    return Observed(trace=None, fault=CaseFault(kind="target", message=message))


def _held_against(job: Job, trace: Trace, name: str) -> Observed:
    """Refuse a trace that contradicts itself, or that was recorded for another input."""
    if found := list(contradictions(trace)):
        return _at_fault("\n".join(f"{name}: {each}" for each in found[:_MOST_SAID]))
    if why := other_steps(trace, [turn.id for turn in job.turns if turn.id is not None]):
        message = f"{name}: {why}: it was recorded for another conversation; record it again"
        return Observed(trace=trace, fault=CaseFault(kind="other-input", message=message))
    if (turn := _other_input(job, trace)) is not None:
        message = f"{name} was recorded for another input than the suite gives; record it again"
        return Observed(
            trace=trace, fault=CaseFault(kind="other-input", message=message, step=turn.id)
        )
    return Observed(trace=trace)


def _other_input(job: Job, trace: Trace) -> Turn | None:
    """Return the first turn whose input, or resumption, the trace recorded differently.

    A null input says nothing.
    """
    steps = {step.id: step.trace for step in trace.steps or ()}
    for turn in job.turns:
        seen = trace if turn.id is None else steps.get(turn.id)
        done = turn.resume.model_dump() if turn.resume else turn.input
        given = masked(done, job.mask)
        if given is not None and seen and seen.recorded("input") and not equal(given, seen.input):
            return turn
        if turn.resume and seen and _actions(seen) - {turn.resume.action}:
            return turn
    return None


def _actions(trace: Trace) -> set[str]:
    """Return what was done at the waits from which a turn went on."""
    return {each.action for each in trace.executions or () if each.action}
