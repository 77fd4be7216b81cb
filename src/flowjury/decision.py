"""The decision: what the answers of judges make of one rubric."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from flowjury.model import Model
from flowjury.request import Judgement
from flowjury.verdict import Status

Decision = Literal["passed", "failed", "needs-judge", "unknown", "not-asked"]


class CriterionReport(Model):
    """What came of one criterion."""

    id: str
    """The criterion."""
    text: str
    """Its statement."""
    required: bool
    """Whether the case passes only if it is met."""
    verdict: str
    """What the answers that count make of it."""
    reason: str = ""
    """Why, in the words of the answer that decided it."""
    judges: dict[str, str] = Field(default_factory=dict)
    """The answer of each judge, by name."""


class RubricReport(Model):
    """What came of one rubric."""

    decision: Decision
    """What the answers make of it; `unknown` where it could not be asked."""
    message: str
    """Why, in a sentence."""
    request: str | None = None
    """Digest of the request; absent where it could not be asked."""
    step: str | None = None
    """The step that asks; absent for the whole case."""
    criteria: tuple[CriterionReport, ...] = ()
    """What came of each criterion."""
    judgements: tuple[Judgement, ...] = ()
    """Every answer to the request, whether it counts or not."""

    @property
    def status(self) -> Status | None:
        """What it does to the status of its case; None where it was not asked."""
        return None if self.decision == "not-asked" else Status(self.decision)
