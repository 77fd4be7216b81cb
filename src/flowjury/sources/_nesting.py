"""Nesting: in which node each span is, and the static name that a node has there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flowjury.sources._roles import Role
from flowjury.sources._spans import Tree


@dataclass(frozen=True, slots=True)
class Inside:
    """What is around a span, and what it is there."""

    holder: str | None = None
    """The id of the nearest node around it."""
    caller: str | None = None
    """The static name of that node."""
    chain: tuple[str, ...] = ()
    """The names of the nodes around it, itself included if it is one."""
    node: str | None = None
    """The static name of the node that it is."""
    visit: str | None = None
    tool: str | None = None
    """The tool of which it is a call."""
    outermost_model: bool = False
    """Whether it is a call of a model, and inside no other."""
    within: Role | None = None
    """The nearest role around it, or its own."""


def nested(tree: Tree, roles: Mapping[str, Role]) -> dict[str, Inside]:
    """Return what is around each span. Raises InputError."""
    found: dict[str, Inside] = {}
    for span in tree.downward:
        around = tree.parent(span)
        outer = found[around.id] if around else Inside()
        if around and outer.node is not None:
            outer = replace(outer, holder=around.id, caller=outer.node)
        outer = replace(outer, node=None, visit=None, tool=None, outermost_model=False)
        found[span.id] = _placed(roles.get(span.id), outer)
    return found


def _placed(role: Role | None, outer: Inside) -> Inside:
    """Put a span in its place; the same thing seen by two instrumentations is one."""
    if role is None or _seen_twice(role, outer.within):
        return outer
    match role.kind:
        case "tool":
            return replace(outer, tool=role.name, within=role)
        case "model":
            inner = outer.within is not None and outer.within.kind == "model"
            return replace(outer, outermost_model=not inner, within=role)
    chain = _chain(outer.chain, role.name)
    return replace(outer, chain=chain, node=":".join(chain), visit=role.visit, within=role)


def _seen_twice(role: Role, around: Role | None) -> bool:
    """Tell whether a span shows the tool or agent again that it is directly in."""
    same = around is not None and (role.kind, role.name) == (around.kind, around.name)
    return same and role.kind in {"agent", "tool"}


def _chain(around: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the names of a node and those around it; recursion folds to the static name."""
    return around[: around.index(name) + 1] if name in around else (*around, name)
