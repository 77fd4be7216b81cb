"""The native workflow format: a graph whose nodes are Python functions and other workflows."""

from __future__ import annotations

from flowjury.graphs._native_flow import ACTIONS, ERROR, INPUT, Flow, FlowEdge, FlowNode, When
from flowjury.graphs._native_flows import Flows, Reader, Site, load
from flowjury.graphs._native_graph import to_workflow
from flowjury.workflow import Workflow

__all__ = [
    "ACTIONS",
    "ERROR",
    "INPUT",
    "Flow",
    "FlowEdge",
    "FlowNode",
    "Flows",
    "Reader",
    "Site",
    "When",
    "load",
    "read",
    "recognises",
    "to_workflow",
]


def recognises(name: str, content: bytes) -> bool:  # noqa: ARG001 - other formats look inside
    """Tell whether a file is meant to be a native workflow."""
    return name.endswith((".yaml", ".yml", ".json"))


def read(name: str, reader: Reader) -> tuple[Workflow, tuple[str, ...]]:
    """Return the static graph of a workflow file, and the names of all files that it needs.

    Raises InputError with everything that is wrong with them.
    """
    flows = load(name, reader)
    return to_workflow(flows), tuple(flows.files)
