"""The graph files: a workflow file of any known format as a `Workflow`, with the files it needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flowjury import families
from flowjury.errors import Fault, InputError
from flowjury.store.files import read_bytes
from flowjury.workflow import Workflow


@dataclass(frozen=True)
class Graph:
    """A workflow that was read."""

    workflow: Workflow
    files: tuple[Path, ...]
    """The files that it was read from, those it refers to included."""


def read_graph(folder: Path, name: str) -> Graph:
    """Read a workflow file, relative to a folder. Raises InputError with everything wrong with it.

    Each module of the family `graphs` has `recognises(name, content)`, and `read(name, read)` that
    returns a workflow and the names of its files.
    """
    content = read_bytes(folder / name)
    for module in families.members("graphs", "recognises", "read").values():
        if module.recognises(name, content):
            workflow, files = module.read(name, lambda other: read_bytes(folder / other))
            return Graph(workflow, tuple(folder / file for file in files))
    raise InputError(Fault(file=str(folder / name), message="no known format of workflow files"))
