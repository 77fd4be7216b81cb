"""The rates: when enough trials of a case, or cases of a suite, have passed (exact fractions)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

from flowjury.finding import Finding
from flowjury.report.model import CaseReport, GateReport
from flowjury.suite import Gates
from flowjury.verdict import Status, Verdict

Standing = Literal["passed", "failed", "open"]
OPEN = frozenset({Status.UNKNOWN, Status.NEEDS_JUDGE, Status.NOT_RUN})


def needed(rate: str, planned: int) -> int:
    """Return how many of the planned trials must pass."""
    return ceil(Fraction(rate) * planned)


def standing(*, passed: int, undecided: int, needed: int) -> Standing:
    """Tell whether a bound is met whatever is open, out of reach, or still open."""
    if passed >= needed:
        return "passed"
    return "open" if passed + undecided >= needed else "failed"


@dataclass(frozen=True)
class _Tally:
    """How many of something passed, are open, and are counted at all."""

    passed: int
    undecided: int
    total: int


def gates_of(
    gates: Gates | None, cases: Sequence[CaseReport], critical: int, warnings: int
) -> tuple[GateReport, ...]:
    """Weigh each gate that the suite sets; `critical` and `warnings` count open checks."""
    if gates is None:
        return ()
    counted = [case for case in cases if case.selected and case.status is not Status.SKIPPED]
    findings = [f for case in counted for t in case.trials for f in t.all_findings()]
    reports = [
        gates.pass_rate and _rate_gate("pass_rate", gates.pass_rate, _trials(counted), "trials"),
        gates.case_pass_rate
        and _rate_gate("case_pass_rate", gates.case_pass_rate, _cases(counted), "cases"),
        gates.critical is not None
        and _count_gate("critical", gates.critical, _failed_critical(findings), critical),
        gates.warnings is not None
        and _count_gate("warnings", gates.warnings, _failed_warnings(findings), warnings),
    ]
    return tuple(report for report in reports if report)


def _trials(cases: Sequence[CaseReport]) -> _Tally:
    statuses = [trial.status for case in cases for trial in case.trials]
    missing = sum(max(case.planned - len(case.trials), 0) for case in cases)
    return _Tally(
        passed=statuses.count(Status.PASSED),
        undecided=sum(status in OPEN for status in statuses) + missing,
        total=len(statuses) + missing,
    )


def _cases(cases: Sequence[CaseReport]) -> _Tally:
    return _Tally(
        passed=sum(case.status is Status.PASSED for case in cases),
        undecided=sum(case.status in OPEN for case in cases),
        total=len(cases),
    )


def _rate_gate(name: str, bound: str, tally: _Tally, what: str) -> GateReport:
    if tally.total == 0:
        return GateReport(name=name, bound=bound, status="open", message=f"no {what} were run")
    status = standing(
        passed=tally.passed, undecided=tally.undecided, needed=needed(bound, tally.total)
    )
    message = f"{tally.passed} of {tally.total} {what} passed, {tally.undecided} open"
    return GateReport(name=name, bound=bound, status=status, message=message)


def _count_gate(name: str, bound: int, failed: int, undecided: int) -> GateReport:
    if failed > bound:
        status: Standing = "failed"
    else:
        status = "passed" if failed + undecided <= bound else "open"
    message = f"{failed} failed, {undecided} open"
    return GateReport(name=name, bound=str(bound), status=status, message=message)


def _failed_critical(findings: Sequence[Finding]) -> int:
    return sum(f.critical and f.verdict is Verdict.FAILED for f in findings)


def _failed_warnings(findings: Sequence[Finding]) -> int:
    return sum(f.enforcement == "warn" and f.verdict is Verdict.FAILED for f in findings)
