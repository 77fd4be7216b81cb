"""The graph files: a workflow file of any known format as a `Workflow`, with the files it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

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
            workflow, files = _read(module, folder, name)
            return Graph(workflow, tuple(folder / file for file in files))
    raise InputError(Fault(file=str(folder / name), message="no known format of workflow files"))


def _read(module: ModuleType, folder: Path, name: str) -> tuple[Workflow, tuple[str, ...]]:
    """Read a file by its module; faults name files as they are reached from here."""
    try:
        found: tuple[Workflow, tuple[str, ...]] = module.read(
            name, lambda other: read_bytes(folder / other)
        )
    except InputError as error:
        faults = [replace(fault, file=str(folder / fault.file)) for fault in error.faults]
        raise InputError(faults) from error
    return found
