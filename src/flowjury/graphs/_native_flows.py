"""Native workflow files that refer to one another: read, checked, each in its place."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from flowjury.documents import Document, parse
from flowjury.errors import Fault, InputError
from flowjury.graphs._native_faults import faults
from flowjury.graphs._native_flow import Flow
from flowjury.pointer import join
from flowjury.validation import refuse_newer, validate

Reader: TypeAlias = Callable[[str], bytes]
"""Reads a file by its name, as `load` was given it; raises OSError or InputError if none."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the whole graph where a file's nodes stand, under one prefix."""

    file: str
    prefix: str = ""
    outer: Site | None = None

    def name(self, node: str) -> str:
        """Return the static name of a node here."""
        return self.prefix + node

    def around(self) -> Iterator[Site]:
        """Yield this place and those that it stands in, the innermost first."""
        site: Site | None = self
        while site is not None:
            yield site
            site = site.outer


@dataclass(frozen=True, slots=True)
class Flows:
    """A workflow file and all that it refers to."""

    root: str
    files: Mapping[str, Flow]
    documents: Mapping[str, Document] = field(default_factory=dict, repr=False, compare=False)
    """Where in the files everything stands."""

    def fault(self, file: str, at: str, message: str) -> Fault:
        """Make a fault of something in a file."""
        line = self.documents[file].line(at)
        return Fault(file=file, message=message, pointer=at, line=line)

    def inside(self, site: Site, node: str) -> Site:
        """Return where the nodes behind a reference stand; recursion leads back to itself."""
        file = _relative(site.file, self.files[site.file].nodes[node].workflow or "")
        same = (outer for outer in site.around() if outer.file == file)
        return next(same, None) or Site(file, f"{site.name(node)}:", site)


def load(name: str, read: Reader) -> Flows:
    """Read a workflow file and all that it refers to.

    Raises InputError with the faults of all of them.
    """
    flows: dict[str, Flow] = {}
    documents: dict[str, Document] = {}
    found: list[Fault] = []
    todo = {name: Fault(file=name, message="there is no such file")}
    while todo:
        file, missing = todo.popitem()
        try:
            document, flow = _read(file, read, missing)
        except InputError as error:
            found += error.faults
        else:
            documents[file], flows[file] = document, flow
            found += faults(document, flow)
            refers = _references(document, flow)
            todo |= {other: fault for other, fault in refers if other not in flows}
    if found:
        raise InputError(found)
    return Flows(name, flows, documents)


def _read(file: str, read: Reader, missing: Fault) -> tuple[Document, Flow]:
    try:
        text = read(file)
    except (OSError, InputError) as error:
        raise InputError(missing) from error
    document = parse(text, name=file)
    refuse_newer(document)
    return document, validate(document, Flow)


def _references(document: Document, flow: Flow) -> Iterator[tuple[str, Fault]]:
    """Yield each file that is referred to, and what is wrong if there is none."""
    for name, node in flow.nodes.items():
        if node.workflow is not None:
            at = join(["nodes", name, "workflow"])
            file = _relative(document.name, node.workflow)
            message = (
                f"{node.workflow!r} is no file (looked for {file}); paths are relative to this"
            )
            yield (
                file,
                Fault(file=document.name, pointer=at, line=document.line(at), message=message),
            )


def _relative(file: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
