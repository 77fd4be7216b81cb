"""Graphing: the static graph of a workflow file, or the one that a suite's cases run on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flowjury.app.graph_files import read_graph
from flowjury.app.preparing import prepare
from flowjury.app.project import Loaded, Project, is_suite, load_suite
from flowjury.errors import UsageError
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore
from flowjury.workflow import Edge, Node, Workflow


def graph_of(project: Project, file: Path, *, load: bool = False) -> Workflow:
    """Return the graph of a workflow file, or of a suite.

    A suite without a workflow file has the graph stored with its newest run; with `load`, the one
    that its code has now. Raises InputError and UsageError.
    """
    if not is_suite(file):
        return read_graph(file.parent, file.name).workflow
    loaded = load_suite(file)
    workflow = known_graph(project, loaded, load=load)
    if workflow is None:
        raise UsageError(
            f"{file}: no graph is known before a run; run it, or load its code with --import"
        )
    return workflow


def known_graph(project: Project, loaded: Loaded, *, load: bool) -> Workflow | None:
    """Return the graph of a suite, as far as it is known without running it."""
    if load:
        return prepare(loaded).workflow or loaded.workflow
    return loaded.workflow or _stored(project, loaded)


def _stored(project: Project, loaded: Loaded) -> Workflow | None:
    if not Layout(project.root).database.exists():
        return None
    with RunStore.open_readonly(project.root) as store:
        run = store.latest(loaded.suite.name)
    return run.workflow if run else None


def described(workflow: Workflow) -> Iterator[str]:
    """Yield lines that a person can read: each node with the ways that leave it."""
    yield f"workflow {workflow.name}: {len(workflow.nodes)} nodes, {len(workflow.edges)} edges"
    if not workflow.edges_complete:
        yield "some ways are chosen by code that the graph does not show"
    for name, node in workflow.nodes.items():
        yield f"{name}{_marks(workflow, name, node)}"
        yield from (f"  -> {edge.target}{_when(edge)}" for edge in workflow.edges_from(name))


def _marks(workflow: Workflow, name: str, node: Node) -> str:
    marks = [node.kind] if node.kind != "node" else []
    marks += ["entry"] if name in workflow.entry else []
    marks += ["exit"] if name in workflow.exits else []
    marks += ["boundary"] if node.boundary else []
    marks += ["writes"] if node.writes else []
    marks += [f"runs {node.reference}"] if node.reference else []
    marks += [f"waits for {node.waits}"] if node.waits else []
    return f"  ({', '.join(marks)})" if marks else ""


def _when(edge: Edge) -> str:
    words = [f"on {edge.outcome}"] if edge.outcome else []
    words += [f"if {edge.condition}"] if edge.condition else []
    return f"  {' '.join(words)}" if words else ""
