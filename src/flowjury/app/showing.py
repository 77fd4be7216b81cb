"""Showing: what one case did, as a timeline, and single values of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from flowjury.app.project import Project
from flowjury.app.refreshing import built_of, weighed_case
from flowjury.app.standing import Standing, standings
from flowjury.errors import UsageError
from flowjury.evidence import Evidence, Unrecorded
from flowjury.model import JsonField, Model
from flowjury.names import Names
from flowjury.pointer import Found, Missing, join, nearest
from flowjury.record import CaseRecord
from flowjury.report.model import CaseReport
from flowjury.store.runs import RunStore
from flowjury.trace import Raised


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
    printed: str | None = None
    """What was written to standard output and error meanwhile, where that was kept."""
    notes: tuple[str, ...] = ()
    """What happened to the one that recorded it, such as a worker that was lost."""


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
        of = next(case for case in standing.loaded.suite.cases if case.id == wanted.case)
        case = weighed_case(project, store, standing.loaded, standing.run, of)
    evidence = _evidence(record, standing, wanted) if record.trace else None
    return Shown(
        suite=standing.loaded.suite.name,
        run=standing.run.id,
        trial=record.trial,
        status=record.trace.status if record.trace else None,
        timeline=tuple(_lines(evidence)) if evidence else (),
        case=case,
        printed=record.printed,
        notes=record.notes,
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


def show_node(project: Project, wanted: Wanted, node: str, inside: str = "") -> ValueShown:
    """Return the visits of a node, named as in a suite, or what is inside them."""
    with RunStore.open_readonly(project.root) as store:
        standing, record = _found(project, store, wanted)
    name = Names(standing.run.workflow, standing.loaded.suite.declares).node(node)
    at = join(["nodes", name]) + inside
    ran = sorted(_evidence(record, standing, wanted).visits) if record.trace else []
    if name in ran:
        return show_value(project, wanted, at)
    hint = f"; nearest is {near!r}" if (near := nearest(node, ran)) else ""
    message = f"no node {node!r} ran in this case{hint} (ran: {', '.join(ran) or 'none'})"
    return ValueShown(at=at, present=False, message=message)


def _found(project: Project, store: RunStore, wanted: Wanted) -> tuple[Standing, CaseRecord]:
    """Return the one record that is wanted. Raises UsageError where there is none, or several."""
    all_of = standings(project, store, wanted.suites, run=wanted.run)
    records = ((one, store.record(one.run.id, wanted.case, wanted.trial)) for one in all_of)
    found = [(one, record) for one, record in records if record is not None]
    if len(found) > 1:
        suites = " or ".join(f"--suite {project.name_of(one.loaded.path)}" for one, _ in found)
        raise UsageError(f"{len(found)} suites have a case {wanted.case!r}; say which: {suites}")
    if not found:
        raise UsageError(_not_stored(project, store, all_of, wanted))
    return found[0]


def _not_stored(
    project: Project, store: RunStore, all_of: Sequence[Standing], wanted: Wanted
) -> str:
    """Say why no record is there: it did not run, has fewer trials, or nobody knows it."""
    reports = [built_of(project, store, one.loaded, one.run).report for one in all_of]
    cases = {case.id: case for report in reports for case in report.cases}
    case = cases.get(wanted.case)
    if case is None:
        hint = f"; nearest is {near!r}" if (near := nearest(wanted.case, sorted(cases))) else ""
        return f"no case {wanted.case!r} is stored{hint}"
    if wanted.trial > 1:
        return f"case {wanted.case!r} has no trial {wanted.trial} in this run"
    return f"case {wanted.case!r} has no trace: {case.status}, {case.reason}"


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
            error=_raised(execution.error) if execution.error else None,
        )


def _raised(error: Raised) -> str:
    where = f" ({error.where})" if error.where else ""
    return f"{error.type}: {error.message}{where}"
