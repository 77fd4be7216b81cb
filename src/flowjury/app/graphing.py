"""Graphing: the static graph of a workflow file, or the one that a suite's cases run on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flowjury.app.graph_files import read_graph
from flowjury.app.preparing import prepare
from flowjury.app.project import Loaded, Project, load_suite
from flowjury.app.staffing import Staffing
from flowjury.app.suite_files import is_suite
from flowjury.errors import UsageError
from flowjury.plural import numbered
from flowjury.record import RunRecord
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
    known = known_graph(project, load_suite(file), load=load)
    if known.workflow is not None:
        return known.workflow
    if known.whole:
        raise UsageError(f"{file}: it names no workflow file, and its code has no graph")
    raise UsageError(
        f"{file}: no graph is known before a run; run it, or load its code with --import"
    )


@dataclass(frozen=True)
class Known:
    """What is known of a suite's graph without running it."""

    workflow: Workflow | None
    whole: bool
    """Whether that is all: without a file, a run or an import, only the code may know more."""


def known_graph(project: Project, loaded: Loaded, *, load: bool) -> Known:
    """Return what is known of the graph of a suite; with `load`, its code is asked."""
    if load:
        executor = prepare(project, loaded, Staffing())
        executor.close()
        return Known(executor.workflow or loaded.workflow, whole=True)
    if loaded.workflow is not None:
        return Known(loaded.workflow, whole=True)
    run = _newest_run(project, loaded)
    return Known(
        run.workflow if run else None, whole=bool(run) or not loaded.suite.target.knows_graph
    )


def _newest_run(project: Project, loaded: Loaded) -> RunRecord | None:
    if not Layout(project.root).database.exists():
        return None
    with RunStore.open_readonly(project.root) as store:
        return store.latest(loaded.suite.name)


def described(workflow: Workflow) -> Iterator[str]:
    """Yield lines that a person can read: each node with the ways that leave it."""
    nodes, edges = numbered(len(workflow.nodes), "node"), numbered(len(workflow.edges), "edge")
    yield f"workflow {workflow.name}: {nodes}, {edges}"
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
