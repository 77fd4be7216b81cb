"""The check `schema`: a value in the evidence fits a JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import ConfigDict, Field

from flowjury.check import Check, Claim, Scope, Truth
from flowjury.checks._schemas import Schema, fitting
from flowjury.rubric import Pointer


class SchemaCheck(Check):
    """Holds if the value that a pointer into the evidence leads to fits a JSON Schema."""

    model_config = ConfigDict(title="schema")
    kind: Literal["schema"]
    """Names this kind."""
    at: Pointer
    """Where the value is: a JSON Pointer into the evidence document."""
    schema_: Schema = Field(alias="schema")
    """The schema."""

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield its pointer."""
        yield "/at", self.at

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim that the value fits."""
        made = fitting(self.schema_)(scope.evidence.resolve(self.at), self.at)
        doubt = scope.evidence.doubt(self.at)
        if doubt is None or made.truth not in {Truth.HOLDS, Truth.FAILS}:
            return [made]
        return [replace(made, truth=Truth.UNKNOWN, says=f"{made.says}; {doubt.reason}")]
