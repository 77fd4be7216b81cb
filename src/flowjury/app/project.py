"""The project: its root, its configuration, and suites that are loaded."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flowjury import documents, families, validation
from flowjury.app.graph_files import read_graph
from flowjury.check import Check
from flowjury.documents import Document
from flowjury.errors import Fault, InputError
from flowjury.model import Json, Model
from flowjury.store.files import read_bytes, resolved
from flowjury.suite import Suite, bound, read
from flowjury.target import Target
from flowjury.workflow import Workflow

_MARKERS = (".flowjury", "flowjury.toml", "pyproject.toml", ".git")


class Config(Model):
    """What `flowjury.toml`, or `[tool.flowjury]` in `pyproject.toml`, may say."""

    suites: tuple[str, ...] = ()
    """Patterns of suite files, relative to the project; empty means every `*.suite.*` file."""
    host: str | None = None
    """The host judge of `flowjury judge`, by name or path."""
    model: str | None = None
    """The model that the host judge asks."""


@dataclass(frozen=True)
class Project:
    """Where things are kept."""

    root: Path
    config: Config

    def name_of(self, path: Path) -> str:
        """Return a path as reports show it: relative to the root where it is inside."""
        full = resolved(path)
        inside = full.is_relative_to(self.root)
        return full.relative_to(self.root).as_posix() if inside else str(full)

    def code_root(self, suite: Path) -> Path:
        """Return the folder whose source files belong to a suite: the project, or its own."""
        folder = resolved(suite).parent
        return self.root if folder.is_relative_to(self.root) else folder


@dataclass(frozen=True)
class Loaded:
    """A suite that was read, with the file it came from."""

    suite: Suite
    document: Document
    path: Path
    workflow: Workflow | None
    """The static graph, where a workflow file shows it."""
    files: tuple[Path, ...]
    """The workflow files that were read."""

    @property
    def folder(self) -> Path:
        """The folder of the suite."""
        return self.path.parent

    @property
    def fixtures(self) -> Path:
        """The folder of the recorded fixtures."""
        return self.folder / "fixtures"

    @property
    def judgements(self) -> Path:
        """The folder of the judgements."""
        return self.folder / "judgements"

    def fault(self, at: str, message: str) -> Fault:
        """Make a fault at a place of the suite's file."""
        line = self.document.line(at)
        return Fault(file=str(self.path), message=message, pointer=at, line=line)


def find_project(start: Path) -> Project:
    """Find the root: the nearest folder upward with a store, a config or a repository."""
    here = start.resolve()
    for folder in (here, *here.parents):
        if any((folder / marker).exists() for marker in _MARKERS):
            return Project(folder, _config(folder))
    return Project(here, Config())


def _config(root: Path) -> Config:
    own = root / "flowjury.toml"
    if own.is_file():
        content = read_bytes(own)
        read = documents.parse(content, name=str(own)) if content.strip() else None
        return validation.validate(read, Config) if read else Config()
    shared = root / "pyproject.toml"
    if not shared.is_file():
        return Config()
    tool = _toml(shared).get("tool")
    ours = tool.get("flowjury", {}) if isinstance(tool, dict) else {}
    return validation.validate(Document(ours, f"{shared} [tool.flowjury]"), Config)


def _toml(path: Path) -> dict[str, Json]:
    """Read a file that is not ours alone: others may write what is no JSON, such as dates."""
    try:
        return tomllib.loads(read_bytes(path).decode())
    except ValueError as error:
        raise InputError(Fault(file=str(path), message=f"not TOML: {error}")) from error


@cache
def suite_model() -> type[Suite]:
    """Return the model of suite files that knows every kind of check and target found."""
    checks = families.classes("checks", Check)  # type: ignore[type-abstract]  # only its subclasses
    targets = families.classes("targets", Target)  # type: ignore[type-abstract]  # likewise
    return bound(checks, targets)


def load_suite(path: Path) -> Loaded:
    """Read a suite and the workflow file that it names. Raises InputError with every fault."""
    document = documents.parse(read_bytes(path), name=str(path))
    validation.refuse_newer(document, supported=1)
    suite = read(document, suite_model())
    if suite.workflow is None:
        return Loaded(suite, document, path, None, ())
    graph = read_graph(path.parent, suite.workflow)
    return Loaded(suite, document, path, graph.workflow, graph.files)


def load_suites(paths: Iterable[Path]) -> list[Loaded]:
    """Read several suites; the faults of all of them are raised together."""
    loaded: list[Loaded] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            loaded.append(load_suite(path))
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    refuse_equal_names(loaded)
    return loaded


def refuse_equal_names(loaded: Iterable[Loaded]) -> None:
    """Raise InputError where two suite files give one name, by which their runs are found."""
    seen: dict[str, Path] = {}
    for one in loaded:
        other = seen.setdefault(one.suite.name, one.path)
        if resolved(other) != resolved(one.path):
            message = f"{one.suite.name!r} is also the name of {other}; give each suite its own"
            raise InputError(Fault(file=str(one.path), pointer="/name", message=message))
