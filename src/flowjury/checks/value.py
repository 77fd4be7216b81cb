"""The check `value`: a value anywhere in the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, Self

from pydantic import ConfigDict, model_validator

from flowjury.check import Check, Claim, Scope
from flowjury.checks._values import Expectation, Op
from flowjury.evidence import Resolution
from flowjury.model import JsonField
from flowjury.operators import UNSET
from flowjury.pointer import Missing
from flowjury.rubric import Pointer
from flowjury.scalars import Flag


class ValueCheck(Check):
    """Holds if an operator holds for the value that a pointer into the evidence leads to."""

    model_config = ConfigDict(title="value")
    kind: Literal["value"]
    """Names this kind."""
    at: Pointer
    """Where the value is: a JSON Pointer into the evidence document."""
    op: Op
    """The operator."""
    value: JsonField = None
    """What the operator compares with."""
    ignore_case: Flag = False
    """Whether case does not matter in texts."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        self._expectation.refuse()
        return self

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield its pointer."""
        yield "/at", self.at

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim that the operator holds."""
        found = resolved(scope, self.at)
        return [self._expectation.claim(found, self.at, scope.evidence.doubt(self.at))]

    @property
    def _expectation(self) -> Expectation:
        given = "value" in self.model_fields_set
        return Expectation(self.op, self.value if given else UNSET, self.ignore_case)


def resolved(scope: Scope, at: str) -> Resolution:
    """Follow a pointer; of the suite's own document, no key is known to be right but absent."""
    found = scope.evidence.resolve(at)
    if isinstance(found, Missing) and scope.cases is not None:
        return replace(found, parent_resolved=False)
    return found
