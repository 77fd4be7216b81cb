"""Linting: what is wrong with suites, or could be, found before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from flowjury.analysis.static import suite_faults
from flowjury.app.graphing import Known, known_graph
from flowjury.app.project import Loaded, Project, load_suite
from flowjury.app.suite_files import Tell, suite_paths
from flowjury.errors import Fault, InputError
from flowjury.model import Model
from flowjury.names import Names
from flowjury.plural import numbered
from flowjury.store.fixture_files import read_fixtures

_UNSEEN: Final = (
    "only its code knows all nodes, so their names were not checked; use --import, or run it once"
)
_UNDECLARED: Final = (
    "nothing says which nodes there are, so their names were not checked; "
    "add `declares: {nodes: […]}`"
)


@dataclass
class Linted:
    """What was found in all suites."""

    suites: int = 0
    cases: int = 0
    faults: list[Fault] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)


def lint(
    project: Project,
    suites: Iterable[Path],
    *,
    load: bool = False,
    tell: Tell = lambda _: None,
) -> Linted:
    """Read suites and hold them against their workflow. Raises UsageError where there are none."""
    linted = Linted()
    for path in suite_paths(project, suites, tell=tell):
        linted.suites += 1
        try:
            loaded = load_suite(path)
            linted.cases += len(loaded.suite.cases)
            _lint(project, loaded, linted, load=load)
        except InputError as error:
            linted.faults.extend(error.faults)
    return linted


def _lint(project: Project, loaded: Loaded, linted: Linted, *, load: bool) -> None:
    known = known_graph(project, loaded, load=load)
    names = names_of(loaded, known)
    linted.faults.extend(suite_faults(loaded.suite, names, loaded.document))
    if names.nodes is None:
        linted.hints.append(f"{loaded.path}: {_UNDECLARED if known.whole else _UNSEEN}")
    linted.hints.extend(f"{loaded.path}: {hint}" for hint in _hints(loaded))


def names_of(loaded: Loaded, known: Known) -> Names:
    """Return the names that a suite may use, as far as they are known."""
    declared = loaded.suite.declares
    nodes = declared.nodes if known.whole else None
    return Names(known.workflow, declared.model_copy(update={"nodes": nodes}))


def _hints(loaded: Loaded) -> Iterator[str]:
    for case in loaded.suite.cases:
        read_fixtures(loaded.folder / "fixtures", case.id)
        if not case.asserts and case.skip is None:
            yield f"case {case.id!r} asserts nothing; it can only become unknown"
        if case.skip is not None:
            yield f"case {case.id!r} is skipped: {case.skip}"


def summary(linted: Linted) -> str:
    """Count what was looked at and found."""
    faults = numbered(len(linted.faults), "fault") if linted.faults else "no faults"
    looked_at = f"{numbered(linted.suites, 'suite')}, {numbered(linted.cases, 'case')}"
    return f"{looked_at}: {faults}"


class FaultSaid(Model):
    """One thing wrong with one file."""

    file: str
    """The file."""
    line: int | None
    """The line, where known."""
    pointer: str
    """JSON Pointer to the place."""
    message: str
    """What is wrong, and what would be right."""


class LintSaid(Model):
    """What was found, for programs."""

    suites: int
    """Number of suites."""
    cases: int
    """Number of cases."""
    faults: tuple[FaultSaid, ...]
    """What is wrong."""
    hints: tuple[str, ...]
    """What could be better."""


def said(linted: Linted) -> LintSaid:
    """Return what was found as data."""
    return LintSaid(
        suites=linted.suites,
        cases=linted.cases,
        faults=tuple(
            FaultSaid(file=one.file, line=one.line, pointer=one.pointer, message=one.message)
            for one in linted.faults
        ),
        hints=tuple(linted.hints),
    )
