"""The rubric: what a judge is asked, over which projections of the evidence."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from flowjury.model import JsonField, Model
from flowjury.operators import fault
from flowjury.pointer import parse
from flowjury.scalars import Flag, Whole


def _pointer(text: str) -> str:
    parse(text)
    return text


def _regex(text: str) -> str:
    if problem := fault("regex", text):
        raise ValueError(problem)
    return text


Pointer = Annotated[str, AfterValidator(_pointer)]
"""A JSON Pointer (RFC 6901)."""
Regex = Annotated[str, AfterValidator(_regex)]
"""A regular expression in RE2 syntax."""
Id = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f/]+$")]
"""A durable identity: no control characters, no slash."""


class Replacement(Model):
    """A rule that replaces text before a judge sees it."""

    regex: Regex
    """What is replaced."""
    with_: str = Field(alias="with")
    """What stands there instead, to the letter."""


class Projection(Model):
    """A part of the evidence that the judge sees, and nothing else of it."""

    at: Pointer
    """Where it is in the evidence."""
    drop: tuple[Pointer, ...] = ()
    """Parts of it that are left out."""
    replace: tuple[Replacement, ...] = ()
    """Texts in it that are replaced, in order."""
    optional: Flag = False
    """Ask even if it is not there; the judge is told that it is absent."""


class Criterion(Model):
    """One observable statement that a judge confirms or denies."""

    id: Id
    """Durable identity."""
    text: str = Field(min_length=1, pattern=r"\S")
    """The statement."""
    required: Flag = True
    """Whether the case passes only if it is met."""
    applies: str | None = None
    """When it applies; only then may a judge answer not-applicable."""
    reference: JsonField = None
    """Facts that the judge may take as true."""
    quote: Flag = True
    """Whether `met` needs a quote that occurs in the evidence."""


class Rubric(Model):
    """What a judge is asked about a case or a step."""

    question: str | None = None
    """What it is about; the criteria decide."""
    criteria: tuple[Criterion, ...] = Field(min_length=1)
    """The statements to judge."""
    evidence: tuple[Projection, ...] = Field(min_length=1)
    """What the judge sees."""
    minimum_score: Whole | None = Field(default=None, ge=1, le=5)
    """A score from 1 to 5 that the answer must reach."""
    unsupported_claims: Literal["fail", "warn"] = "fail"
    """What a claim that the evidence does not support does."""
    agreement: Literal["any-fail", "majority", "unanimous"] = "any-fail"
    """How several judges become one decision."""
    calibration: JsonField = None
    """Settings of a calibration of this rubric."""

    @model_validator(mode="after")
    def _decisive(self) -> Self:
        if self.minimum_score is None and not any(each.required for each in self.criteria):
            raise ValueError(
                "no answer could fail it: let a criterion be required, or set a minimum_score"
            )
        return self

    @model_validator(mode="after")
    def _unique(self) -> Self:
        named = {
            "criterion id": Counter(criterion.id for criterion in self.criteria),
            "evidence pointer": Counter(item.at for item in self.evidence),
        }
        for what, names in named.items():
            doubles = [name for name, times in names.items() if times > 1]
            if doubles:
                raise ValueError(f"{what} occurs more than once: {', '.join(map(repr, doubles))}")
        return self
