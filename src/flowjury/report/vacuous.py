"""Vacuous fixtures: empty collections for which what a case asserts of a node never ran."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from flowjury.check import Check, Scope, walk
from flowjury.finding import Finding
from flowjury.model import Json
from flowjury.pointer import join, parse
from flowjury.reach import Reach
from flowjury.trace import Execution
from flowjury.verdict import Verdict
from flowjury.workflow import Edge

_FREE = ("finished", "wait")
"""How a run ends that was not stopped, so that what did not run was not reached."""


def vacuous(checks: Sequence[Check], findings: Sequence[Finding], scope: Scope) -> Iterator[str]:
    """Say for which fixtures a check passed that could not fail.

    Such a fixture holds an empty list or object, and a loop, a map or a branch behind it leads to
    a node that the check names and that never ran.
    """
    reach, evidence = scope.names.reach, scope.evidence
    if reach is None or evidence.trace.status not in _FREE or evidence.gap("executions"):
        return
    idle = _idle(checks, findings, scope)
    if not idle:
        return
    ran = {execution.node for execution in evidence.executions}
    for node, at in dict.fromkeys(_empty(evidence.executions)):
        behind = [name for name in idle if _kept_from(reach, name, node, at, ran)]
        if behind:
            what = f"an empty {join(at)}" if at else "an empty answer"
            names = ", ".join(map(repr, behind))
            yield f"{node!r} has {what}, and {names} behind it never ran"


def _idle(checks: Sequence[Check], findings: Sequence[Finding], scope: Scope) -> list[str]:
    """Return the nodes that never ran and that a check names which passed."""
    ran = {execution.node for execution in scope.evidence.executions}
    named = (
        scope.names.node(reference.name, caller=reference.caller)
        for check, finding in zip(checks, findings, strict=True)
        if finding.verdict is Verdict.PASSED
        for _, each in walk(check)
        for reference in each.references()
        if reference.kind == "node"
    )
    return [name for name in dict.fromkeys(named) if name not in ran]


def _empty(executions: Sequence[Execution]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the nodes that fixtures answered, with each empty collection in the answer."""
    for execution in executions:
        if execution.replayed and "output" in execution.model_fields_set:
            for at in _places(execution.output):
                if at or execution.output == []:
                    yield execution.node, at


def _places(value: Json) -> Iterator[tuple[str, ...]]:
    if value in ([], {}):
        yield ()
    elif isinstance(value, dict):
        yield from ((key, *at) for key, item in value.items() for at in _places(item))
    elif isinstance(value, list):
        yield from ((str(n), *at) for n, item in enumerate(value) for at in _places(item))


def _kept_from(reach: Reach, name: str, node: str, at: Sequence[str], ran: Collection[str]) -> bool:
    """Tell whether a node may not have run because something in the answer of another is empty."""
    before = reach.leads_to(name)
    if node not in before:
        return False
    behind = {each for each in ran if each in before and node in reach.leads_to(each)} | {node}
    ahead = before | {name}
    return any(
        _decided(reach, edge, node, at)
        for source in behind
        for edge in reach.workflow.edges_from(source)
        if edge.target in ahead and edge.target not in ran
    )


def _decided(reach: Reach, edge: Edge, node: str, at: Sequence[str]) -> bool:
    """Tell whether a way may not have been taken because of what is empty.

    One without a condition leads to a node that maps, here over nothing. The outcome of a node
    that a fixture answered was in the fixture, and a condition on a pointer names what it reads.
    """
    if not edge.conditional:
        return True
    read = [each.condition for each in reach.workflow.edges_from(edge.source) if each.condition]
    pointers = [parse(text.split()[0]) for text in read if text.startswith("/")]
    if pointers:
        return any(_reads(pointer, at) for pointer in pointers)
    return edge.outcome is None or edge.source != node


def _reads(pointer: Sequence[str], at: Sequence[str]) -> bool:
    """Tell whether a pointer into a context leads into what is empty, or to what it is part of."""
    inside = list(pointer[1:])
    shared = min(len(inside), len(at))
    return inside[:shared] == list(at[:shared])
