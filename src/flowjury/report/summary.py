"""The summary: the evidence that checks of the whole suite see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from flowjury import pointer
from flowjury.check import Scope
from flowjury.evidence import Doubt, Evidence, Resolution
from flowjury.model import Json
from flowjury.report.basis import Basis
from flowjury.report.model import CaseReport
from flowjury.report.rates import OPEN
from flowjury.trace import Trace
from flowjury.verdict import Status, worst

_RISING: Final = frozenset({Status.PASSED, Status.FAILED, Status.ERROR})
"""The statuses that cases which are open may still come to."""
_AS_COUNTED: Final = {Status.NOT_RUN: Status.UNKNOWN}


class SuiteEvidence(Evidence):
    """A document about all cases, instead of about one trace; cases that are open make doubt."""

    def __init__(self, cases: Sequence[CaseReport]) -> None:
        """Describe the cases; there are no executions behind them."""
        super().__init__(Trace(status="finished"))
        self._cases = cases
        self.document = {"summary": _summary(cases), "cases": [_described(c) for c in cases]}

    def resolve(self, at: str) -> Resolution:
        """Follow a JSON Pointer."""
        return pointer.resolve(self.document, at)

    def doubt(self, at: str) -> Doubt | None:
        """Say why a value may be another once the cases that are open are decided."""
        undecided = [c.id for c in self._cases if c.selected and c.status in OPEN]
        if not undecided:
            return None
        reason = f"{len(undecided)} cases are open: {', '.join(undecided[:3])}"
        match pointer.parse(at):
            case ("summary", name) if name in _RISING:
                return Doubt("more", reason)
            case ("summary", "status") if worst(counted(self._cases)) in OPEN:
                return Doubt("place", reason)
            case () | ("summary",) | ("cases",):
                return Doubt("place", reason)
            case ("cases", number, *_) if self._is_open(number):
                return Doubt("place", reason)
        return None

    def _is_open(self, number: str) -> bool:
        case = pointer.resolve(self.document, pointer.join(["cases", number, "status"]))
        return isinstance(case, pointer.Found) and case.value in OPEN


def suite_scope(basis: Basis, cases: Sequence[CaseReport]) -> Scope:
    """Return what suite-level checks look at: `/summary` and `/cases`."""
    evidence = SuiteEvidence(cases)
    return Scope(
        evidence=evidence,
        names=basis.names,
        outcomes=basis.answers.outcomes,
        evaluators=basis.answers.evaluators,
        cases=evidence.document["cases"],
    )


def counted(cases: Sequence[CaseReport]) -> list[Status]:
    """Return what each selected case does to the suite: skipped nothing, not run leaves it open."""
    statuses = [case.status for case in cases if case.selected]
    return [_AS_COUNTED.get(each, each) for each in statuses if each is not Status.SKIPPED]


def _summary(cases: Sequence[CaseReport]) -> Json:
    counts = Counter(case.status for case in cases)
    return {
        "status": worst(counted(cases)).value,
        "cases": len(cases),
        "open": sum(case.selected and case.status in OPEN for case in cases),
        **{status.value: counts[status] for status in Status},
    }


def _described(case: CaseReport) -> Json:
    return {
        "id": case.id,
        "tags": list(case.tags),
        "status": case.status.value,
        "passed": case.passed,
        "needed": case.needed,
        "planned": case.planned,
    }
