"""The native workflow format: a graph whose nodes are Python functions and other workflows."""

from __future__ import annotations

from pathlib import PurePath

from flowjury.documents import SUFFIXES, parse
from flowjury.errors import InputError
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


def recognises(name: str, content: bytes) -> bool:
    """Tell whether a file is meant to be of this format, or is too broken to tell."""
    if PurePath(name).suffix.lower() not in SUFFIXES:
        return False
    try:
        value = parse(content, name=name).value
    except InputError:
        return True
    if not isinstance(value, dict):
        return False
    return type(value.get("format")) is int or isinstance(value.get("nodes"), dict)


def read(name: str, reader: Reader) -> tuple[Workflow, tuple[str, ...]]:
    """Return the static graph of a workflow file, and the names of all files that it needs.

    Raises InputError with everything that is wrong with them.
    """
    flows = load(name, reader)
    return to_workflow(flows), tuple(sorted(flows.files))
