"""The visited: what the evidence says of a node that a check names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from flowjury import pointer
from flowjury.check import Scope, Truth
from flowjury.evidence import Visit

Name = Annotated[str, Field(min_length=1)]
"""The name of a node or tool."""


@dataclass(frozen=True, slots=True)
class Visited:
    """The visits of a named node, and how much their absence would mean."""

    node: str
    """Static name."""
    visits: Sequence[Visit]
    places: Sequence[int]
    """Where the visits stand among all visits of the node."""
    gap: str | None
    """Why there may have been more visits than were recorded."""
    unverified: str | None
    """Why the name may be wrong, where no visit shows that it is right."""

    @property
    def truth(self) -> Truth:
        """Whether the node was visited."""
        return Truth.HOLDS if self.visits else self.absence

    @property
    def absence(self) -> Truth:
        """What it means if no visit is found."""
        if self.gap is not None:
            return Truth.UNKNOWN
        return Truth.FAILS if self.unverified is None else Truth.MISSING

    def surely_over(self, visit: Visit) -> bool:
        """Tell whether no later attempt of a visit can have gone unrecorded."""
        return self.gap is None or visit.last.status == "ok"

    def at(self, number: int) -> str:
        """Return the pointer to a visit by its number, from 1."""
        return pointer.join(["nodes", self.node, str(self.places[number - 1])])

    @property
    def reason(self) -> str:
        """Why no visit was found, as far as known."""
        reason = self.gap or self.unverified
        return f"{self.node} was not visited" + (f": {reason}" if reason else "")


def look(scope: Scope, name: str, *, caller: str | None = None) -> Visited:
    """Find the visits of a node, written by its name or last part, of one caller or of all."""
    names, evidence = scope.names, scope.evidence
    outer = None if caller is None else names.node(caller)
    node = names.node(name, caller=outer)
    every = evidence.visits.get(node, ())
    places: Sequence[int] = range(len(every))
    if outer is not None:
        places = [n for n in places if every[n].caller == outer]
    visits = every if outer is None else [every[n] for n in places]
    unverified = None
    if not visits and names.nodes is None:
        unverified = "no workflow and no `declares.nodes` shows that there is such a node"
    elif not visits:
        fault = names.node_fault(name, caller=outer)
        unverified = fault or (None if caller is None else names.node_fault(caller))
    return Visited(node, visits, places, evidence.gap("executions"), unverified)
