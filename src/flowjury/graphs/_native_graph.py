"""The static graph of native workflow files: nested nodes in their places, every way between."""

from __future__ import annotations

from collections.abc import Iterator

from flowjury.graphs._native_flow import ACTIONS, ERROR, Flow, FlowEdge, FlowNode
from flowjury.graphs._native_flows import Flows, Site
from flowjury.json_values import short
from flowjury.operators import UNSET
from flowjury.workflow import Edge, Node, Workflow


def to_workflow(flows: Flows) -> Workflow:
    """Make the static graph, with the nodes behind every reference in it."""
    sites = _sites(flows)
    root = Site(flows.root)
    flow = flows.files[flows.root]
    return Workflow(
        name=flow.name,
        nodes={name: node for site in sites for name, node in _nodes(flows, site)},
        edges=tuple(edge for site in sites for edge in _edges(flows, site)),
        entry=(flow.start,),
        exits=tuple(dict.fromkeys(_exits(flows, root))),
        waits_complete=True,
    )


def _sites(flows: Flows) -> list[Site]:
    sites: list[Site] = []
    todo = [Site(flows.root)]
    while todo:
        site = todo.pop(0)
        if site not in sites:
            sites.append(site)
            references = flows.files[site.file].nodes.items()
            todo += [flows.inside(site, name) for name, node in references if node.workflow]
    return sites


def _nodes(flows: Flows, site: Site) -> Iterator[tuple[str, Node]]:
    for name, node in flows.files[site.file].nodes.items():
        inner = flows.files[flows.inside(site, name).file] if node.workflow else None
        yield (
            site.name(name),
            Node(
                kind=node.kind or _kind(node),
                boundary=node.boundary,
                writes=node.writes,
                reference=inner.name if inner else None,
                waits=node.wait,
                outcomes=node.outcomes or (ACTIONS if node.wait else ()),
            ),
        )


def _kind(node: FlowNode) -> str:
    if node.wait:
        return "wait"
    return "workflow" if node.workflow else "node"


def _edges(flows: Flows, site: Site) -> Iterator[Edge]:
    flow = flows.files[site.file]
    for name, node in flow.nodes.items():
        if node.workflow:
            inner = flows.inside(site, name)
            start = flows.files[inner.file].start
            yield Edge(source=site.name(name), target=inner.name(start))
        for edge in flow.leaving(name):
            for source in _left_from(flows, site, edge):
                yield Edge(
                    source=source,
                    target=site.name(edge.to),
                    outcome=edge.outcome,
                    condition=_condition(flow, edge),
                )


def _left_from(flows: Flows, site: Site, edge: FlowEdge) -> Iterator[str]:
    """Yield the nodes that an edge leaves: of a reference, those where the inner run may end."""
    node = flows.files[site.file].nodes[edge.from_]
    if not node.workflow or edge.outcome == ERROR or node.map is not None:
        yield site.name(edge.from_)
    if node.workflow and edge.outcome != ERROR:
        yield from dict.fromkeys(_exits(flows, flows.inside(site, edge.from_)))


def _condition(flow: Flow, edge: FlowEdge) -> str | None:
    if edge.when is not None:
        expected = edge.when.expected
        value = "" if expected is UNSET else f" {short(expected)}"
        return f"{edge.when.at} {edge.when.op}{value}"
    others = (other for other in flow.leaving(edge.from_) if other.outcome != ERROR)
    choice = any(other.when is not None or other.outcome is not None for other in others)
    return "otherwise" if choice and edge.outcome is None else None


def _exits(flows: Flows, site: Site, inside: frozenset[Site] = frozenset()) -> Iterator[str]:
    """Yield the nodes where a run of a file may end: behind references, those of the inner run."""
    flow = flows.files[site.file]
    for name in filter(flow.exit, flow.nodes):
        if not flow.nodes[name].workflow:
            yield site.name(name)
        elif (inner := flows.inside(site, name)) not in inside | {site}:
            yield from _exits(flows, inner, inside | {site})
