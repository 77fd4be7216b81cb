"""The static graph of a compiled LangGraph: its nodes and ways, those of its subgraphs in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.pregel import Pregel
from langgraph.types import Command

from flowjury.recorders._langgraph_ways import Ends
from flowjury.workflow import Edge, Node, Workflow

_Graph: TypeAlias = Pregel[Any, Any, Any, Any]
_Builder: TypeAlias = StateGraph[Any, Any, Any, Any]
_ERROR: Final = "error"
_HIDDEN: Final = frozenset({START, END})


def workflow(graph: _Graph) -> Workflow:
    """Make the static graph.

    Functions that nodes call may be nodes, too (`@flowjury.boundary`), so the nodes are never all;
    the edges are all where every router declares its ends, and every command too.
    """
    inner = dict(_graphs(graph))
    entry, exits = _ends(graph)
    return Workflow(
        name=graph.get_name(),
        nodes=dict(node for place, each in inner.items() for node in _nodes(place, each, inner)),
        edges=tuple(edge for place, each in inner.items() for edge in _edges(place, each)),
        entry=entry,
        exits=exits,
        tools=_tools(inner),
        nodes_complete=False,
        edges_complete=all(map(_declared, inner.values())),
    )


def routers(graph: _Graph) -> dict[str, dict[str, Ends]]:
    """Return the routers of each node by the names of their runs."""
    return {
        place + source: {_run_name(each.path): each.ends or {} for each in branches.values()}
        for place, inner in _graphs(graph)
        if (builder := _builder(inner)) is not None
        for source, branches in builder.branches.items()
    }


def _run_name(path: Any) -> str:  # noqa: ANN401 - a Runnable, perhaps bound
    config = getattr(path, "config", None) or {}
    return str(config.get("run_name") or path.get_name())


def coroutine_only(graph: _Graph) -> bool:
    """Tell whether a part of a graph can only be awaited: then the graph must be, too."""
    return any(
        _only_awaited(part)
        for _, each in _graphs(graph)
        for whole in _runnables(each)
        for part in _parts(whole)
    )


def _graphs(
    graph: _Graph, place: str = "", around: tuple[_Graph, ...] = ()
) -> Iterator[tuple[str, _Graph]]:
    """Yield a graph and those inside it, with what comes before the names of their nodes.

    A graph that calls itself is not followed into itself.
    """
    yield place, graph
    around = (*around, graph)
    for name, inner in graph.get_subgraphs():
        if not any(inner is each for each in around):
            yield from _graphs(inner, f"{place}{name}:", around)  # type: ignore[arg-type]  # a Pregel


def _builder(graph: _Graph) -> _Builder | None:
    builder = getattr(graph, "builder", None)
    return builder if isinstance(builder, StateGraph) else None


def _nodes(place: str, graph: _Graph, inner: Mapping[str, _Graph]) -> Iterator[tuple[str, Node]]:
    for name, node in graph.nodes.items():
        if name in _HIDDEN:
            continue
        inside = inner.get(f"{place}{name}:")
        kind = "tools" if _tool_names(node.bound) else "node"
        outcomes = dict.fromkeys(_outcomes(graph, name))
        yield (
            place + name,
            Node(
                kind="workflow" if inside is not None else kind,
                reference=inside.get_name() if inside is not None else None,
                outcomes=tuple(outcomes),
            ),
        )


def _outcomes(graph: _Graph, node: str) -> Iterator[str]:
    """Yield what the routers and commands of a node may say, if all of it is known."""
    builder = _builder(graph)
    if builder is not None and _declares(builder, node):
        yield from (way.outcome for way in _ways(builder) if way.source == node and way.outcome)


def _edges(place: str, graph: _Graph) -> Iterator[Edge]:
    builder = _builder(graph)
    for way in _drawn(graph) if builder is None else _ways(builder):
        if _HIDDEN.isdisjoint({way.source, way.target}):
            ends = {"source": place + way.source, "target": place + way.target}
            yield way.model_copy(update=ends)


def _ways(builder: _Builder) -> Iterator[Edge]:
    """Yield every way that was built, those from the start and to the end among them."""
    plain = [*builder.edges, *((each, end) for ends, end in builder.waiting_edges for each in ends)]
    for source, target in sorted(plain):
        yield Edge(source=source, target=target)
    for source, branches in builder.branches.items():
        for name, branch in branches.items():
            yield from _routes(source, name, branch.ends or {})
    for source, spec in builder.nodes.items():
        for target in spec.ends or ():
            yield Edge(source=source, target=target, outcome=target, condition="Command")
        if spec.error_handler_node is not None:
            yield Edge(source=source, target=spec.error_handler_node, outcome=_ERROR)


def _routes(source: str, router: str, ends: Ends) -> Iterator[Edge]:
    for answer, target in ends.items():
        yield Edge(source=source, target=target, outcome=str(answer), condition=router)


def _drawn(graph: _Graph) -> Iterator[Edge]:
    """Yield the ways of what was not built by a StateGraph, as LangGraph draws them."""
    for edge in graph.get_graph().edges:
        word = "sometimes" if edge.data is None else str(edge.data)
        condition = word if edge.conditional else None
        yield Edge(source=edge.source, target=edge.target, condition=condition)


def _ends(graph: _Graph) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return where a run starts, and where it may end: by an edge, or as no edge leads on."""
    builder = _builder(graph)
    ways = list(_drawn(graph) if builder is None else _ways(builder))
    entry = [way.target for way in ways if way.source == START]
    left = {way.source for way in ways if way.outcome != _ERROR}
    ending = [way.source for way in ways if way.target == END]
    last = [name for name in graph.nodes if name not in left | _HIDDEN]
    exits = dict.fromkeys(name for name in [*ending, *last] if name != START)
    return tuple(dict.fromkeys(entry)), tuple(exits)


