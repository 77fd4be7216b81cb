"""One trial: its findings, decisions and status, from its record and the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from flowjury.case import Case, Step
from flowjury.check import Check, Scope
from flowjury.decision import RubricReport
from flowjury.evidence import Evidence
from flowjury.finding import Finding, enforced
from flowjury.judging import ask, decide
from flowjury.reason import text_of
from flowjury.record import CaseFault, CaseRecord
from flowjury.report.basis import Basis
from flowjury.report.ending import ending, unobserved
from flowjury.report.faults import fault_of
from flowjury.report.model import StepReport, TrialReport
from flowjury.report.vacuous import vacuous
from flowjury.request import Request
from flowjury.rubric import Rubric
from flowjury.verdict import Status, Verdict, worst


@dataclass(frozen=True)
class Trial:
    """What came of one trial, with the requests that it asks and what it spent."""

    report: TrialReport
    requests: tuple[Request, ...] = ()
    spent: Mapping[str, Decimal] = field(default_factory=dict)
    vacuous: tuple[str, ...] = ()
    """Fixtures for which a check passed that could not fail, each in words."""


@dataclass(frozen=True)
class Part:
    """A case or one of its steps, with what its checks see."""

    of: Case | Step
    scope: Scope

    @property
    def step(self) -> str | None:
        """The step's id; None for the whole case."""
        return self.scope.step


@dataclass(frozen=True)
class _Found:
    """The findings of one part: what is implied of every run, and what its checks came to."""

    implicit: tuple[Finding, ...]
    explicit: tuple[Finding, ...] = ()

    @property
    def all(self) -> tuple[Finding, ...]:
        return (*self.implicit, *self.explicit)


def trial_of(basis: Basis, case: Case, record: CaseRecord) -> Trial:
    """Weigh one record. On a fault, only the steps that ended before it are weighed."""
    evidence = _evidence(basis, record)
    fault = fault_of(case, record)
    parts = list(_parts(basis, case, evidence, fault))
    found = _found(case, parts, fault)
    status = _measured(case, found, fault)
    asked = _asked(basis, case, parts, status)
    report = TrialReport(
        number=record.trial,
        status=worst([status, *(rubric.status for rubric, _ in asked if rubric.status)]),
        reason=None if status is Status.PASSED else _reason(case, found, fault),
        replayed=record.replayed,
        seconds=record.seconds,
        findings=found[None].all if None in found else (),
        steps=tuple(_step(step, found, fault) for step in case.steps),
        rubrics=tuple(rubric for rubric, _ in asked),
        unused=(record.trace.unused or ()) if record.trace else (),
        programs=(record.trace.programs or ()) if record.trace else (),
    )
    requests = tuple(request for _, request in asked if request is not None)
    return Trial(report, requests, _spent(evidence), tuple(_vacuous(parts, found)))


def parts_of(basis: Basis, case: Case, record: CaseRecord) -> Iterator[Part]:
    """Yield what can be weighed: every turn that ended, and the case if nothing broke."""
    yield from _parts(basis, case, _evidence(basis, record), fault_of(case, record))


def weighed(check: Check, scope: Scope) -> Finding:
    """Weigh one check; a check that itself breaks is an error that names it, and no more."""
    try:
        return check.weigh(scope)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a kind may come from a plugin; nothing is lost
        message = f"the check itself broke: {type(error).__name__}: {text_of(error)}"
        return check.signed(Finding(kind=check.kind, verdict=Verdict.ERROR, message=message))


def _evidence(basis: Basis, record: CaseRecord) -> Evidence | None:
    nodes = basis.names.nodes or ()
    return None if record.trace is None else Evidence(record.trace, nodes=nodes)


def _parts(
    basis: Basis, case: Case, evidence: Evidence | None, fault: CaseFault | None
) -> Iterator[Part]:
    if evidence is None:
        return
    answers, broken = basis.answers, fault.step if fault else None
    scope = Scope(
        evidence=evidence,
        names=basis.names,
        outcomes=answers.outcomes,
        evaluators=answers.evaluators,
    )
    turns = {name: turn for name, turn in evidence.steps.items() if name != broken}
    history = tuple(turns.values())
    earlier = {name: history[:number] for number, name in enumerate(turns)}
    for step in case.steps:
        if step.id in turns:
            turn = replace(scope, evidence=turns[step.id], step=step.id, history=earlier[step.id])
            yield Part(step, turn)
    if fault is None:
        yield Part(case, replace(scope, history=history) if history else scope)


