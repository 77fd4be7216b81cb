"""The bounds: what a number of things that were seen says, if there may have been more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Self, TypeAlias

from pydantic import BeforeValidator, Field, StrictInt, WithJsonSchema, model_validator

from flowjury.check import Claim, Truth
from flowjury.finding import Actual
from flowjury.model import Model

Amount = Annotated[StrictInt, Field(ge=0)]
"""How often something happens."""


class Bounds(Model):
    """How often something must happen: `exactly`, or `min` and `max`."""

    exactly: Amount | None = None
    """How often."""
    min: Amount | None = None
    """How often at least."""
    max: Amount | None = None
    """How often at most."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        refuse(self.exactly, self.min, self.max)
        return self


def _spelt_out(value: Any) -> Any:  # noqa: ANN401 - what stands in a suite file
    return {"exactly": value} if type(value) is int else value


_AMOUNT_SCHEMA: Final = {"type": "integer", "minimum": 0}
_SCHEMA: Final = {
    "anyOf": [
        _AMOUNT_SCHEMA,
        {
            "type": "object",
            "properties": dict.fromkeys(("exactly", "min", "max"), _AMOUNT_SCHEMA),
            "additionalProperties": False,
        },
    ]
}
Times: TypeAlias = Annotated[Bounds, BeforeValidator(_spelt_out), WithJsonSchema(_SCHEMA)]
"""Bounds, or a bare number for `exactly`."""


def refuse(exactly: int | None, least: int | None, most: int | None) -> None:
    """Raise ValueError where bounds say nothing, or cannot all be met."""
    if exactly is not None:
        if least is not None or most is not None:
            raise ValueError("`exactly` leaves no room for `min` or `max`: write one or the other")
    elif most is None:
        if not least:
            raise ValueError(
                "it bounds nothing: write `exactly`, a `max`, or a `min` of at least 1"
            )
    elif least is not None and least > most:
        raise ValueError(f"`min` {least} is more than `max` {most}: nothing can be both")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many of something were seen, and how much that says."""

    what: str
    count: int
    gap: str | None
    """Why there may have been more than were recorded."""
    unverified: str | None = None
    """Why what is counted may not exist at all, where none was seen."""
    where: str | None = None
    refused: int = 0
    """How many were asked for only: they bear out nothing, and are too many all the same."""

    def claims(self, bounds: Bounds) -> list[Claim]:
        """Claim what bounds say of it."""
        if bounds.exactly is not None:
            return [self._claim(self._exactly(bounds.exactly), bounds.exactly, "exactly")]
        claims = []
        if bounds.min:
            claims.append(self._claim(self._at_least(bounds.min), bounds.min, "at least"))
        if bounds.max is not None:
            claims.append(self._claim(self._at_most(bounds.max), bounds.max, "at most"))
        return claims

    def _exactly(self, number: int) -> Truth:
        lower, upper = self._at_least(number), self._at_most(number)
        return next(truth for truth in _ORDER if truth in {lower, upper})

    def _at_least(self, least: int) -> Truth:
        if self.count >= least:
            return Truth.HOLDS if self.count - self.refused >= least else Truth.UNKNOWN
        if self.gap is not None:
            return Truth.UNKNOWN
        return Truth.FAILS if self.unverified is None else Truth.MISSING

    def _at_most(self, most: int) -> Truth:
        if self.count > most:
            return Truth.FAILS if self.count - self.refused > most else Truth.MISSING
        return Truth.HOLDS if self.gap is None and self.unverified is None else Truth.UNKNOWN

    def _claim(self, truth: Truth, number: int, bound: str) -> Claim:
        answer = _SAID.get(truth, "cannot be decided")
        reason = self.gap if truth is Truth.UNKNOWN and self.gap else self._doubt()
        says = f"{self.what}: {self.count}; {bound} {number} {answer}"
        return Claim(
            truth=truth,
            says=f"{says}: {reason}" if reason else says,
            expected=number,
            actual=Actual.of(self.count),
            where=self.where,
        )

    def _doubt(self) -> str | None:
        if self.refused:
            return f"{self.refused} of them refused, which did not run"
        return self.unverified


_ORDER: Final = (Truth.FAILS, Truth.MISSING, Truth.UNKNOWN, Truth.HOLDS)
_SAID: Final = {
    Truth.HOLDS: "holds",
    Truth.FAILS: "does not hold",
    Truth.MISSING: "does not hold",
}