def _declared(graph: _Graph) -> bool:
    builder = _builder(graph)
    return builder is not None and all(_declares(builder, node) for node in (START, *builder.nodes))


def _declares(builder: _Builder, node: str) -> bool:
    """Tell whether a node declares all its ways: those of its routers and, if any, its commands."""
    spec = builder.nodes.get(node)
    hidden = spec is not None and not spec.ends and _names_command(spec.runnable)
    return not hidden and all(branch.ends for branch in builder.branches.get(node, {}).values())


def _names_command(runnable: object) -> bool:
    """Tell whether the function of a node makes a Command, as far as its own code shows it."""
    functions = (getattr(runnable, "func", None), getattr(runnable, "afunc", None))
    codes = (getattr(function, "__code__", None) for function in functions)
    return any(code is not None and Command.__name__ in code.co_names for code in codes)


def _tools(graphs: Mapping[str, _Graph]) -> tuple[str, ...] | None:
    """Name the tools of all tool nodes; without one, nobody knows what is called."""
    found = {
        name
        for graph in graphs.values()
        for node in graph.nodes.values()
        for name in _tool_names(node.bound)
    }
    return tuple(sorted(found)) or None


def _tool_names(bound: object) -> tuple[str, ...]:
    tools = getattr(bound, "tools_by_name", None)
    return tuple(tools) if isinstance(tools, Mapping) else ()


def _runnables(graph: _Graph) -> Iterator[object]:
    yield from (node.bound for node in graph.nodes.values())
    builder = _builder(graph)
    for routers in builder.branches.values() if builder is not None else ():
        yield from (branch.path for branch in routers.values())


def _parts(whole: object) -> Iterator[object]:
    """Yield what a runnable is made of, as far as LangChain shows it."""
    yield whole
    tools = getattr(whole, "tools_by_name", None)
    inner = [*getattr(whole, "steps", ()), *(tools.values() if isinstance(tools, Mapping) else ())]
    for part in inner:
        yield from _parts(part)


def _only_awaited(part: object) -> bool:
    """Tell whether there is a coroutine and no function: of a node, a lambda or a tool."""
    coroutine = getattr(part, "afunc", None) or getattr(part, "coroutine", None)
    return coroutine is not None and getattr(part, "func", None) is None
