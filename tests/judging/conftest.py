"""What tests of judging share: an easy way to make rubrics, requests and judgements."""

from __future__ import annotations

from typing import Any

import pytest

from flowjury.evidence import Evidence
from flowjury.judging import Unaskable, ask
from flowjury.request import Judgement, Request
from flowjury.rubric import Rubric
from flowjury.trace import Trace

TEXT = {"message": "A manager must approve  the refund\nof 700."}


class Bench:
    """One rubric over one output, asked."""

    def __init__(self, rubric: dict[str, Any] | None = None, output: Any = TEXT) -> None:
        criteria = [{"id": "a", "text": "Names the manager"}, {"id": "b", "text": "Names the sum"}]
        given = {"criteria": criteria, "evidence": [{"at": "/output"}], **(rubric or {})}
        self.rubric = Rubric.model_validate(given)
        self.asked = ask("suite", "case", None, self.rubric, evidence_of(output=output))

    @property
    def request(self) -> Request:
        assert isinstance(self.asked, Request), self.asked
        return self.asked

    @property
    def refusal(self) -> str:
        assert isinstance(self.asked, Unaskable), self.asked
        return self.asked.reason

    def judgement(self, judge: str = "ada", created: str = "", **fields: Any) -> Judgement:
        """Answer each criterion by its keyword: a verdict, or a whole ruling."""
        asked = [criterion.id for criterion in self.request.criteria]
        rulings = [_ruling(name, fields.pop(name)) for name in asked if name in fields]
        return Judgement.model_validate(
            {
                "request": self.request.digest,
                "judge": {"name": judge},
                "criteria": rulings,
                "created": created or "2026-01-01T00:00:00Z",
                **fields,
            }
        )


def _ruling(name: str, answer: Any) -> dict[str, Any]:
    if isinstance(answer, dict):
        return {"id": name, **answer}
    quotes = [{"pointer": "/output", "text": "manager"}] if answer == "met" else []
    return {"id": name, "verdict": answer, "quotes": quotes, "reason": f"so says {name}"}


def evidence_of(**fields: Any) -> Evidence:
    return Evidence(Trace.model_validate({"status": "finished", **fields}))


@pytest.fixture
def bench() -> type[Bench]:
    return Bench
