"""The native workflow file: its nodes, its edges, and what follows from them."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Final, Literal

from pydantic import Field

from flowjury.model import JsonField, Model
from flowjury.operators import UNSET, Unset
from flowjury.rubric import Id, Pointer
from flowjury.scalars import Flag, Whole

INPUT: Final = "input"
ITEM_KEYS: Final = ("item", "index")
RESERVED: Final = (INPUT, *ITEM_KEYS)
"""Keys of a context that are no node's."""
ERROR: Final = "error"
"""The outcome of a node that raised."""
ACTIONS: Final = ("approve", "reject", "feedback", "timeout")
"""The outcomes of a wait."""


class FlowNode(Model):
    """One node: exactly one of `use`, `workflow` and `wait` says what it does."""

    use: str | None = None
    """The function that it calls, as `module:function`."""
    workflow: str | None = None
    """The workflow file that it runs, relative to this one."""
    wait: str | None = Field(default=None, min_length=1)
    """The name of the wait at which it suspends the run."""
    ask: Pointer | None = None
    """Where in the context stands what is asked at the wait."""
    input: dict[str, Pointer] | None = None
    """What it is given, by name; absent, it is given a copy of the whole context."""
    map: Pointer | None = None
    """Where in the context the collection stands for whose items it runs, concurrently."""
    join: Flag = False
    """Whether it waits for all branches of the innermost fork."""
    boundary: Flag = False
    """Whether it reaches outside, so that its answer can be a fixture."""
    writes: Flag = False
    """Whether, reaching outside, it changes something there."""
    kind: str | None = Field(default=None, min_length=1)
    """What it is, in your own words (model, tool, branch, …)."""
    outcomes: tuple[str, ...] = ()
    """The outcomes by which it can be left."""


class When(Model):
    """A condition on a value in the context; a value that is not there meets only `absent`."""

    at: Pointer
    """Where the value stands in the context."""
    op: str
    """How it is compared, with an operator of the checks."""
    value: JsonField = None
    """What it is compared with."""
    ignore_case: Flag = False
    """Whether case does not matter."""

    @property
    def expected(self) -> JsonField | Unset:
        """The value that was written; null is one, too."""
        return self.value if "value" in self.model_fields_set else UNSET


class FlowEdge(Model):
    """One way from a node to a node."""

    from_: str = Field(alias="from")
    """The node that it leaves."""
    to: str
    """The node that it reaches."""
    outcome: str | None = None
    """Take it when the node ended with this outcome; `error` when it raised."""
    when: When | None = None
    """Take it when this holds and no edge before it was taken."""


class Flow(Model):
    """One native workflow file."""

    schema_: str | None = Field(default=None, alias="$schema", exclude=True)
    """Where editors find the schema of this file."""
    format: Literal[1]
    """The number of this format."""
    name: Id
    """Names the workflow."""
    entry: str | None = None
    """Where a run starts; needed unless exactly one node has no incoming edge."""
    output: Pointer | None = None
    """Where in the context the answer stands; absent, the last node's output is the answer."""
    visit_limit: Whole = Field(default=100, ge=1)
    """How often one node may be reached in a run; it ends what never ends."""
    nodes: dict[str, FlowNode] = Field(min_length=1)
    """The nodes by name."""
    edges: tuple[FlowEdge, ...] = ()
    """The ways between them."""

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The nodes that no edge reaches."""
        reached = {edge.to for edge in self.edges}
        return tuple(name for name in self.nodes if name not in reached)

    @property
    def start(self) -> str:
        """The node where a run starts."""
        return self.entry if self.entry is not None else self.sources[0]

    def leaving(self, node: str) -> tuple[FlowEdge, ...]:
        """Return the edges that leave a node, in the order of the file."""
        return self._leaving.get(node, ())

    @cached_property
    def _leaving(self) -> dict[str, tuple[FlowEdge, ...]]:
        leaving: dict[str, list[FlowEdge]] = defaultdict(list)
        for edge in self.edges:
            leaving[edge.from_].append(edge)
        return {node: tuple(edges) for node, edges in leaving.items()}

    @cached_property
    def reach(self) -> dict[str, frozenset[str]]:
        """Map each node to those that can run after it."""
        return {name: self._reached_from(name) for name in self.nodes}

    def _reached_from(self, node: str) -> frozenset[str]:
        seen: set[str] = set()
        todo = [node]
        while todo:
            fresh = {edge.to for edge in self.leaving(todo.pop())} - seen
            seen |= fresh
            todo += fresh
        return frozenset(seen)

    def exit(self, node: str) -> bool:
        """Tell whether a run may end at a node: only an error leads on from there."""
        return all(edge.outcome == ERROR for edge in self.leaving(node))

    def fork(self, node: str) -> bool:
        """Tell whether several edges may be taken at once from a node."""
        alike = [edge.outcome for edge in self.leaving(node) if edge.when is None]
        return len(set(alike)) < len(alike)
