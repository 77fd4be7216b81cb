"""The claims about a route: nodes visited or not, their order, the edges and outcomes taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from flowjury import pointer
from flowjury.check import Claim, Scope, Truth, Want
from flowjury.checks._sequences import difference, within
from flowjury.checks._visited import Visited, look
from flowjury.divergence import arrival, unvisited
from flowjury.finding import ABSENT, Actual
from flowjury.visits import Moment, Visit

_EXPLAINED = 10
"""How many nodes of one check are explained by the graph, which takes a walk through it each."""
_SHOWN = 5


def must(scope: Scope, nodes: Sequence[str]) -> Iterator[Claim]:
    """Claim that each node was visited."""
    explained = 0
    for name in nodes:
        visited = look(scope, name)
        explain = visited.truth is Truth.FAILS and explained < _EXPLAINED
        explained += explain
        yield _visited(visited, "holds", _left(scope, visited) if explain else None)


def must_not(scope: Scope, nodes: Sequence[str]) -> Iterator[Claim]:
    """Claim that no node of these was visited."""
    for number, name in enumerate(nodes):
        visited = look(scope, name)
        explain = visited.visits and number < _EXPLAINED
        yield _visited(visited, "fails", _reached(scope, visited) if explain else None)


def _left(scope: Scope, visited: Visited) -> str | None:
    reach = scope.names.reach
    return unvisited(visited.node, scope.evidence, reach) if reach else None


def _reached(scope: Scope, visited: Visited) -> str | None:
    first = min(visited.visits, key=lambda visit: visit.start)
    return arrival(first, scope.evidence, scope.names.reach)


def _visited(visited: Visited, want: Want, explanation: str | None) -> Claim:
    count = len(visited.visits)
    often = "" if count == 1 else f" {count} times"
    says = f"{visited.node} was visited{often}" if count else visited.reason
    return Claim(
        truth=visited.truth,
        says=says if explanation is None else f"{says}: {explanation}",
        want=want,
        where=_where(visited.node),
    )


def order(scope: Scope, nodes: Sequence[str]) -> Iterator[Claim]:
    """Claim of each pair in turn that one ended before the other started.

    Of several visits those count that leave most time to the rest: each the first to end.
    """
    seen = [look(scope, name) for name in nodes]
    route = scope.evidence.route
    before = route.first_after(seen[0].node, _BEGINNING) if seen[0].visits else None
    lacking = next((visited for visited in seen if visited.truth is Truth.FAILS), None)
    why = _left(scope, lacking) if lacking else None
    for one, other in pairwise(seen):
        after = None if before is None else route.first_after(other.node, before.end)
        claim = _ordered(one, other, before, after)
        if lacking is not None and lacking in (one, other) and why is not None:
            claim, why = (
                replace(claim, says=f"{claim.says}: {why}", where=_where(lacking.node)),
                None,
            )
        yield claim
        before = after or (route.first_after(other.node, _BEGINNING) if other.visits else None)


_BEGINNING: Moment = (-1, 0, 0)


def _ordered(one: Visited, other: Visited, before: Visit | None, after: Visit | None) -> Claim:
    missing = next((visited for visited in (one, other) if not visited.visits), None)
    if before is not None and after is not None:
        truth = Truth.HOLDS if one.surely_over(before) else Truth.UNKNOWN
        known = "" if truth is Truth.HOLDS else f", if that was its last attempt: {one.gap}"
        says = f"{other.node} started after {one.node} had ended{known}"
    elif missing is not None:
        truth, says = missing.absence, missing.reason
    else:
        truth = Truth.UNKNOWN if one.gap else Truth.FAILS
        known = f"; {one.gap}" if one.gap else ""
        says = f"no visit of {other.node} started after {one.node} had ended{known}"
    return Claim(truth=truth, says=says, where=_where(other.node))


def exactly(scope: Scope, nodes: Sequence[str]) -> Claim:
    """Claim that these nodes were visited in this order of start, and no other."""
    seen = [look(scope, name) for name in nodes]
    wanted = [visited.node for visited in seen]
    actual = list(scope.evidence.route.nodes)
    gap = scope.evidence.gap("executions")
    strange = next((visited for visited in seen if visited.unverified), None)
    if actual == wanted:
        truth, says = Truth.HOLDS, f"the {len(actual)} visits are exactly those"
    else:
        truth = Truth.FAILS if strange is None else Truth.MISSING
        says = difference(actual, wanted)
    if gap is not None and (truth is Truth.HOLDS or within(actual, wanted)):
        truth, says = Truth.UNKNOWN, f"{says}; {gap}"
    elif truth is Truth.MISSING and strange is not None:
        says = f"{says}; {strange.reason}"
    return Claim(truth=truth, says=says, expected=wanted, actual=Actual.of(actual), where="/nodes")


def others(scope: Scope, allowed: Iterable[str]) -> Claim:
    """Claim that no node was visited but those allowed."""
    seen = [look(scope, name) for name in dict.fromkeys(allowed)]
    known = {visited.node for visited in seen}
    strangers = list(dict.fromkeys(n for n in scope.evidence.route.nodes if n not in known))
    if strangers:
        more = f" and {len(strangers) - _SHOWN} more" if len(strangers) > _SHOWN else ""
        strange = next((visited for visited in seen if visited.unverified), None)
        says = f"other nodes were visited: {', '.join(strangers[:_SHOWN])}{more}"
        truth = Truth.FAILS if strange is None else Truth.MISSING
        hint = "" if strange is None else f"; {strange.reason}"
        return Claim(truth=truth, says=says + hint, actual=Actual.of(strangers), where="/nodes")
    gap = scope.evidence.gap("executions")
    truth = Truth.HOLDS if gap is None else Truth.UNKNOWN
    says = "no other node was visited" + (f": {gap}" if gap else "")
    return Claim(truth=truth, says=says, where="/nodes")


def edge(scope: Scope, source: str, target: str, want: Want) -> Claim:
    """Claim that the run went from one node straight to another, or that it did not."""
    one, other = look(scope, source), look(scope, target)
    taken = scope.evidence.route.taken(one.node, other.node, scope.names.reach)
    named = f"{one.node} -> {other.node}"
    missing = next((visited for visited in (one, other) if not visited.visits), None)
    if taken == "taken" or (taken == "likely" and one.gap is None):
        truth, says = Truth.HOLDS, f"{named} was taken"
    elif missing is not None:
        truth, says = missing.absence, f"{named} was not taken: {missing.reason}"
    elif one.gap is not None:
        truth, says = Truth.UNKNOWN, f"{named} was not seen to be taken: {one.gap}"
    elif taken == "unsure":
        truth = Truth.MISSING
        says = f"{named} was not seen to be taken: {other.node} came later, not straight after"
    else:
        truth, says = Truth.FAILS, f"{named} was not taken"
    return Claim(truth=truth, says=says, want=want, where=_where(other.node))


def outcome(scope: Scope, node: str, name: str, want: Want) -> Claim:
    """Claim that a node was left by an outcome in some visit, or that it never was."""
    visited = look(scope, node)
    left = {visit.outcome: None for visit in visited.visits}
    where = _where(visited.node)
    if name in left:
        sure = any(visit.outcome == name and visited.surely_over(visit) for visit in visited.visits)
        says = f"{visited.node} was left by `{name}`" + ("" if sure else f"; {visited.gap}")
        truth = Truth.HOLDS if sure else Truth.UNKNOWN
        return Claim(truth=truth, says=says, want=want, where=where)
    if not visited.visits:
        truth, says = visited.absence, f"{visited.reason}, so it was not left by `{name}`"
        return Claim(truth=truth, says=says, want=want, actual=ABSENT, where=where)
    truth, reason = _not_left(scope, visited, name)
    known = ", ".join(f"`{other}`" for other in list(left)[:_SHOWN] if other is not None)
    says = f"{visited.node} was not left by `{name}` but by {known or 'no recorded outcome'}"
    return Claim(
        truth=truth,
        says=f"{says}; {reason}" if reason else says,
        want=want,
        actual=Actual.of([other for other in left if other is not None]),
        where=where,
    )


def _not_left(scope: Scope, visited: Visited, name: str) -> tuple[Truth, str | None]:
    """Tell what it means that an outcome was not seen in the visits of a node."""
    if visited.gap is not None:
        return Truth.UNKNOWN, visited.gap
    if any(visit.outcome is None and visit.last.status == "ok" for visit in visited.visits):
        return Truth.UNKNOWN, "the outcome of a visit was not recorded"
    if scope.names.outcomes(visited.node) is None:
        return Truth.MISSING, "no workflow shows that there is such an outcome"
    fault = scope.names.outcome_fault(visited.node, name)
    return (Truth.FAILS, None) if fault is None else (Truth.MISSING, fault)


def _where(node: str) -> str:
    return pointer.join(["nodes", node])
