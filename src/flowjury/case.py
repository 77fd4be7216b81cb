"""The case: one behaviour, as an input or a conversation, with what it asserts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from flowjury.model import JsonField, Model
from flowjury.rubric import Id, Rubric
from flowjury.scalars import Amounts, Real, Whole
from flowjury.trace import ErrorInfo

if TYPE_CHECKING:
    from flowjury.check import AnyCheck

_FRACTION: Final = re.compile(r"[0-9]{1,9}(/[0-9]{1,9})?")


def _fraction(value: object) -> str:
    """Accept `4/5` or 1; refuse floats, which are never exact, and 0, which asks for nothing."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str) and _FRACTION.fullmatch(text):
        numerator, _, denominator = text.partition("/")
        if 0 < int(numerator) <= int(denominator or 1):
            return text
    raise ValueError(
        f"{value!r} is not an exact fraction over 0 and up to 1; write it as text such as 4/5"
    )


_FRACTION_SCHEMA: Final = {
    "anyOf": [{"type": "string", "pattern": f"^{_FRACTION.pattern}$"}, {"const": 1}]
}
Rate = Annotated[str, BeforeValidator(_fraction), WithJsonSchema(_FRACTION_SCHEMA)]
"""An exact fraction over 0 and up to 1, such as `4/5`."""


class Trials(Model):
    """How often a case is repeated, and how many repetitions must pass."""

    n: Whole = Field(ge=1)
    """Number of trials."""
    pass_: Rate = Field(default="1", alias="pass")
    """The share of trials that must pass."""


class Fixture(Model):
    """The answer of a boundary node on one visit: an output or an error."""

    output: JsonField = None
    """What it answers."""
    error: ErrorInfo | None = None
    """What it raises instead."""
    outcome: str | None = None
    """The outcome by which it is left."""
    usage: Amounts | None = None
    """What it spent when it was recorded, by unit."""
    caller: str | None = None
    """Served only where this node called."""
    step: str | None = None
    """Served only in this step."""
    index: tuple[int, ...] | None = None
    """Served only in this branch or iteration."""
    input: str | None = None
    """Digest of the input it was recorded for; absent where written by hand."""

    @model_validator(mode="after")
    def _answers_once(self) -> Self:
        if ("output" in self.model_fields_set) == (self.error is not None):
            raise ValueError("a fixture has either an output or an error")
        return self


Fixtures = dict[str, tuple[Fixture, ...]]


class ExpectedError(Model):
    """An error that must end the run."""

    type: str | None = None
    """The name of its class."""
    message: str | None = None
    """A text that its message contains."""


class ExpectError(Model):
    """The run must end with this error."""

    error: ExpectedError
    """Which error."""


Expect = Literal["finished", "wait", "error"] | ExpectError


class Resume(Model):
    """What a person, or a clock, does at a wait."""

    wait: str
    """Name of the wait."""
    action: Literal["approve", "reject", "feedback", "timeout"]
    """What is done."""
    content: JsonField = None
    """What is said with it."""


class Step(Model):
    """One turn of a conversation."""

    id: Id
    """Durable identity, unique within the case."""
    title: str | None = None
    """A title for reports."""
    input: JsonField = None
    """What the workflow is given."""
    resume: Resume | None = None
    """What is done at the wait where the workflow is suspended."""
    expect: Expect = "finished"
    """How the turn must end."""
    fixtures: Fixtures = Field(default_factory=dict)
    """Answers of boundary nodes in this turn."""
    checks: tuple[AnyCheck, ...] = ()
    """What is asserted of this turn."""
    rubric: Rubric | None = None
    """What a judge is asked about this turn."""

    @model_validator(mode="after")
    def _one_stimulus(self) -> Self:
        if ("input" in self.model_fields_set) == (self.resume is not None):
            raise ValueError("a step has either an input or a resume")
        return self


class Case(Model):
    """One behaviour."""

    id: Id
    """Durable identity, unique within the suite."""
    title: str | None = None
    """A title for reports."""
    tags: tuple[str, ...] = ()
    """Words by which it can be selected."""
    skip: str | None = Field(default=None, min_length=1)
    """Why it is not run."""
    input: JsonField = None
    """What the workflow is given."""
    steps: tuple[Step, ...] = ()
    """The turns of a conversation, instead of an input."""
    trace: str | None = None
    """The file that holds the trace, for target `trace`."""
    expect: Expect = "finished"
    """How the run must end."""
    fixtures: Fixtures = Field(default_factory=dict)
    """Answers of boundary nodes."""
    checks: tuple[AnyCheck, ...] = ()
    """What is asserted of the whole case."""
    rubric: Rubric | None = None
    """What a judge is asked about the whole case."""
    trials: Trials | None = None
    """How often it is repeated."""
    timeout: Real | None = Field(default=None, gt=0)
    """Seconds after which it is stopped."""

    @model_validator(mode="after")
    def _one_stimulus(self) -> Self:
        if self.steps and ("input" in self.model_fields_set or "expect" in self.model_fields_set):
            raise ValueError("a case with steps has its inputs and expectations in them")
        return self

    @property
    def parts(self) -> tuple[tuple[str | None, Case | Step], ...]:
        """The turns by id, and the whole case, which has none."""
        return (*((step.id, step) for step in self.steps), (None, self))

    @property
    def all_checks(self) -> tuple[AnyCheck, ...]:
        """The checks of the case and of its turns."""
        return tuple(check for _, part in self.parts for check in part.checks)

    @property
    def expects(self) -> bool:
        """Tell whether it says how a run or a turn must end."""
        return any("expect" in part.model_fields_set for _, part in self.parts)

    @property
    def asks(self) -> bool:
        """Tell whether it asks a judge."""
        return any(part.rubric is not None for _, part in self.parts)

    @property
    def asserts(self) -> bool:
        """Tell whether anything in it could fail the case."""
        enforced = any(check.enforcement == "fail" for check in self.all_checks)
        return self.expects or self.asks or enforced
