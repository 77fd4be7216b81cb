"""The building of a report: a pure function of suite, run, case records and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flowjury.check import Scope
from flowjury.finding import Finding, enforced
from flowjury.record import CaseRecord
from flowjury.report.basis import Basis
from flowjury.report.cases import Weighed, added, weigh
from flowjury.report.model import CaseReport, GateReport, Report
from flowjury.report.rates import gates_of
from flowjury.report.summary import counted, suite_scope
from flowjury.report.trial import weighed
from flowjury.report.unused import unused
from flowjury.request import Request
from flowjury.usage import as_number
from flowjury.verdict import Status, Verdict, worst

_EXIT: Final = {Status.PASSED: 0, Status.FAILED: 1, Status.ERROR: 4}
_INCOMPLETE: Final = 3
_OF_GATE: Final = {
    "passed": Status.PASSED,
    "failed": Status.FAILED,
    "open": Status.UNKNOWN,
}


@dataclass(frozen=True)
class Built:
    """A report, with what it was made of."""

    report: Report
    requests: tuple[Request, ...]
    """The requests that rubrics ask, answered or not."""
    scope: Scope
    """What checks of the whole suite see."""

    @cached_property
    def open(self) -> tuple[Request, ...]:
        """The requests of rubrics that need a judge."""
        waiting = {
            rubric.request
            for case in self.report.cases
            for trial in case.trials
            for rubric in trial.rubrics
            if rubric.decision == "needs-judge"
        }
        return tuple(request for request in self.requests if request.digest in waiting)


def build(basis: Basis, records: Iterable[CaseRecord]) -> Built:
    """Weigh every case of the suite.

    The records of a case come together; each is let go once weighed. A case whose trace would
    depend on something else today is `not-run`.
    """
    weighed_cases = list(weigh(basis, records))
    cases = tuple(case.report for case in weighed_cases)
    requests = tuple(request for case in weighed_cases for request in case.requests)
    scope = suite_scope(basis, cases)
    findings = tuple(weighed(check, scope) for check in basis.suite.checks)
    gates = gates_of(basis.suite, cases, findings)
    status = _status(cases, findings, gates)
    report = Report(
        suite=basis.suite.name,
        title=basis.suite.title,
        suite_file=basis.run.suite_file,
        run=basis.run.id,
        started=basis.run.started,
        data=basis.run.data,
        status=status,
        exit=_EXIT.get(status, _INCOMPLETE),
        partial=any(not case.selected for case in cases),
        totals=_totals(cases),
        warnings=_not_passed(cases, findings, "warn"),
        noted=_not_passed(cases, findings, "report"),
        spent=_spent(weighed_cases),
        gates=gates,
        findings=findings,
        cases=cases,
        unused=tuple(unused(basis, cases, requests)),
        notes=(*_notes(cases), *_vacuous(weighed_cases)),
    )
    return Built(report, requests, scope)


def _status(
    cases: Sequence[CaseReport], findings: Sequence[Finding], gates: Sequence[GateReport]
) -> Status:
    """Return the worst status; gates, where present, decide over cases, save for errors.

    Where every case was skipped nothing was measured, whatever gates and suite checks say.
    """
    statuses = counted(cases)
    deciding = [_OF_GATE[gate.status] for gate in gates] or statuses
    errors = [status for status in statuses if status is Status.ERROR]
    unmeasured = [] if statuses else [Status.UNKNOWN]
    suite_wide = [Status(verdict.value) for verdict in enforced(findings)]
    return worst([*deciding, *errors, *suite_wide, *unmeasured])


def _spent(cases: Sequence[Weighed]) -> dict[str, int | float]:
    total = added(case.spent for case in cases)
    return {unit: as_number(amount) for unit, amount in sorted(total.items())}


def _notes(cases: Sequence[CaseReport]) -> Iterator[str]:
    """Say of each case which of its fixtures answered nothing, and which programs it started."""
    for case in cases:
        for left in dict.fromkeys(trial.unused for trial in case.trials if trial.unused):
            yield f"fixtures of case {case.id!r} that answered nothing: {', '.join(left)}"
        started = dict.fromkeys(name for trial in case.trials for name in trial.programs)
        if started:
            names = ", ".join(started)
            yield f"case {case.id!r} started programs ({names}); what they connect to is not seen"


def _vacuous(cases: Sequence[Weighed]) -> Iterator[str]:
    for case in cases:
        for said in case.vacuous:
            yield f"vacuous fixture of case {case.report.id!r}: {said}: no check of that can fail"


def _totals(cases: Sequence[CaseReport]) -> dict[str, int]:
    counts = Counter(case.status for case in cases)
    return {status.value: counts[status] for status in Status if counts[status]}


def _not_passed(
    cases: Sequence[CaseReport], suite_wide: Sequence[Finding], enforcement: str
) -> int:
    return sum(
        finding.enforcement == enforcement and finding.verdict is not Verdict.PASSED
        for finding in _all_findings(cases, suite_wide)
    )


def _all_findings(cases: Sequence[CaseReport], suite_wide: Sequence[Finding]) -> Iterator[Finding]:
    for case in cases:
        for trial in case.trials:
            yield from trial.all_findings()
    yield from suite_wide
