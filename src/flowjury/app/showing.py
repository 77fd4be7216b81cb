"""Showing: what one case did, as a timeline, and single values of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from flowjury.app.project import Project
from flowjury.app.refreshing import built_of
from flowjury.app.standing import Standing, standings
from flowjury.errors import UsageError
from flowjury.evidence import Evidence, Unrecorded
from flowjury.model import JsonField, Model
from flowjury.names import Names
from flowjury.pointer import Found, Missing, nearest
from flowjury.record import CaseRecord
from flowjury.report.model import CaseReport
from flowjury.store.runs import RunStore


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What to show."""

    case: str
    suites: tuple[Path, ...] = ()
    run: str | None = None
    trial: int = 1
    step: str | None = None


class Line(Model):
    """One try of a node, in the timeline."""

    node: str
    """Its static name."""
    attempt: int
    """1 for the first try of a visit."""
    index: tuple[int, ...]
    """Branch or iteration numbers."""
    depth: int
    """How many executions it ran inside."""
    step: str | None
    """The turn in which it ran."""
    status: str
    """How it ended."""
    outcome: str | None
    """The way it was left."""
    replayed: bool
    """Answered from a fixture."""
    start_ms: float
    """Milliseconds since the first execution started."""
    took_ms: float
    """Milliseconds that it took."""
    usage: dict[str, int | float] | None
    """What it spent."""
    error: str | None
    """What it raised."""


class Shown(Model):
    """One trial of one case."""

    suite: str
    """Name of the suite."""
    run: str
    """The run."""
    trial: int
    """Number of the trial."""
    status: str | None
    """How the run of the workflow ended; absent where there is no trace."""
    timeline: tuple[Line, ...]
    """Every try of every node, by start."""
    case: CaseReport
    """What came of the case."""


class ValueShown(Model):
    """One value of the evidence."""

    at: str
    """The pointer."""
    present: bool
    """Whether there is a value."""
    message: str
    """Why there is none."""
    value: JsonField = None
    """The value, whole."""


def show(project: Project, wanted: Wanted) -> Shown:
    """Return what a case did, and what came of it. Raises UsageError where it is not stored."""
    with RunStore.open_readonly(project.root) as store:
        standing, record = _found(project, store, wanted)
        built = built_of(project, store, standing.loaded, standing.run)
    case = next(case for case in built.report.cases if case.id == wanted.case)
    evidence = _evidence(record, standing, wanted) if record.trace else None
    return Shown(
        suite=standing.loaded.suite.name,
        run=standing.run.id,
        trial=record.trial,
        status=record.trace.status if record.trace else None,
        timeline=tuple(_lines(evidence)) if evidence else (),
        case=case,
    )


def show_value(project: Project, wanted: Wanted, at: str) -> ValueShown:
    """Return one value of a case's evidence, whole."""
    with RunStore.open_readonly(project.root) as store:
        standing, record = _found(project, store, wanted)
    if record.trace is None:
        message = record.fault.message if record.fault else "nothing was observed"
        return ValueShown(at=at, present=False, message=message)
    try:
        found = _evidence(record, standing, wanted).resolve(at)
    except ValueError as error:
        raise UsageError(f"--at {at!r}: {error}") from error
    match found:
        case Found():
            return ValueShown(at=at, present=True, message="", value=found.value)
        case Missing() | Unrecorded():
            return ValueShown(at=at, present=False, message=found.sentence())
    return ValueShown(at=at, present=False, message="the value could not be kept as JSON")


def node_pointer(project: Project, wanted: Wanted, node: str) -> str:
    """Return the pointer to the visits of a node, named as in a suite. Raises UsageError."""
    with RunStore.open_readonly(project.root) as store:
        standing, record = _found(project, store, wanted)
    names = Names(standing.run.workflow, standing.loaded.suite.declares)
    name = names.node(node)
    ran = set(_evidence(record, standing, wanted).visits) if record.trace else set()
    if name not in ran:
        known = sorted(ran)
        hint = f"; nearest is {near!r}" if (near := nearest(node, known)) else ""
        raise UsageError(f"no node {node!r} ran in this case{hint} (ran: {', '.join(known)})")
    return "/nodes/" + name.replace("~", "~0").replace("/", "~1")


def _found(project: Project, store: RunStore, wanted: Wanted) -> tuple[Standing, CaseRecord]:
    all_of = standings(project, store, wanted.suites, run=wanted.run)
    for standing in all_of:
        record = store.record(standing.run.id, wanted.case, wanted.trial)
        if record is not None:
            return standing, record
    raise UsageError(_not_stored(store, all_of, wanted))


def _not_stored(store: RunStore, all_of: Iterable[Standing], wanted: Wanted) -> str:
    known = sorted({kept.case for one in all_of for kept in store.kept(one.run.id)})
    if wanted.case in known:
        return f"case {wanted.case!r} has no trial {wanted.trial} in this run"
    hint = f"; nearest is {near!r}" if (near := nearest(wanted.case, known)) else ""
    return f"no case {wanted.case!r} is stored{hint}"


def _evidence(record: CaseRecord, standing: Standing, wanted: Wanted) -> Evidence:
    names = Names(standing.run.workflow, standing.loaded.suite.declares)
    assert record.trace is not None  # noqa: S101 - callers have looked
    evidence = Evidence(record.trace, nodes=names.nodes or ())
    if wanted.step is None:
        return evidence
    if wanted.step not in evidence.steps:
        known = ", ".join(evidence.steps) or "none"
        raise UsageError(f"no step {wanted.step!r} was observed (observed: {known})")
    return evidence.steps[wanted.step]


def _lines(evidence: Evidence) -> Iterable[Line]:
    executions = evidence.executions
    began = executions[0].start_ns if executions else 0
    depths: dict[str, int] = {}
    for execution in executions:
        depth = depths.get(execution.parent, -1) + 1 if execution.parent else 0
        depths[execution.id] = depth
        yield Line(
            node=execution.node,
            attempt=execution.attempt,
            index=execution.index,
            depth=depth,
            step=execution.step,
            status=execution.status,
            outcome=execution.outcome,
            replayed=execution.replayed,
            start_ms=(execution.start_ns - began) / 1e6,
            took_ms=(execution.end_ns - execution.start_ns) / 1e6,
            usage=execution.usage,
            error=f"{execution.error.type}: {execution.error.message}" if execution.error else None,
        )
