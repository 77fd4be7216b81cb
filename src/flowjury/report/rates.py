"""The rates: when enough trials of a case, or cases of a suite, have passed (exact fractions)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

from flowjury.check import Check
from flowjury.finding import Finding
from flowjury.report.model import CaseReport, GateReport
from flowjury.suite import Suite
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
    suite: Suite, cases: Sequence[CaseReport], suite_wide: Sequence[Finding]
) -> tuple[GateReport, ...]:
    """Weigh each gate that the suite sets."""
    gates = suite.gates
    if gates is None:
        return ()
    ran = [case for case in cases if case.selected and case.status is not Status.SKIPPED]
    reports: list[GateReport] = []
    if gates.pass_rate is not None:
        reports.append(_rate_gate("pass_rate", gates.pass_rate, _trials(ran), "trials"))
    if gates.case_pass_rate is not None:
        reports.append(_rate_gate("case_pass_rate", gates.case_pass_rate, _cases(ran), "cases"))
    for name, bound, counts in (
        ("critical", gates.critical, _is_critical),
        ("warnings", gates.warnings, _is_warning),
    ):
        if bound is not None:
            verdicts = _verdicts(suite, ran, suite_wide, counts)
            reports.append(_count_gate(name, bound, Counter(verdicts)))
    return tuple(reports)


def _trials(cases: Sequence[CaseReport]) -> _Tally:
    statuses = [trial.status for case in cases for trial in case.trials]
    missing = sum(case.planned - len(case.trials) for case in cases)
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


def _count_gate(name: str, bound: int, verdicts: Counter[Verdict]) -> GateReport:
    failed, undecided = verdicts[Verdict.FAILED], verdicts[Verdict.UNKNOWN]
    if failed > bound:
        status: Standing = "failed"
    else:
        status = "passed" if failed + undecided <= bound else "open"
    message = f"{failed} failed, {undecided} open"
    return GateReport(name=name, bound=str(bound), status=status, message=message)


def _is_critical(one: Check | Finding) -> bool:
    return one.critical


def _is_warning(one: Check | Finding) -> bool:
    return one.enforcement == "warn"


def _verdicts(
    suite: Suite,
    ran: Sequence[CaseReport],
    suite_wide: Sequence[Finding],
    counts: Callable[[Check | Finding], bool],
) -> Iterator[Verdict]:
    """Yield the verdict of each finding that counts; one that no trial has yet is unknown."""
    checks = {case.id: case.all_checks for case in suite.cases}
    for case in ran:
        for trial in case.trials:
            yield from (finding.verdict for finding in trial.all_findings() if counts(finding))
        missing = case.planned - len(case.trials)
        yield from [Verdict.UNKNOWN] * missing * sum(map(counts, checks[case.id]))
    yield from (finding.verdict for finding in suite_wide if counts(finding))
