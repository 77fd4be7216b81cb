"""The check `path`: which nodes ran, in which order, and by which ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from flowjury import pointer
from flowjury.check import Check, Claim, Flaw, Reference, Scope, Want
from flowjury.checks import _route
from flowjury.checks._visited import Name
from flowjury.model import Model
from flowjury.names import Names, listed


class Way(Model):
    """One edge, by the names of its ends."""

    from_: Name = Field(alias="from")
    """The node that it leaves."""
    to: Name
    """The node that it reaches."""


def _way(value: Any) -> Any:  # noqa: ANN401 - what stands in a suite file
    if not isinstance(value, str):
        return value
    source, arrow, target = (part.strip() for part in value.partition("->"))
    if not (source and arrow and target):
        raise ValueError(f"{value!r} is not an edge; write it as 'a -> b' or {{from: a, to: b}}")
    return {"from": source, "to": target}


_WAY_SCHEMA: Final = {
    "anyOf": [
        {"type": "string", "pattern": r"\S *-> *\S"},
        {
            "type": "object",
            "properties": {"from": {"type": "string"}, "to": {"type": "string"}},
            "required": ["from", "to"],
            "additionalProperties": False,
        },
    ]
}
WayName: TypeAlias = Annotated[Way, BeforeValidator(_way), WithJsonSchema(_WAY_SCHEMA)]
"""An edge, as `a -> b` or as `{from: a, to: b}`."""
Outcomes: TypeAlias = Mapping[Name, Name | tuple[Name, ...]]


class Edges(Model):
    """Edges that must, or must not, be taken."""

    must: tuple[WayName, ...] = ()
    """Edges of which each must be taken at least once."""
    must_not: tuple[WayName, ...] = ()
    """Edges of which none may be taken."""


class NodeOutcomes(Model):
    """Outcomes by which nodes must, or must not, be left."""

    must: Outcomes = Field(default_factory=dict)
    """For each node the outcome, or outcomes, by which it must be left, each at least once."""
    must_not: Outcomes = Field(default_factory=dict)
    """For each node the outcome, or the outcomes, by which it may never be left."""


class PathCheck(Check):
    """Holds if the run took the way that is said."""

    model_config = ConfigDict(title="path")
    of_one_run = True
    kind: Literal["path"]
    """Names this kind."""
    must: tuple[Name, ...] = ()
    """Nodes that must be visited."""
    must_not: tuple[Name, ...] = ()
    """Nodes that may not be visited."""
    order: tuple[Name, ...] = ()
    """Nodes of which each must have ended before the next one started."""
    exactly: tuple[Name, ...] | None = None
    """All visits, by start."""
    others: Literal["allowed", "forbidden"] = "allowed"
    """Whether nodes may run that the check does not say must run."""
    edges: Edges = Edges()
    """Edges that must, or must not, be taken."""
    outcomes: NodeOutcomes = NodeOutcomes()
    """Outcomes by which nodes must, or must not, be left."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if len(self.order) == 1:
            raise ValueError(f"`order` needs at least two nodes, not only {self.order[0]!r}")
        if both := set(self._wanted) & set(self.must_not):
            raise ValueError(f"{listed(map(repr, both))} must and must not be visited")
        if self.others == "forbidden" and self.exactly is None and not self._wanted:
            raise ValueError(
                "`others: forbidden` needs the nodes that may run in `must` or `order`"
            )
        if not self._says_something:
            raise ValueError(f"it asserts nothing: write at least one of {', '.join(_PARTS)}")
        return self

    def references(self) -> Iterator[Reference]:
        """Yield every node."""
        for key in ("must", "must_not", "order", "exactly"):
            for number, name in enumerate(getattr(self, key) or ()):
                yield Reference(kind="node", name=name, at=f"/{key}/{number}")
        for at, way in self._ways():
            yield Reference(kind="node", name=way.from_, at=at)
            yield Reference(kind="node", name=way.to, at=at)
        for at, node, _ in self._outcomes():
            yield Reference(kind="node", name=node, at=at)

    def flaws(self, names: Names) -> Iterator[Flaw]:
        """Yield orders that the graph makes impossible, edges and outcomes that it lacks."""
        for key, order in (("order", self.order), ("exactly", self.exactly or ())):
            for number, (one, other) in enumerate(pairwise(order)):
                if message := _disorder(names.node(one), names.node(other), key, names):
                    yield Flaw(f"/{key}/{number + 1}", message)
        for at, way in self._ways():
            if message := _no_way(names.node(way.from_), names.node(way.to), names):
                yield Flaw(at, message)
        for at, node, outcome in self._outcomes():
            if message := names.outcome_fault(names.node(node), outcome):
                yield Flaw(at, message)

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim each name and each pair."""
        return list(self._claims(scope))

    def _claims(self, scope: Scope) -> Iterator[Claim]:
        yield from _route.must(scope, self.must)
        yield from _route.must_not(scope, self.must_not)
        if self.order:
            yield from _route.order(scope, self.order)
        if self.exactly is not None:
            yield _route.exactly(scope, self.exactly)
        if self.others == "forbidden":
            yield _route.others(scope, self._wanted)
        for way in self.edges.must:
            yield _route.edge(scope, way.from_, way.to, "holds")
        for way in self.edges.must_not:
            yield _route.edge(scope, way.from_, way.to, "fails")
        for at, node, outcome in self._outcomes():
            want: Want = "holds" if at.startswith("/outcomes/must/") else "fails"
            yield _route.outcome(scope, node, outcome, want)

    @property
    def _wanted(self) -> tuple[str, ...]:
        """The nodes that must run, wherever that is said."""
        ends = [end for way in self.edges.must for end in (way.from_, way.to)]
        return (*self.must, *self.order, *(self.exactly or ()), *ends, *self.outcomes.must)

    @property
    def _says_something(self) -> bool:
        return bool(
            self._wanted
            or self.must_not
            or self.exactly is not None
            or self.edges.must_not
            or self.outcomes.must_not
        )

    def _ways(self) -> Iterator[tuple[str, Way]]:
        for key in ("must", "must_not"):
            for number, way in enumerate(getattr(self.edges, key)):
                yield f"/edges/{key}/{number}", way

    def _outcomes(self) -> Iterator[tuple[str, str, str]]:
        """Yield each node with each outcome, and where it stands."""
        for key in ("must", "must_not"):
            for node, outcomes in getattr(self.outcomes, key).items():
                at = pointer.join(["outcomes", key, node])
                for name in (outcomes,) if isinstance(outcomes, str) else outcomes:
                    yield at, node, name


_PARTS: Final = ("must", "must_not", "order", "exactly", "edges", "outcomes")


def _disorder(one: str, other: str, key: str, names: Names) -> str | None:
    """Say why the graph forbids to expect one node before the other."""
    if key == "order" and other.startswith(f"{one}:"):
        return f"{other} runs inside {one}, so it never starts after {one} has ended"
    fork = names.reach.fork_of(one, other) if names.reach else None
    if fork is None:
        return None
    return (
        f"{one} and {other} run at once after {fork} forks, so neither comes first: leave one out"
    )


def _no_way(source: str, target: str, names: Names) -> str | None:
    """Say that the graph has no such edge, and which ones there are."""
    reach = names.reach
    if reach is None or not reach.workflow.edges_complete:
        return None
    nodes = reach.workflow.nodes
    if source not in nodes or target not in nodes or reach.ways(source, target):
        return None
    known = reach.successors.get(source, ())
    shown = listed(known) or "none"
    return f"the graph has no edge {source} -> {target} (from {source}: {shown})"