def _vacuous(parts: Sequence[Part], found: Mapping[str | None, _Found]) -> Iterator[str]:
    for part in parts:
        yield from vacuous(part.of.checks, found[part.step].explicit, part.scope)


def _found(case: Case, parts: Sequence[Part], fault: CaseFault | None) -> dict[str | None, _Found]:
    """Weigh every part. A turn that nothing broke and that is not in the trace is unknown."""
    found = {part.step: _of_part(part) for part in parts}
    if fault is None:
        missing = [step.id for step in case.steps if step.id not in found]
        found |= {step: _Found((unobserved(step),)) for step in missing}
    return found


def _of_part(part: Part) -> _Found:
    conversation = isinstance(part.of, Case) and part.of.steps
    implicit = () if conversation else ending(part.of, part.scope.evidence.trace)
    return _Found(implicit, tuple(weighed(check, part.scope) for check in part.of.checks))


def _measured(case: Case, found: Mapping[str | None, _Found], fault: CaseFault | None) -> Status:
    """Return the status before any judge is heard.

    A run that should wait and does not is the workflow's doing, where it failed before for that.
    """
    statuses = _statuses(found)
    if fault is not None and fault.kind == "other-input":
        return Status.UNKNOWN
    if fault is not None:
        failed = fault.kind == "not-waiting" and worst(statuses) is Status.FAILED
        return Status.FAILED if failed else Status.ERROR
    return worst(statuses if _asserted(case, found) else [*statuses, Status.UNKNOWN])


def _statuses(found: Mapping[str | None, _Found]) -> list[Status]:
    """Return what each enforced finding makes of the trial."""
    verdicts = enforced(finding for part in found.values() for finding in part.all)
    return [Status(verdict.value) for verdict in verdicts]


def _asserted(case: Case, found: Mapping[str | None, _Found]) -> bool:
    """Tell whether anything could have failed the case, after what was missing lost its weight."""
    if case.expects or case.asks:
        return True
    return any(f.enforcement == "fail" for part in found.values() for f in part.explicit)


def _asked(
    basis: Basis, case: Case, parts: Sequence[Part], status: Status
) -> list[tuple[RubricReport, Request | None]]:
    """Ask every rubric whose evidence is there, unless the trial failed or erred already."""
    if status in {Status.FAILED, Status.ERROR}:
        message = f"not asked: the case {_DID[status]}"
        return [
            (RubricReport(decision="not-asked", message=message, step=step), None)
            for step, part in case.parts
            if part.rubric is not None
        ]
    return [
        _decided(basis, case, part, part.of.rubric) for part in parts if part.of.rubric is not None
    ]


_DID: Final = {Status.FAILED: "failed", Status.ERROR: "erred"}


def _decided(
    basis: Basis, case: Case, part: Part, rubric: Rubric
) -> tuple[RubricReport, Request | None]:
    request = ask(basis.suite.name, case.id, part.step, rubric, part.scope.evidence)
    if not isinstance(request, Request):
        report = RubricReport(decision="unknown", message=request.reason, step=part.step)
        return report, None
    judgements = basis.answers.judgements(request.digest)
    report = decide(rubric, request, judgements, allowed=basis.suite.judges)
    return report.model_copy(update={"step": part.step}), request


def _reason(case: Case, found: Mapping[str | None, _Found], fault: CaseFault | None) -> str | None:
    if fault is not None:
        place = f" in step {fault.step}" if fault.step else ""
        return f"{fault.kind}{place}: {fault.message}"
    if any(status is not Status.PASSED for status in _statuses(found)):
        return None  # that finding is the reason
    if not case.asserts:
        return "the case asserts nothing"
    return None if _asserted(case, found) else "nothing that the case asserts was measured"


def _step(step: Step, found: Mapping[str | None, _Found], fault: CaseFault | None) -> StepReport:
    if step.id in found:
        return StepReport(id=step.id, findings=found[step.id].all)
    if fault is not None and fault.kind == "not-waiting":
        return StepReport(id=step.id, reason=f"not run: {fault.message}")
    broken = fault.step if fault else None
    if broken == step.id:
        return StepReport(id=step.id, reason="it broke")
    what = "the case" if broken is None else f"step {broken}"
    return StepReport(id=step.id, reason=f"not run: {what} broke")


def _spent(evidence: Evidence | None) -> dict[str, Decimal]:
    spending = evidence.spending if evidence else {}
    return {unit: spent.total for unit, spent in spending.items()}
