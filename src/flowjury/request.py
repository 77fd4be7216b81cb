"""The request and the judgement: one open question with its evidence, and one answer to it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from flowjury.model import JsonField, Model
from flowjury.scalars import Amounts, Flag, Whole


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a time such as 2026-01-31T12:00:00Z") from error
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone; append Z for UTC, or an offset")
    return text


Answer = Literal["met", "not-met", "cannot-tell", "not-applicable"]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 over canonical JSON, in hex."""
Moment = Annotated[str, AfterValidator(_moment)]
"""A time in ISO 8601 with a time zone."""


class AskedCriterion(Model):
    """One criterion as a judge sees it."""

    id: str
    """Its identity in the answer."""
    text: str
    """The statement."""
    required: Flag = True
    """Whether the case passes only if it is met (not part of the digest)."""
    applies: str | None = None
    """When it applies."""
    reference: JsonField = None
    """Facts that the judge may take as true."""
    quote: Flag = True
    """Whether `met` needs a quote."""


class Parts(Model):
    """Digests of what a request is made of, so that it can be said what changed."""

    question: Digest
    """Of the question."""
    criteria: dict[str, Digest]
    """Of each criterion, by id."""
    evidence: dict[str, Digest]
    """Of each projected part of the evidence, by pointer."""


class Request(Model):
    """One open question with the evidence that a judge may use."""

    format: Literal[1] = 1
    """The number of this format."""
    digest: Digest
    """Names the question and its evidence; not names of suite or case, thresholds or time."""
    parts: Parts
    """Digests of what it is made of."""
    suite: str
    """Name of the suite that asks."""
    case: str
    """Id of the case that asks."""
    step: str | None = None
    """Id of the step that asks."""
    question: str
    """What it is about."""
    criteria: tuple[AskedCriterion, ...]
    """The statements to judge."""
    evidence: dict[str, JsonField]
    """What the judge sees, by pointer."""
    answer_schema: JsonField
    """JSON Schema of the answer."""
    instructions: str
    """How to answer, and how to hand the answer in."""


class Ticket(Model):
    """What is kept beside the answers to a request, so that later changes can be explained."""

    format: Literal[1] = 1
    """The number of this format."""
    digest: Digest
    """The request."""
    parts: Parts
    """Digests of what it is made of."""
    suite: str
    """Name of the suite that asked."""
    case: str
    """Id of the case that asked."""
    step: str | None = None
    """Id of the step that asked."""


class Judge(Model):
    """Who answered; names are self-declared."""

    name: str = Field(min_length=1)
    """Name by which a suite lists it."""
    model: str | None = None
    """The model that was served, as the server called it."""
    version: str | None = None
    """Version of the judge's own prompt or program."""
    host_digest: str | None = None
    """Digest of the code of the host judge."""


class Quote(Model):
    """Words of the evidence that an answer rests on."""

    pointer: str
    """Pointer of the evidence item that holds them."""
    text: str
    """The words, to the letter; blank ones prove nothing."""


class Ruling(Model):
    """The answer to one criterion."""

    id: str
    """The criterion."""
    verdict: Answer
    """The answer."""
    quotes: tuple[Quote, ...] = ()
    """Words of the evidence that it rests on."""
    reason: str = ""
    """Why, in a sentence."""


class Vote(Model):
    """One of several answers of one judge to one request."""

    batch: str
    """Names the votes that belong together."""
    n: Whole = Field(ge=1)
    """Number of this vote in its batch."""
    of: Whole | None = Field(default=None, ge=1)
    """How many votes the batch has; until all are there it decides nothing."""

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if self.of is not None and self.n > self.of:
            raise ValueError(f"vote {self.n} is none of {self.of}")
        return self


class Judgement(Model):
    """One judge's answer to one request."""

    format: Literal[1] = 1
    """The number of this format."""
    request: Digest
    """The request that it answers."""
    judge: Judge
    """Who answered."""
    criteria: tuple[Ruling, ...]
    """One answer per criterion asked, no more and no fewer."""
    score: Whole | None = Field(default=None, ge=1, le=5)
    """From 1 to 5, where the rubric sets a minimum."""
    unsupported_claims: tuple[str, ...] = ()
    """Claims of the judged text that the evidence does not support."""
    vote: Vote | None = None
    """Where one judge answered several times."""
    provenance: JsonField = None
    """How the answer came about: settings sent, mode, attempts."""
    usage: Amounts | None = None
    """What the judge spent, by unit; absent if unknown."""
    created: Moment
    """When, in ISO 8601 with a time zone."""
