"""One trial: its findings, decisions and status, from its record and the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from flowjury.case import Case, Step
from flowjury.check import Check, Outcome, Scope
from flowjury.decision import RubricReport
from flowjury.evidence import Evidence
from flowjury.finding import Finding, enforced
from flowjury.judging import ask, decide
from flowjury.names import Names
from flowjury.record import CaseRecord
from flowjury.report.ending import ending
from flowjury.report.model import StepReport, TrialReport
from flowjury.request import Judgement, Request, Ticket
from flowjury.rubric import Rubric
from flowjury.suite import Suite
from flowjury.verdict import Status, Verdict, worst


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What was answered: judgements, and recorded outcomes of evaluators."""

    judgements: Callable[[str], Sequence[Judgement]] = lambda _: ()
    """The judgements of a request, by its digest."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """Outcomes of evaluators, by digest."""
    evaluators: Mapping[str, str] = field(default_factory=dict)
    """Digest of the code of each evaluator, by `module:function`."""
    tickets: Sequence[Ticket] = ()
    """Every request that has answers beside the suite."""


@dataclass(frozen=True)
class Trial:
    """What came of one trial, with the requests that it asks."""

    report: TrialReport
    requests: tuple[Request, ...] = ()


@dataclass(frozen=True)
class Part:
    """A case or one of its steps, with what its checks see."""

    of: Case | Step
    scope: Scope

    @property
    def step(self) -> str | None:
        """The step's id; None for the whole case."""
        return self.scope.step


def trial_of(
    suite: Suite, case: Case, record: CaseRecord, *, names: Names, answers: Answers
) -> Trial:
    """Weigh one record. On a fault, only the steps that ended before it are weighed."""
    parts = list(parts_of(case, record, names, answers))
    findings = {part.step: _findings(part) for part in parts}
    status = _measured(case, record, [found for some in findings.values() for found in some])
    asked = _asked(suite, case, parts, status, answers)
    rubrics = tuple(report for report, _ in asked)
    statuses = [rubric.status for rubric in rubrics if rubric.status is not None]
    report = TrialReport(
        number=record.trial,
        status=worst([status, *statuses]),
        reason=_reason(case, record),
        replayed=record.replayed,
        seconds=record.seconds,
        findings=findings.get(None, ()),
        steps=_steps(case, record, findings),
        rubrics=rubrics,
    )
    return Trial(report, tuple(request for _, request in asked if request is not None))


def parts_of(case: Case, record: CaseRecord, names: Names, answers: Answers) -> Iterator[Part]:
    """Yield what can be weighed: every turn that ended, and the case if nothing broke."""
    if record.trace is None:
        return
    scope = Scope(
        evidence=Evidence(record.trace, nodes=names.nodes or ()),
        names=names,
        outcomes=answers.outcomes,
        evaluators=answers.evaluators,
    )
    turns = _whole_turns(record, scope.evidence)
    steps = {step.id: step for step in case.steps}
    for number, (name, evidence) in enumerate(turns):
        history = tuple(earlier for _, earlier in turns[:number])
        if name in steps:
            turn = replace(scope, evidence=evidence, step=name, history=history)
            yield Part(steps[name], turn)
    if record.fault is None:
        yield Part(case, replace(scope, history=tuple(evidence for _, evidence in turns)))


def _whole_turns(record: CaseRecord, whole: Evidence) -> list[tuple[str, Evidence]]:
    broken = record.fault.step if record.fault else None
    return [(name, evidence) for name, evidence in whole.steps.items() if name != broken]


def _findings(part: Part) -> tuple[Finding, ...]:
    trace = part.scope.evidence.trace
    implicit = () if _is_conversation(part.of) else ending(part.of, trace)
    return (*implicit, *(weighed(check, part.scope) for check in part.of.checks))


def weighed(check: Check, scope: Scope) -> Finding:
    """Weigh one check; a check that itself breaks is an error that names it, and no more."""
    try:
        return check.weigh(scope)
    except Exception as error:  # noqa: BLE001 - a kind may come from a plugin; nothing else is lost
        kind: str = check.kind  # type: ignore[attr-defined]  # every kind has the tag
        message = f"the check itself broke: {type(error).__name__}: {error}"
        return check.signed(Finding(kind=kind, verdict=Verdict.ERROR, message=message))


def _is_conversation(part: Case | Step) -> bool:
    return isinstance(part, Case) and bool(part.steps)


def _measured(case: Case, record: CaseRecord, findings: Sequence[Finding]) -> Status:
    """Return the status before any judge is heard."""
    if record.fault is not None:
        return Status.ERROR
    statuses = [Status(verdict.value) for verdict in enforced(findings)]
    if not case.asserts:
        statuses.append(Status.UNKNOWN)
    return worst(statuses)


def _asked(
    suite: Suite, case: Case, parts: Sequence[Part], status: Status, answers: Answers
) -> list[tuple[RubricReport, Request | None]]:
    """Ask every rubric whose evidence is there, unless the trial failed or erred already."""
    if status in {Status.FAILED, Status.ERROR}:
        message = f"not asked: the case {status}"
        return [
            (RubricReport(decision="not-asked", message=message, step=name), None)
            for name, _ in _rubrics(case)
        ]
    return [
        _decided(suite, case, part, part.of.rubric, answers)
        for part in parts
        if part.of.rubric is not None
    ]


def _rubrics(case: Case) -> Iterator[tuple[str | None, Rubric]]:
    for step in case.steps:
        if step.rubric is not None:
            yield step.id, step.rubric
    if case.rubric is not None:
        yield None, case.rubric


def _decided(
    suite: Suite, case: Case, part: Part, rubric: Rubric, answers: Answers
) -> tuple[RubricReport, Request | None]:
    request = ask(suite.name, case.id, part.step, rubric, part.scope.evidence)
    if not isinstance(request, Request):
        report = RubricReport(decision="unknown", message=request.reason, step=part.step)
        return report, None
    judgements = answers.judgements(request.digest)
    report = decide(rubric, request, judgements, allowed=suite.judges)
    return report.model_copy(update={"step": part.step}), request


def _reason(case: Case, record: CaseRecord) -> str | None:
    if record.fault is not None:
        place = f" in step {record.fault.step}" if record.fault.step else ""
        return f"{record.fault.kind}{place}: {record.fault.message}"
    return None if case.asserts else "the case asserts nothing"


def _steps(
    case: Case, record: CaseRecord, findings: Mapping[str | None, tuple[Finding, ...]]
) -> tuple[StepReport, ...]:
    broken = record.fault.step if record.fault else None
    return tuple(
        StepReport(
            id=step.id,
            findings=findings.get(step.id, ()),
            reason=_why_not(step.id, broken, findings),
        )
        for step in case.steps
    )


def _why_not(
    step: str, broken: str | None, findings: Mapping[str | None, tuple[Finding, ...]]
) -> str | None:
    if step in findings:
        return None
    return "it broke" if step == broken else f"not run: step {broken} broke"
