"""The check `count`: how often a node was visited or tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Self

from pydantic import ConfigDict, model_validator

from flowjury import pointer
from flowjury.check import Check, Claim, Reference, Scope
from flowjury.checks._bounds import Amount, Bounds, Counted, refuse
from flowjury.checks._visited import Name, look


class CountCheck(Check):
    """Holds if a node was visited, or tried, as often as said."""

    model_config = ConfigDict(title="count")
    of_one_run = True
    kind: Literal["count"]
    """Names this kind."""
    node: Name
    """The node."""
    of: Literal["visits", "attempts"] = "visits"
    """Whether retries of a visit count as well."""
    exactly: Amount | None = None
    """How often."""
    min: Amount | None = None
    """How often at least."""
    max: Amount | None = None
    """How often at most."""
    caller: Name | None = None
    """Only visits that this node made count."""

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        refuse(self.exactly, self.min, self.max)
        return self

    def references(self) -> Iterator[Reference]:
        """Yield the node and its caller."""
        if self.caller is not None:
            yield Reference(kind="node", name=self.caller, at="/caller")
        yield Reference(kind="node", name=self.node, at="/node", caller=self.caller)

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim the lower and the upper bound."""
        visited = look(scope, self.node, caller=self.caller)
        tries = sum(len(visit.attempts) for visit in visited.visits)
        counted = Counted(
            what=f"{self.of} of {visited.node}",
            count=len(visited.visits) if self.of == "visits" else tries,
            gap=visited.gap,
            unverified=visited.unverified,
            where=pointer.join(["nodes", visited.node]),
        )
        return counted.claims(Bounds(exactly=self.exactly, min=self.min, max=self.max))
