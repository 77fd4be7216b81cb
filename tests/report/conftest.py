"""Suites, records and judgements of a few words, to build reports from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from flowjury.app.project import suite_model
from flowjury.judging import content_hash
from flowjury.record import CaseFault, CaseRecord, RunRecord, Stimulus
from flowjury.report.basis import Answers, Basis
from flowjury.report.build import Built, build
from flowjury.report.model import CaseReport
from flowjury.request import Judge, Judgement, Request, Ruling, Ticket
from flowjury.suite import Suite
from flowjury.trace import Trace

YES = {"kind": "value", "at": "/output", "op": "equals", "value": "yes"}
RUBRIC = {
    "evidence": [{"at": "/output"}],
    "criteria": [{"id": "kind", "text": "It is kind", "quote": False}],
}


class Desk:
    """Makes what reports are built from, and builds them."""

    yes = YES
    rubric = RUBRIC

    def suite(self, *cases: Mapping[str, Any], **more: Any) -> Suite:
        listed = [{"input": None, **case} if "steps" not in case else case for case in cases]
        value = {"format": 1, "name": "s", "target": {"kind": "trace"}, "cases": listed, **more}
        return suite_model().model_validate(value)

    def trace(self, output: object = "yes", **more: Any) -> Trace:
        return Trace.model_validate({"status": "finished", "output": output, **more})

    def talk(self, **turns: Trace) -> Trace:
        steps = [
            {"id": name, "trace": trace.model_dump(exclude_unset=True)}
            for name, trace in turns.items()
        ]
        return Trace.model_validate({"status": "finished", "output": "yes", "steps": steps})

    def record(self, case: str, trace: Trace | None = None, **more: Any) -> CaseRecord:
        return CaseRecord.model_validate(
            {
                "case": case,
                "trial": 1,
                "stimulus": Stimulus(parts={"input": "1"}),
                "trace": trace,
                **more,
            }
        )

    def trials(self, case: str, *outputs: str) -> list[CaseRecord]:
        return [self.trial(case, number, output) for number, output in enumerate(outputs, 1)]

    def trial(self, case: str, number: int, output: str) -> CaseRecord:
        if output == "broken":
            return self.record(case, trial=number, fault=self.fault())
        trace = Trace(status="finished") if output == "unknown" else self.trace(output)
        return self.record(case, trace, trial=number)

    def fault(self, **more: Any) -> CaseFault:
        return CaseFault.model_validate({"kind": "fixture-miss", "message": "none for x", **more})

    def run(self, **more: Any) -> RunRecord:
        return RunRecord.model_validate(
            {
                "id": "r1",
                "suite": "s",
                "suite_file": "s.suite.yaml",
                "data": "replay",
                "started": "2026-01-01T00:00:00Z",
                "finished": True,
                **more,
            }
        )

    def build(
        self,
        suite: Suite,
        records: Iterable[CaseRecord],
        *,
        run: RunRecord | None = None,
        judged: Sequence[Judgement] = (),
        **more: Any,
    ) -> Built:
        answers = {
            "judgements": lambda digest: [j for j in judged if j.request == digest],
            "tickets": more.pop("tickets", ()),
            "outcomes": more.pop("outcomes", {}),
            "evaluators": {"m:f": "1" * 64},
        }
        return build(
            Basis(suite=suite, run=run or self.run(), answers=Answers(**answers), **more), records
        )

    def one(self, case: Mapping[str, Any], *records: CaseRecord, **more: Any) -> CaseReport:
        """Build the report of a suite of one case, named `c`."""
        return self.build(self.suite({"id": "c", **case}), records, **more).report.cases[0]

    def judgement(self, request: Request, verdict: str = "met", name: str = "ann") -> Judgement:
        rulings = [Ruling(id=c.id, verdict=verdict) for c in request.criteria]  # type: ignore[arg-type]
        return Judgement(
            request=request.digest,
            judge=Judge(name=name),
            criteria=tuple(rulings),
            created="2026-01-02T00:00:00Z",
        )

    def ticket(self, request: Request) -> Ticket:
        shared = request.model_dump(include={"digest", "parts", "suite", "case", "step"})
        return Ticket.model_validate(shared)

    def hashed(self, judgement: Judgement) -> str:
        return content_hash(judgement)


@pytest.fixture(scope="session")
def desk() -> Desk:
    return Desk()


@pytest.fixture(scope="session")
def messages() -> Callable[[CaseReport], list[tuple[str, str, str]]]:
    """List the findings of the first trial: kind, verdict and message."""

    def listed(case: CaseReport) -> list[tuple[str, str, str]]:
        return [(f.kind, f.verdict.value, f.message) for f in case.trials[0].all_findings()]

    return listed
