"""The way on from a node: which edges its result takes, given the context of its run."""

from __future__ import annotations

from flowjury.graphs.native import ERROR, Flow, When
from flowjury.model import Json
from flowjury.operators import holds
from flowjury.pointer import Found, Missing, Opaque, resolve


class WorkflowError(Exception):
    """The workflow asks for a value or a way that is not there: it failed, not its plumbing."""


def ways(flow: Flow, node: str, outcome: str | None, context: Json) -> tuple[str, ...]:
    """Return the nodes that run next: by outcome, else by a condition, else otherwise.

    Raises WorkflowError where edges lead on, but none of them is taken.
    """
    edges = flow.leaving(node)
    chosen = tuple(edge.to for edge in edges if outcome is not None and edge.outcome == outcome)
    if chosen:
        return chosen
    for edge in edges:
        if edge.when is not None and met(edge.when, context):
            return (edge.to,)
    others = tuple(edge.to for edge in edges if edge.outcome is None and edge.when is None)
    if not others and not flow.exit(node):
        raise WorkflowError(_no_way(flow, node, outcome))
    return others


def ways_of_error(flow: Flow, node: str) -> tuple[str, ...]:
    """Return the nodes that run next where a node raised."""
    return tuple(edge.to for edge in flow.leaving(node) if edge.outcome == ERROR)


def met(when: When, context: Json) -> bool:
    """Tell whether a condition holds; a value that is not there meets only `absent`."""
    found = resolve(context, when.at)
    if isinstance(found, Found):
        return holds(when.op, found.value, when.expected, when.ignore_case) is True
    return isinstance(found, Missing) and when.op == "absent"


def look(context: Json, at: str, *, what: str) -> Json:
    """Return the value at a pointer into a context.

    Raises WorkflowError that says how far the pointer leads; `what` names who asks.
    """
    found = resolve(context, at)
    match found:
        case Found(value):
            return value
        case Missing():
            raise WorkflowError(f"{what} is {at}, and {found.sentence()}")
        case Opaque():
            raise WorkflowError(f"{what} is {at}, which holds what is no JSON value")


def _no_way(flow: Flow, node: str, outcome: str | None) -> str:
    edges = flow.leaving(node)
    known = ", ".join(dict.fromkeys(edge.outcome for edge in edges if edge.outcome)) or "none"
    ended = f"ended with outcome {outcome!r}" if outcome else "ended without an outcome"
    held = "; no condition held" if any(edge.when for edge in edges) else ""
    return f"node {node!r} {ended}, and no edge is taken then (known outcomes: {known}{held})"
