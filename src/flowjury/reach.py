"""The reach of a graph: what leads to what, what every way passes, what may run at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from flowjury.workflow import Edge, Workflow

START = "the start"
"""Stands for the fork of a workflow with several entries."""
_ROOT = ""


class Reach:
    """Answers questions about the ways of one workflow."""

    def __init__(self, workflow: Workflow) -> None:
        """Take a workflow; what it asks is worked out once, when first asked."""
        self.workflow = workflow

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """Where a run starts: as the graph says, or else the nodes that no edge reaches."""
        nodes = self.workflow.nodes
        return self.workflow.entry or tuple(n for n in nodes if not self.predecessors.get(n))

    @cached_property
    def successors(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes that each node leads to, into and out of referenced workflows, too."""
        return _grouped(self._links())

    @cached_property
    def predecessors(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes that lead to each node."""
        return _grouped(
            (target, source) for source, targets in self.successors.items() for target in targets
        )

    def ways(self, source: str, target: str) -> tuple[Edge, ...]:
        """Return the edges from one node to another; a reference is left where its inside is."""
        inside = () if target.startswith(f"{source}:") else self._inside.get(source, ())
        leaving = (edge for node in (source, *inside) for edge in self.workflow.edges_from(node))
        return tuple(edge for edge in leaving if edge.target == target)

    def leads_to(self, node: str, *, without: str | None = None) -> frozenset[str]:
        """Return every node from which there is a way to a node that does not pass another."""
        found: set[str] = set() if without is None else {without}
        todo = list(self.predecessors.get(node, ()))
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo.extend(self.predecessors.get(name, ()))
        return frozenset(found - {without})

    def dominators(self, node: str) -> tuple[str, ...]:
        """Return the nodes that every way from the start to a node passes, the nearest first."""
        chain: list[str] = []
        above = self._immediate.get(node, _ROOT)
        while above != _ROOT:
            chain.append(above)
            above = self._immediate[above]
        return tuple(chain)

    def reachable(self, node: str) -> bool:
        """Tell whether there is a way from the start to a node."""
        return node in self._immediate

    def fork_of(self, one: str, other: str) -> str | None:
        """Return the fork that makes two nodes run at once, if there is one.

        Neither leads to the other, and they are on branches of it that share neither.
        """
        bits = self._bits
        if one not in bits or other not in bits:
            return None
        if self._below[one] & bits[other] or self._below[other] & bits[one]:
            return None
        for fork, branches in self._forks:
            ours = [bool(branch & bits[one]) for branch in branches]
            theirs = [bool(branch & bits[other]) for branch in branches]
            if any(ours) and any(theirs) and not any(map(bool.__and__, ours, theirs)):
                return fork
        return None

    @cached_property
    def _inside(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes inside each reference, at any depth."""
        return _grouped(
            (outer, name)
            for name in self.workflow.nodes
            for outer in _outer(name)
            if outer in self.workflow.nodes
        )

    def _links(self) -> Iterator[tuple[str, str]]:
        """Yield every way; where the graph shows none into or out of a reference, make them."""
        shown = self.workflow.successors
        for source, targets in shown.items():
            yield from ((source, target) for target in targets)
        for outer, inner in self._inside.items():
            inside = set(inner)
            if inside.isdisjoint(shown.get(outer, ())):
                reached = {target for name in inner for target in shown.get(name, ())}
                yield from ((outer, name) for name in inner if name not in reached)
                ends = [name for name in inner if not shown.get(name)]
                yield from ((end, target) for end in ends for target in shown.get(outer, ()))

    @cached_property
    def _bits(self) -> Mapping[str, int]:
        return {name: 1 << place for place, name in enumerate(self.workflow.nodes)}

    @cached_property
    def _below(self) -> Mapping[str, int]:
        """The set of nodes that each node leads to, as bits."""
        bits = self._bits
        below = dict.fromkeys(bits, 0)
        order = _postorder(self.successors, list(bits))
        changed = True
        while changed:
            changed = False
            for name in order:
                reached = below.get(name, 0)
                for target in self.successors.get(name, ()):
                    reached |= below.get(target, 0) | bits.get(target, 0)
                changed = changed or reached != below.get(name, 0)
                below[name] = reached
        return below

    @cached_property
    def _forks(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The nodes with several ways that are always taken, and what is on each branch."""
        leaving = {
            name: [e.target for e in self.workflow.edges_from(name) if not e.conditional]
            for name in self.workflow.nodes
        }
        forks = {START: list(self.entries), **leaving}
        return tuple(
            (name, tuple(self._below[t] | self._bits[t] for t in dict.fromkeys(targets)))
            for name, targets in forks.items()
            if len(set(targets)) > 1 and all(target in self._bits for target in targets)
        )

    @cached_property
    def _immediate(self) -> Mapping[str, str]:
        """The immediate dominator of each reachable node (Cooper, Harvey and Kennedy)."""
        successors = {**self.successors, _ROOT: self.entries}
        order = _postorder(successors, [_ROOT])
        ranks = {name: rank for rank, name in enumerate(order)}
        above: dict[str, Sequence[str]] = dict(self.predecessors)
        for entry in self.entries:
            above[entry] = (*above.get(entry, ()), _ROOT)
        return _dominators(order, ranks, above)


def _dominators(
    order: Sequence[str], ranks: Mapping[str, int], above: Mapping[str, Collection[str]]
) -> dict[str, str]:
    found = {_ROOT: _ROOT}
    changed = True
    while changed:
        changed = False
        for name in reversed(order[:-1]):
            known = [other for other in above[name] if other in found]
            nearest = known[0]
            for other in known[1:]:
                nearest = _meeting(nearest, other, found, ranks)
            changed = changed or found.get(name) != nearest
            found[name] = nearest
    return found


def _meeting(one: str, other: str, found: Mapping[str, str], ranks: Mapping[str, int]) -> str:
    """Return the nearest node that dominates both."""
    while one != other:
        while ranks[one] < ranks[other]:
            one = found[one]
        while ranks[other] < ranks[one]:
            other = found[other]
    return one


def _postorder(successors: Mapping[str, Iterable[str]], roots: Iterable[str]) -> list[str]:
    """Visit depth first and list each node after all that it leads to."""
    order: list[str] = []
    seen: set[str] = set()
    for root in roots:
        stack = [] if root in seen else [(root, iter(successors.get(root, ())))]
        seen.add(root)
        while stack:
            name, targets = stack[-1]
            target = next((t for t in targets if t not in seen), None)
            if target is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(successors.get(target, ()))))
    return order


def _outer(name: str) -> Iterator[str]:
    """Yield the names of the references around a node."""
    parts = name.split(":")
    for depth in range(1, len(parts)):
        yield ":".join(parts[:depth])


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, dict[str, None]] = {}
    for key, value in pairs:
        groups.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in groups.items()}
