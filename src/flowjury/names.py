"""The names of a workflow's nodes and tools, as a suite may write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from flowjury.pointer import nearest
from flowjury.reach import Reach
from flowjury.workflow import Declared, Workflow

_SHOWN = 12


@dataclass(frozen=True)
class Names:
    """What a workflow and a suite's `declares` say can run and can be called."""

    workflow: Workflow | None = None
    declared: Declared = field(default_factory=Declared)

    @cached_property
    def nodes(self) -> tuple[str, ...] | None:
        """Every node that can run; None where nothing says so."""
        known = self.workflow.nodes if self.workflow else None
        return _joined(known, self.declared.nodes)

    @cached_property
    def tools(self) -> tuple[str, ...] | None:
        """Every tool that can be called; None where nothing says so."""
        known = self.workflow.tools if self.workflow else None
        return _joined(known, self.declared.tools)

    @cached_property
    def reach(self) -> Reach | None:
        """The ways of the graph, where it is known."""
        return Reach(self.workflow) if self.workflow else None

    def node(self, name: str, *, caller: str | None = None) -> str:
        """Return the static name behind a node's full name or unambiguous last part."""
        nested = f"{caller}:{name}"
        if caller is not None and nested in self._nodes:
            return nested
        if name in self._nodes:
            return name
        candidates = self._by_last_part.get(name, ())
        return candidates[0] if len(candidates) == 1 else name

    def knows_node(self, name: str, *, caller: str | None = None) -> bool:
        """Tell whether a node's name may be right, as far as the declaration can tell."""
        return self.nodes is None or self.node(name, caller=caller) in self._nodes

    def knows_tool(self, name: str) -> bool:
        """Tell whether a tool's name may be right, as far as the declaration can tell."""
        return self.tools is None or name in self._tools

    def node_fault(self, name: str, *, caller: str | None = None) -> str | None:
        """Say what is wrong with a node's name, if the declaration can tell."""
        if self.nodes is None or self.knows_node(name, caller=caller):
            return None
        candidates = self._by_last_part.get(name, ())
        if candidates:
            return f"{name!r} is ambiguous: write one of {listed(candidates)}"
        return unknown("node", name, self.nodes, near=(*self.nodes, *self._by_last_part))

    def tool_fault(self, name: str) -> str | None:
        """Say what is wrong with a tool's name, if the declaration can tell."""
        if self.tools is None or self.knows_tool(name):
            return None
        return unknown("tool", name, self.tools)

    def outcomes(self, node: str) -> tuple[str, ...] | None:
        """Return every outcome by which a node can be left; None where the graph does not say."""
        known = self.workflow.nodes.get(node) if self.workflow else None
        if self.workflow is None or known is None:
            return None
        shown = [edge.outcome for edge in self.workflow.edges_from(node) if edge.outcome]
        if not known.outcomes and not (shown and self.workflow.edges_complete):
            return None
        return tuple(dict.fromkeys([*known.outcomes, *shown, "error"]))

    def outcome_fault(self, node: str, outcome: str) -> str | None:
        """Say what is wrong with an outcome's name, if the graph can tell."""
        known = self.outcomes(node)
        if known is None or outcome in known:
            return None
        return unknown(f"outcome of {node}", outcome, known)

    def waiting(self, name: str) -> tuple[str, ...]:
        """Return the nodes at which a wait, given by its name or by a node, suspends the run."""
        return self._waits.get(name) or (self.node(name),)

    def wait_fault(self, name: str) -> str | None:
        """Say what is wrong with a wait's name, if the graph shows its waits."""
        known = {*self._waits, *(node for nodes in self._waits.values() for node in nodes)}
        shown = bool(known) or (self.workflow is not None and self.workflow.waits_complete)
        if not shown or name in known or self.node(name) in known:
            return None
        return unknown("wait", name, self._waits)

    @cached_property
    def _nodes(self) -> frozenset[str]:
        return frozenset(self.nodes or ())

    @cached_property
    def _tools(self) -> frozenset[str]:
        return frozenset(self.tools or ())

    @cached_property
    def _by_last_part(self) -> Mapping[str, list[str]]:
        parts: dict[str, list[str]] = {}
        for name in self.nodes or ():
            parts.setdefault(name.rpartition(":")[2], []).append(name)
        return parts

    @cached_property
    def _waits(self) -> Mapping[str, tuple[str, ...]]:
        waits: dict[str, list[str]] = {}
        for name, node in self.workflow.nodes.items() if self.workflow else ():
            if node.waits is not None:
                waits.setdefault(node.waits, []).append(name)
        return {wait: tuple(nodes) for wait, nodes in waits.items()}


def unknown(what: str, name: str, known: Iterable[str], near: Iterable[str] | None = None) -> str:
    """Say that a name is not known, which is nearest, and which there are."""
    names = sorted(known)
    close = nearest(name, names if near is None else near)
    hint = f"; nearest is {close!r}" if close else ""
    return f"no {what} is named {name!r}{hint} (known: {listed(names) or 'none'})"


def listed(names: Iterable[str]) -> str:
    """Write names in order for a message, no more than a line of them."""
    ordered = sorted(names)
    return ", ".join(ordered[:_SHOWN]) + (", …" if len(ordered) > _SHOWN else "")


def _joined(known: Iterable[str] | None, declared: Iterable[str] | None) -> tuple[str, ...] | None:
    if known is None and declared is None:
        return None
    return tuple(dict.fromkeys([*(known or ()), *(declared or ())]))
