"""The summary: the evidence that checks of the whole suite see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flowjury.check import Scope
from flowjury.evidence import Evidence, Resolution
from flowjury.model import Json
from flowjury.names import Names
from flowjury.pointer import resolve
from flowjury.report.model import CaseReport
from flowjury.report.rates import OPEN
from flowjury.report.trial import Answers
from flowjury.trace import Trace
from flowjury.verdict import Status, worst


class SuiteEvidence(Evidence):
    """A document about all cases, instead of about one trace."""

    def __init__(self, document: dict[str, Json]) -> None:
        """Take the document; there are no executions behind it."""
        super().__init__(Trace(status="finished"))
        self._suite = document

    def resolve(self, at: str) -> Resolution:
        """Follow a JSON Pointer."""
        return resolve(self._suite, at)


def suite_scope(
    cases: Sequence[CaseReport], totals: Mapping[str, int], *, names: Names, answers: Answers
) -> Scope:
    """Return what suite-level checks look at: `/summary` and `/cases`."""
    described = [_described(case) for case in cases]
    document = {"summary": _summary(cases, totals), "cases": described}
    return Scope(
        evidence=SuiteEvidence(document),
        names=names,
        outcomes=answers.outcomes,
        evaluators=answers.evaluators,
        cases=described,
    )


def _summary(cases: Sequence[CaseReport], totals: Mapping[str, int]) -> Json:
    counted = [case.status for case in cases if case.selected and case.status in _RANKED]
    undecided = sum(case.selected and case.status in OPEN for case in cases)
    counts = {status.value: totals.get(status.value, 0) for status in Status}
    return {"status": worst(counted).value, "cases": len(cases), "open": undecided, **counts}


def _described(case: CaseReport) -> Json:
    return {
        "id": case.id,
        "tags": list(case.tags),
        "status": case.status.value,
        "passed": case.passed,
        "needed": case.needed,
        "planned": case.planned,
    }


_RANKED = frozenset(Status) - {Status.SKIPPED, Status.NOT_RUN}
