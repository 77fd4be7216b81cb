"""The rates: when enough trials of a case, or cases of a suite, have passed (exact fractions)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Literal

from flowjury.analysis.gates import may_warn
from flowjury.check import Check
from flowjury.finding import Finding
from flowjury.plural import numbered
from flowjury.report.model import CaseReport, GateReport, TrialReport
from flowjury.suite import Suite
from flowjury.verdict import Status, Verdict

Standing = Literal["passed", "failed", "open"]
OPEN = frozenset({Status.UNKNOWN, Status.NEEDS_JUDGE, Status.NOT_RUN})


@cache
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
    for name, bound, counts, latent in (
        ("critical", gates.critical, _is_critical, _is_critical),
        ("warnings", gates.warnings, _is_warning, may_warn),
    ):
        if bound is not None:
            verdicts = Counter(_verdicts(suite, ran, suite_wide, counts))
            idle = not any(map(latent, _weighed_checks(suite, ran)))
            reports.append(_count_gate(name, bound, verdicts, _unweighed(ran), idle=idle))
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


def _count_gate(
    name: str, bound: int, verdicts: Counter[Verdict], unweighed: int, *, idle: bool
) -> GateReport:
    """Weigh a bound on failures; where nothing that counts was weighed, it is open."""
    failed, undecided = verdicts[Verdict.FAILED], verdicts[Verdict.UNKNOWN]
    message = f"{failed} failed, {undecided} open"
    status: Standing = "passed" if failed + undecided <= bound else "open"
    if failed > bound:
        status = "failed"
    elif unweighed:
        status, message = "open", f"{message}, {numbered(unweighed, 'trial')} not weighed"
    elif idle:
        status, message = "open", f"{message}: no check that counts for it was weighed"
    return GateReport(name=name, bound=str(bound), status=status, message=message)


def _weighed_checks(suite: Suite, ran: Sequence[CaseReport]) -> Iterator[Check]:
    """Yield the checks that were weighed at least once."""
    checks = {case.id: case.all_checks for case in suite.cases}
    for case in ran:
        yield from checks[case.id] if case.trials else ()
    yield from suite.checks


def _unweighed(cases: Sequence[CaseReport]) -> int:
    """Count the trials of which some checks were not weighed."""
    return sum(case.planned - sum(map(_is_whole, case.trials)) for case in cases)


def _is_whole(trial: TrialReport) -> bool:
    """Tell whether the run came to its end, in every turn."""
    return trial.status not in {Status.NOT_RUN, Status.ERROR} and not any(
        step.reason for step in trial.steps
    )


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
