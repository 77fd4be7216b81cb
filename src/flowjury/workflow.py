"""The workflow: the static graph under test, whatever file or engine it came from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from flowjury.model import Model
from flowjury.scalars import Flag


class Node(Model):
    """One node of the graph."""

    kind: str = "node"
    """What it is, in the words of its engine (model, tool, branch, wait, …)."""
    boundary: Flag = False
    """It reaches outside: its answer can be a fixture."""
    writes: Flag = False
    """Reaching outside, it changes something there."""
    reference: str | None = None
    """Name of the workflow that this node runs."""
    waits: str | None = None
    """Name of the wait at which this node suspends the run."""
    outcomes: tuple[str, ...] = ()
    """The outcomes by which it can be left, where the graph says so."""


class Edge(Model):
    """One way from a node to a node."""

    source: str
    """Name of the node it leaves."""
    target: str
    """Name of the node it reaches."""
    outcome: str | None = None
    """Taken when the source ended with this outcome."""
    condition: str | None = None
    """Taken when this holds, in words."""

    @property
    def conditional(self) -> bool:
        """Tell whether this way is taken only sometimes."""
        return self.outcome is not None or self.condition is not None


class Workflow(Model):
    """A graph of nodes; nested nodes are named `reference:inner`."""

    name: str
    """Its name."""
    nodes: dict[str, Node]
    """Every node by static name."""
    edges: tuple[Edge, ...] = ()
    """Every way that the graph is known to have."""
    entry: tuple[str, ...] = ()
    """Where a run starts."""
    exits: tuple[str, ...] = ()
    """Where a run may end."""
    tools: tuple[str, ...] | None = None
    """Every tool that can be called; absent where the graph does not say."""
    nodes_complete: Flag = True
    """Whether no other node can run."""
    edges_complete: Flag = True
    """Whether no other way can be taken (an engine may route by code that no graph shows)."""
    waits_complete: Flag = False
    """Whether no other node can suspend a run (in an engine, the code of any node may)."""

    @cached_property
    def successors(self) -> dict[str, tuple[str, ...]]:
        """Map each node to the nodes that its edges reach, without repeats."""
        return _grouped((edge.source, edge.target) for edge in self.edges)

    @cached_property
    def predecessors(self) -> dict[str, tuple[str, ...]]:
        """Map each node to the nodes whose edges reach it, without repeats."""
        return _grouped((edge.target, edge.source) for edge in self.edges)

    def edges_from(self, node: str) -> tuple[Edge, ...]:
        """Return the edges that leave a node."""
        return self._leaving.get(node, ())

    @cached_property
    def _leaving(self) -> dict[str, tuple[Edge, ...]]:
        leaving: dict[str, list[Edge]] = {}
        for edge in self.edges:
            leaving.setdefault(edge.source, []).append(edge)
        return {node: tuple(edges) for node, edges in leaving.items()}


class Declared(Model):
    """What a suite says of a workflow that the graph file does not."""

    nodes: tuple[str, ...] | None = None
    """Nodes that can run."""
    tools: tuple[str, ...] | None = None
    """Tools that can be called."""


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, dict[str, None]] = {}
    for key, value in pairs:
        groups.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in groups.items()}
