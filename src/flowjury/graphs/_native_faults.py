"""The faults of a native workflow file that its shape does not show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from flowjury.documents import Document
from flowjury.errors import Fault
from flowjury.graphs._native_flow import ACTIONS, ERROR, INPUT, ITEM_KEYS, RESERVED, Flow, FlowNode
from flowjury.operators import fault as operator_fault
from flowjury.pointer import join, nearest, parse

_Found = tuple[tuple[str, ...], str]
"""Where in the file, and what is wrong there."""

_FUNCTION: Final = re.compile(r"[\w.]+:[\w.]+")
_DOES: Final = ("use", "workflow", "wait")


def faults(document: Document, flow: Flow) -> list[Fault]:
    """Find everything that is wrong with a file whose shape is right, in file order."""
    found = [*_of_nodes(flow), *_of_edges(flow), *_of_the_whole(flow)]
    placed = [
        Fault(file=document.name, message=message, pointer=join(at), line=document.line(join(at)))
        for at, message in found
    ]
    return sorted(placed, key=lambda fault: fault.line or 0)


def _of_nodes(flow: Flow) -> Iterator[_Found]:
    for name, node in flow.nodes.items():
        at = ("nodes", name)
        if name in RESERVED or ":" in name or not name:
            why = f"{', '.join(RESERVED)} are kept for contexts, and ':' for nested names"
            yield at, f"{name!r} cannot name a node: {why}"
        for key, message in (*_of_work(node), *_of_wait(node), *_of_outcomes(flow, name)):
            yield (*at, *key), message
        for key, pointer in _pointers(node):
            extra = ITEM_KEYS if node.map is not None and key != ("map",) else ()
            yield from _of_pointer(flow, (*at, *key), pointer, extra)


def _of_work(node: FlowNode) -> Iterator[_Found]:
    does = [key for key in _DOES if getattr(node, key) is not None]
    if len(does) != 1:
        has = " and ".join(does) or "none"
        yield (), f"a node has exactly one of {', '.join(_DOES)}; this has {has}"
    if node.use is not None and not _FUNCTION.fullmatch(node.use):
        yield ("use",), f"{node.use!r} names no function; write module:function"
    if node.boundary and node.use is None:
        yield ("boundary",), "only a node with `use` reaches outside; mark the inner node instead"
    if node.writes and not node.boundary:
        yield ("writes",), "a node that writes reaches outside: add `boundary: true`"


def _of_wait(node: FlowNode) -> Iterator[_Found]:
    if node.wait is None:
        if node.ask is not None:
            yield ("ask",), "only a node with `wait` asks"
        return
    if node.map is not None:
        yield ("map",), "a wait cannot map; map a workflow that has the wait in it"
    if node.input is not None:
        yield ("input",), "a wait has no input; `ask` points to what is asked"


def _of_outcomes(flow: Flow, name: str) -> Iterator[_Found]:
    node = flow.nodes[name]
    if node.map is not None and node.outcomes:
        yield ("outcomes",), "a node that maps ends with a list, not with an outcome"
    if node.wait is not None:
        for number, outcome in enumerate(node.outcomes):
            if outcome not in ACTIONS:
                yield ("outcomes", str(number)), _unknown("outcome of a wait", outcome, ACTIONS)
    leaving = [edge for edge in flow.leaving(name) if edge.outcome != ERROR]
    if leaving and all(edge.outcome is not None for edge in leaving):
        ways = {edge.outcome for edge in leaving}
        for number, outcome in enumerate(node.outcomes):
            if outcome not in ways | {ERROR}:
                lost = f"no edge from {name!r} is taken on outcome {outcome!r}"
                yield ("outcomes", str(number)), f"{lost}; add one, or an edge without outcome"


def _pointers(node: FlowNode) -> Iterator[tuple[tuple[str, ...], str]]:
    for key in ("map", "ask"):
        if (pointer := getattr(node, key)) is not None:
            yield (key,), pointer
    for name, pointer in (node.input or {}).items():
        yield ("input", name), pointer


def _of_pointer(
    flow: Flow, at: tuple[str, ...], pointer: str, extra: Iterable[str] = ()
) -> Iterator[_Found]:
    known = (INPUT, *flow.nodes, *extra)
    if pointer and (key := parse(pointer)[0]) not in known:
        yield at, _unknown("key of the context", key, known)


def _of_edges(flow: Flow) -> Iterator[_Found]:
    first: dict[str, int] = {}
    for number, edge in enumerate(flow.edges):
        at = ("edges", str(number))
        for key, name in (("from", edge.from_), ("to", edge.to)):
            if name not in flow.nodes:
                yield (*at, key), _unknown("node", name, flow.nodes)
        if edge.outcome is not None and edge.when is not None:
            yield at, "an edge has an outcome or a condition, not both"
        if (same := first.setdefault(repr(edge), number)) != number:
            yield at, f"the same edge as /edges/{same}; leave one out"
        if edge.when is not None:
            when = edge.when
            if wrong := operator_fault(when.op, when.expected, when.ignore_case):
                yield (*at, "when"), wrong
            yield from _of_pointer(flow, (*at, "when", "at"), when.at)
        yield from (((*at, "outcome"), text) for text in _of_way(flow, edge.from_, edge.outcome))


def _of_way(flow: Flow, name: str, outcome: str | None) -> Iterator[str]:
    """Say what is wrong with the outcome of an edge, given the node that it leaves."""
    node = flow.nodes.get(name)
    if node is None or outcome in {None, ERROR}:
        return
    known = node.outcomes or (ACTIONS if node.wait is not None else ())
    if node.map is not None:
        yield "a node that maps is left by an edge without outcome, or by `error`"
    elif known and outcome not in known:
        yield _unknown(f"outcome of {name!r}", str(outcome), (*known, ERROR))


def _of_the_whole(flow: Flow) -> Iterator[_Found]:
    if flow.output is not None:
        yield from _of_pointer(flow, ("output",), flow.output)
    if flow.entry is not None and flow.entry not in flow.nodes:
        yield ("entry",), _unknown("node", flow.entry, flow.nodes)
    elif any({edge.from_, edge.to} - flow.nodes.keys() for edge in flow.edges):
        return  # whatever seems to be cut off may be so by that edge
    elif flow.entry is None and len(flow.sources) != 1:
        which = ", ".join(flow.sources) or "none"
        why = f"a run starts at the one node that no edge reaches, and here that is {which}"
        yield ("nodes",), f"{why}; name one with `entry`"
    else:
        yield from _of_reach(flow)


def _of_reach(flow: Flow) -> Iterator[_Found]:
    reached = flow.reach[flow.start] | {flow.start}
    forked = {name for fork in flow.nodes if flow.fork(fork) for name in flow.reach[fork]}
    for name, node in flow.nodes.items():
        if name not in reached:
            yield ("nodes", name), f"no way leads here from the entry {flow.start!r}"
        elif node.join and name not in forked:
            yield ("nodes", name, "join"), "no fork leads here, so there is nothing to wait for"


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    names = tuple(known)
    near = nearest(name, names)
    hint = f"; nearest is {near!r}" if near else ""
    return f"{name!r} is no {what}{hint} (known: {', '.join(names)})"
