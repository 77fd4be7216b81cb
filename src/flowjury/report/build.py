"""The building of a report: a pure function of suite, run, case records and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from flowjury.case import Case, Trials
from flowjury.check import Scope
from flowjury.evidence import Evidence
from flowjury.finding import Finding, enforced
from flowjury.judging import changed
from flowjury.model import Json
from flowjury.names import Names
from flowjury.record import CaseRecord, RunRecord, Stimulus
from flowjury.report.model import (
    NOT_SELECTED,
    CaseReport,
    GateReport,
    Report,
    Unused,
)
from flowjury.report.rates import OPEN, gates_of, needed, standing
from flowjury.report.summary import suite_scope
from flowjury.report.trial import Answers, Trial, trial_of, weighed
from flowjury.request import Request, Ticket
from flowjury.suite import Suite
from flowjury.usage import exact
from flowjury.verdict import Status, Verdict, worst

EXIT = {Status.ERROR: 4, Status.FAILED: 1, Status.PASSED: 0, Status.SKIPPED: 0}
INCOMPLETE = 3


@dataclass(frozen=True)
class Built:
    """A report, with the requests that its rubrics ask, open or answered."""

    report: Report
    requests: tuple[Request, ...]


@dataclass(frozen=True)
class _Weighed:
    """One case with what its trials asked and spent."""

    report: CaseReport
    requests: tuple[Request, ...]
    spent: Mapping[str, Decimal]


def build(
    suite: Suite,
    run: RunRecord,
    records: Iterable[CaseRecord],
    *,
    now: Mapping[str, Stimulus],
    answers: Answers,
) -> Built:
    """Weigh every case of the suite.

    `records` come in suite order, the trials of a case together; each is let go once weighed.
    `now` says for each case what its trace would depend on today: where that differs from what it
    depended on, the case is `not-run`.
    """
    names = Names(run.workflow, suite.declares)
    weighed_cases = list(_cases(suite, run, records, now=now, names=names, answers=answers))
    cases = tuple(case.report for case in weighed_cases)
    requests = tuple(request for case in weighed_cases for request in case.requests)
    findings = _suite_findings(suite, cases, names, answers)
    gates = _gates(suite, cases)
    status, code = _outcome(cases, findings, gates)
    report = Report(
        suite=suite.name,
        title=suite.title,
        suite_file=run.suite_file,
        run=run.id,
        started=run.started,
        data=run.data,
        status=status,
        exit=code,
        partial=any(not case.selected for case in cases),
        totals=_totals(cases),
        warnings=_not_passed(cases, "warn"),
        noted=_not_passed(cases, "report"),
        spent=_spent(weighed_cases),
        gates=gates,
        findings=findings,
        cases=cases,
        unused=tuple(_unused(suite, cases, requests, answers)),
    )
    return Built(report, requests)


def _cases(  # noqa: PLR0913 - the parts of one pure function
    suite: Suite,
    run: RunRecord,
    records: Iterable[CaseRecord],
    *,
    now: Mapping[str, Stimulus],
    names: Names,
    answers: Answers,
) -> Iterator[_Weighed]:
    """Join the cases of the suite with their records, both in suite order where they can be."""
    groups = groupby(records, key=lambda record: record.case)
    early: dict[str, list[CaseRecord]] = {}
    for case in suite.cases:
        mine = early.pop(case.id, None)
        while mine is None and (group := next(groups, None)) is not None:
            found = list(group[1])
            if group[0] == case.id:
                mine = found
            else:
                early[group[0]] = found
        yield _case(suite, run, case, mine or [], now=now, names=names, answers=answers)


def _case(  # noqa: PLR0913 - likewise
    suite: Suite,
    run: RunRecord,
    case: Case,
    records: Sequence[CaseRecord],
    *,
    now: Mapping[str, Stimulus],
    names: Names,
    answers: Answers,
) -> _Weighed:
    if case.skip is not None:
        return _Weighed(_idle(case, Status.SKIPPED, case.skip), (), {})
    if not records:
        return _Weighed(_idle(case, Status.NOT_RUN, _why_not_run(run, case)), (), {})
    fresh, changes = _fresh(case, records, now)
    if not fresh:
        reason = f"stimulus changed: {', '.join(changes)}"
        return _Weighed(_idle(case, Status.NOT_RUN, reason), (), {})
    trials = [trial_of(suite, case, r, names=names, answers=answers) for r in fresh]
    requests = {request.digest: request for trial in trials for request in trial.requests}
    return _Weighed(
        _of_trials(case, trials, suite.trials_of(case)),
        tuple(requests.values()),
        _spent_by(fresh),
    )


def _fresh(
    case: Case, records: Sequence[CaseRecord], now: Mapping[str, Stimulus]
) -> tuple[list[CaseRecord], list[str]]:
    """Keep the records whose stimulus is what it would be today; name what changed."""
    current = now.get(case.id)
    if current is None:
        return list(records), []
    differing = {r.trial: r.stimulus.changes(current) for r in records}
    fresh = [record for record in records if not differing[record.trial]]
    return fresh, sorted({change for some in differing.values() for change in some})


def _idle(case: Case, status: Status, reason: str) -> CaseReport:
    return CaseReport(id=case.id, title=case.title, tags=case.tags, status=status, reason=reason)


def _why_not_run(run: RunRecord, case: Case) -> str:
    if run.selected is not None and case.id not in run.selected:
        return NOT_SELECTED
    return "not recorded in this run" if run.finished else "the run was interrupted"


def _of_trials(case: Case, trials: Sequence[Trial], plan: Trials) -> CaseReport:
    """Decide a case from its trials; one replayed wholly from fixtures decides alone."""
    reports = tuple(trial.report for trial in trials)
    planned = 1 if len(reports) == 1 and reports[0].replayed else max(plan.n, len(reports))
    must_pass = needed(plan.pass_, planned)
    statuses = [report.status for report in reports]
    statuses += [Status.NOT_RUN] * (planned - len(reports))
    return CaseReport(
        id=case.id,
        title=case.title,
        tags=case.tags,
        status=_status_of_trials(statuses, must_pass),
        reason=reports[0].reason if planned == 1 else None,
        passed=statuses.count(Status.PASSED),
        needed=must_pass,
        planned=planned,
        trials=reports,
    )


def _status_of_trials(statuses: Sequence[Status], must_pass: int) -> Status:
    if Status.ERROR in statuses:
        return Status.ERROR
    undecided = [status for status in statuses if status in OPEN]
    held = standing(
        passed=statuses.count(Status.PASSED), undecided=len(undecided), needed=must_pass
    )
    if held == "open":
        return (
            worst(s for s in [*undecided, Status.NEEDS_JUDGE] if s is not Status.NOT_RUN)
            if any(status is not Status.NOT_RUN for status in undecided)
            else Status.NOT_RUN
        )
    return Status.PASSED if held == "passed" else Status.FAILED


def _suite_findings(
    suite: Suite, cases: Sequence[CaseReport], names: Names, answers: Answers
) -> tuple[Finding, ...]:
    if not suite.checks:
        return ()
    scope = suite_scope(cases, _totals(cases), names=names, answers=answers)
    return tuple(weighed(check, scope) for check in suite.checks)


def _gates(suite: Suite, cases: Sequence[CaseReport]) -> tuple[GateReport, ...]:
    by_id = {case.id: case for case in suite.cases}
    undecided = [c for c in cases if c.selected and c.status in OPEN]
    checks = [check for c in undecided for check in _checks(by_id[c.id])]
    return gates_of(
        suite.gates,
        cases,
        critical=sum(check.critical for check in checks),
        warnings=sum(check.enforcement == "warn" for check in checks),
    )


def _checks(case: Case) -> list[Scope]:
    return [check for part in (case, *case.steps) for check in part.checks]  # type: ignore[misc]


def _outcome(
    cases: Sequence[CaseReport], findings: Sequence[Finding], gates: Sequence[GateReport]
) -> tuple[Status, int]:
    """Return the worst status and the exit code; gates, where present, decide over cases."""
    selected = [case.status for case in cases if case.selected]
    suite_wide = [Status(verdict.value) for verdict in enforced(findings)]
    deciding = [_of_gate(gate) for gate in gates] or [_of_case(status) for status in selected]
    if Status.ERROR in selected:
        deciding.append(Status.ERROR)
    outcome = worst([*deciding, *suite_wide])
    return outcome, EXIT.get(outcome, INCOMPLETE)


def _of_case(status: Status) -> Status:
    """A case that was skipped moves nothing; one that was not run leaves the run incomplete."""
    if status is Status.SKIPPED:
        return Status.PASSED
    return Status.UNKNOWN if status is Status.NOT_RUN else status


def _of_gate(gate: GateReport) -> Status:
    return {"passed": Status.PASSED, "failed": Status.FAILED, "open": Status.UNKNOWN}[gate.status]


def _totals(cases: Sequence[CaseReport]) -> dict[str, int]:
    counts = Counter(case.status for case in cases)
    return {status.value: counts[status] for status in Status if counts[status]}


def _not_passed(cases: Sequence[CaseReport], enforcement: str) -> int:
    return sum(
        finding.enforcement == enforcement and finding.verdict is not Verdict.PASSED
        for case in cases
        for trial in case.trials
        for finding in trial.all_findings()
    )


def _spent_by(records: Sequence[CaseRecord]) -> dict[str, Decimal]:
    totals: dict[str, Decimal] = {}
    for record in records:
        if record.trace is not None:
            for unit, spent in Evidence(record.trace).spending.items():
                totals[unit] = totals.get(unit, Decimal(0)) + spent.total
    return totals


def _spent(cases: Sequence[_Weighed]) -> dict[str, int | float]:
    totals: dict[str, Decimal] = {}
    for case in cases:
        for unit, number in case.spent.items():
            totals[unit] = totals.get(unit, Decimal(0)) + exact_number(number)
    return {
        unit: int(total) if total == total.to_integral_value() else float(total)
        for unit, total in sorted(totals.items())
    }


def exact_number(number: Decimal | float) -> Decimal:
    """Return a number as a decimal."""
    return number if isinstance(number, Decimal) else exact(number)


def _unused(
    suite: Suite, cases: Sequence[CaseReport], requests: Sequence[Request], answers: Answers
) -> Iterator[Unused]:
    """List answers whose case exists and was observed, but asks something else now."""
    asked = {(r.case, r.step): r for r in requests}
    digests = {request.digest for request in requests}
    observed = {case.id for case in cases if case.trials}
    for ticket in answers.tickets:
        if ticket.suite == suite.name and ticket.case in observed and ticket.digest not in digests:
            yield _one_unused(ticket, asked.get((ticket.case, ticket.step)), answers)


def _one_unused(ticket: Ticket, current: Request | None, answers: Answers) -> Unused:
    judges = sorted({j.judge.name for j in answers.judgements(ticket.digest)})
    gone: tuple[str, ...] = ("the case asks no judge now",)
    return Unused(
        request=ticket.digest,
        case=ticket.case,
        step=ticket.step,
        judges=tuple(judges),
        changed=gone if current is None else changed(ticket.parts, current.parts),
    )


def summary_of(report: Report) -> Json:
    """Return what a reader sees first: status, totals and the exit code."""
    return {"status": report.status.value, "exit": report.exit, "totals": report.totals}
