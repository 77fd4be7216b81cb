"""The cases of a report: each one decided from the trials that have a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby

from flowjury.case import Case
from flowjury.record import CaseRecord
from flowjury.report.basis import Basis
from flowjury.report.model import NOT_SELECTED, CaseReport
from flowjury.report.rates import OPEN, needed, standing
from flowjury.report.trial import Trial, trial_of
from flowjury.request import Request
from flowjury.verdict import Status, worst


@dataclass(frozen=True)
class Weighed:
    """One case, with what its trials ask and spent."""

    report: CaseReport
    requests: tuple[Request, ...] = ()
    spent: Mapping[str, Decimal] = field(default_factory=dict)
    vacuous: tuple[str, ...] = ()
    """Fixtures for which a check passed that could not fail, each in words."""


def weigh(basis: Basis, records: Iterable[CaseRecord]) -> Iterator[Weighed]:
    """Weigh every case of the suite, in its order.

    The records of a case come together, whenever they come, and are let go before the next.
    """
    cases = {case.id: case for case in basis.suite.cases}
    groups = groupby(records, key=lambda record: record.case)
    weighed = {
        name: weigh_case(basis, cases[name], list(mine)) for name, mine in groups if name in cases
    }
    for name, case in cases.items():
        yield weighed[name] if name in weighed else weigh_case(basis, case, [])


def added(sums: Iterable[Mapping[str, Decimal]]) -> dict[str, Decimal]:
    """Add up what was spent, by unit."""
    totals: dict[str, Decimal] = {}
    for some in sums:
        for unit, spent in some.items():
            totals[unit] = totals.get(unit, Decimal(0)) + spent
    return totals


def weigh_case(basis: Basis, case: Case, records: Sequence[CaseRecord]) -> Weighed:
    """Weigh one case by the records that it has."""
    if case.skip is not None:
        return Weighed(_idle(basis, case, Status.SKIPPED, case.skip))
    if not records:
        return Weighed(_idle(basis, case, Status.NOT_RUN, _why_not_run(basis, case)))
    fresh, changes = _fresh(basis, case, records)
    reason = f"stimulus changed: {', '.join(changes)}"
    if not fresh:
        return Weighed(_idle(basis, case, Status.NOT_RUN, reason))
    trials = [trial_of(basis, case, record) for record in fresh]
    report = _decided(basis, case, trials)
    if report.status is Status.NOT_RUN and changes:
        report = report.model_copy(update={"reason": reason})
    requests = {request.digest: request for trial in trials for request in trial.requests}
    spent = added(trial.spent for trial in trials)
    empty = tuple(dict.fromkeys(said for trial in trials for said in trial.vacuous))
    return Weighed(report, tuple(requests.values()), spent, empty)


def _fresh(
    basis: Basis, case: Case, records: Sequence[CaseRecord]
) -> tuple[list[CaseRecord], list[str]]:
    """Keep the records whose stimulus is what it would be today; name what changed."""
    now = basis.now.get(case.id)
    if now is None:
        return list(records), []
    changes = [record.stimulus.changes(now) for record in records]
    fresh = [record for record, some in zip(records, changes, strict=True) if not some]
    return fresh, sorted({change for some in changes for change in some})


def _why_not_run(basis: Basis, case: Case) -> str:
    run = basis.run
    if run.selected is not None and case.id not in run.selected:
        return NOT_SELECTED
    return "not recorded in this run" if run.finished else "the run did not come to its end"


def _idle(basis: Basis, case: Case, status: Status, reason: str) -> CaseReport:
    """Report a case without any trial."""
    return _decided(basis, case, ()).model_copy(update={"status": status, "reason": reason})


def _decided(basis: Basis, case: Case, trials: Sequence[Trial]) -> CaseReport:
    """Decide a case from its trials; one replayed wholly from fixtures decides alone."""
    reports = tuple(trial.report for trial in trials)
    plan = basis.suite.trials_of(case)
    alone = len(reports) == 1 and reports[0].replayed
    planned = 1 if alone else max(plan.n, len(reports))
    statuses = [report.status for report in reports]
    statuses += [Status.NOT_RUN] * (planned - len(reports))
    must_pass = needed(plan.pass_, planned)
    status = _status(statuses, must_pass)
    return CaseReport(
        id=case.id,
        title=case.title,
        tags=case.tags,
        status=status,
        reason=reports[0].reason if reports and planned == 1 else _ran(status, len(reports)),
        passed=statuses.count(Status.PASSED),
        needed=must_pass,
        planned=planned,
        trials=reports,
    )


def _ran(status: Status, trials: int) -> str | None:
    return f"only {trials} of its trials ran" if status is Status.NOT_RUN else None


def _status(statuses: Sequence[Status], must_pass: int) -> Status:
    """Decide by the bound; where it is open, the worst of what is open says why."""
    counts = Counter(statuses)
    if counts[Status.ERROR]:
        return Status.ERROR
    undecided = sum(counts[status] for status in OPEN)
    held = standing(passed=counts[Status.PASSED], undecided=undecided, needed=must_pass)
    if held == "open":
        measured = OPEN & counts.keys() - {Status.NOT_RUN}
        return worst(measured) if measured else Status.NOT_RUN
    return Status.PASSED if held == "passed" else Status.FAILED
