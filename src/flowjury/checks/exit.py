"""The check `exit`: the code with which a program ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from flowjury.check import Check, Claim, Scope, Truth
from flowjury.finding import Actual
from flowjury.scalars import Whole


class ExitCheck(Check):
    """Holds if a program ended with this exit code, or with one of these."""

    model_config = ConfigDict(title="exit")
    of_one_run = True
    kind: Literal["exit"]
    """Names this kind."""
    code: Whole | None = None
    """The exit code."""
    one_of: tuple[Whole, ...] | None = Field(default=None, min_length=1)
    """The exit codes of which it must be one."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if (self.code is None) == (self.one_of is None):
            raise ValueError("write either `code` or `one_of`")
        return self

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim the code."""
        code = scope.evidence.trace.exit_code
        allowed = (self.code,) if self.one_of is None else self.one_of
        expected = self.code if self.one_of is None else list(self.one_of)
        if code is None:
            says = "exit_code was not recorded"
            return [Claim(truth=Truth.UNKNOWN, says=says, expected=expected, where="/exit_code")]
        return [
            Claim(
                truth=Truth.HOLDS if code in allowed else Truth.FAILS,
                says=f"the program exited with code {code}",
                expected=expected,
                actual=Actual.of(code),
                where="/exit_code",
            )
        ]
