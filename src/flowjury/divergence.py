"""The divergence: where a run left the way to a node that it should have visited, and by what."""

from __future__ import annotations

from flowjury.evidence import Evidence
from flowjury.reach import Reach
from flowjury.route import Route
from flowjury.visits import Visit
from flowjury.workflow import Edge

_SHOWN = 3


def unvisited(node: str, evidence: Evidence, reach: Reach) -> str | None:
    """Say where the way to a node that was not visited was left; None if the graph cannot tell."""
    if node not in reach.workflow.nodes:
        return None
    if not reach.reachable(node):
        return f"the graph shows no way from its entry to {node}"
    route = evidence.route
    anchor = next((above for above in reach.dominators(node) if route.of(above)), None)
    if anchor is None:
        entry = (*reach.dominators(node), node)[-2:][0]
        return (
            f"not even {entry} was visited, which every way to it passes" if entry != node else None
        )
    towards = reach.leads_to(node)
    left = _departure(anchor, towards, route, reach)
    return f"{_left(left, route, reach, evidence)}{_needed(node, left.node, reach)}"


def arrival(visit: Visit, evidence: Evidence, reach: Reach | None) -> str | None:
    """Say how a run came to a visit; None if nothing was before it."""
    known = reach.predecessors.get(visit.node) if reach else None
    before = evidence.route.before(visit, known) or evidence.route.before(visit)
    if before is None:
        return None
    return f"reached from {before.node}{_by(before)}"


def _departure(anchor: str, towards: frozenset[str], route: Route, reach: Reach) -> Visit:
    """Find the last visit on the way: at the nearest node that every way passes, or after it."""
    last = max(route.of(anchor), key=lambda visit: visit.end)
    after = route.after(last, reach.successors.get(anchor, ()))
    if after is None or after.node not in towards:
        return last
    return next(visit for visit in reversed(route.visits) if visit.node in towards)


def _left(visit: Visit, route: Route, reach: Reach, evidence: Evidence) -> str:
    """Say how a visit was left."""
    after = route.after(visit, reach.successors.get(visit.node, ()))
    if after is not None:
        return f"left at {visit.node}{_by(visit)} to {after.node}"
    if visit.last.status == "interrupted":
        return f"the run waits at {visit.node}"
    if visit.last.status == "ok":
        return f"left at {visit.node}{_by(visit)}, after which {_end(evidence)}"
    raised = f" ({visit.last.error.type})" if visit.last.error else ""
    return f"{visit.node} ended as {visit.last.status}{raised}"


def _end(evidence: Evidence) -> str:
    return f"the run ended as {evidence.trace.status}"


def _by(visit: Visit) -> str:
    return f" by outcome `{visit.outcome}`" if visit.outcome is not None else ""


def _needed(node: str, left: str, reach: Reach) -> str:
    """Say which ways from there lead to the node, if the graph says what they hang on."""
    towards = reach.leads_to(node, without=left)
    ways = [
        edge
        for edge in reach.workflow.edges_from(left)
        if edge.target == node or edge.target in towards
    ]
    if not ways or not all(edge.conditional for edge in ways):
        return ""
    names = list(dict.fromkeys(map(_way, ways)))
    more = [f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return f"; {node} is reachable only {' or '.join([*names[:_SHOWN], *more])}"


def _way(edge: Edge) -> str:
    return f"through `{edge.outcome}`" if edge.outcome is not None else f"when {edge.condition}"
