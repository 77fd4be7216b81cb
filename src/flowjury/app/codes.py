"""The codes: digests of the evaluators' source files, found without importing them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from flowjury.app.project import Loaded
from flowjury.app.stimuli import sha256
from flowjury.check import Check, walk_all
from flowjury.checks.evaluator import EvaluatorCheck
from flowjury.errors import Fault
from flowjury.store.files import read_bytes
from flowjury.suite import Suite


def evaluator_digests(loaded: Loaded) -> dict[str, str]:
    """Map each evaluator of a suite to the SHA-256 of its file; one not found is left out."""
    found = {check.use: source_of(check.use, loaded) for _, check in evaluators(loaded)}
    return {use: sha256(read_bytes(path)) for use, path in found.items() if path is not None}


def evaluators(loaded: Loaded) -> Iterator[tuple[str, EvaluatorCheck]]:
    """Yield every evaluator check of a suite with its pointer, however deep it stands."""
    for at, checks in _checked(loaded.suite):
        for where, check in walk_all(checks, f"{at}/checks"):
            if isinstance(check, EvaluatorCheck):
                yield where, check


def _checked(suite: Suite) -> Iterator[tuple[str, Sequence[Check]]]:
    yield "", suite.checks
    for number, case in enumerate(suite.cases):
        yield f"/cases/{number}", case.checks
        for turn, step in enumerate(case.steps):
            yield f"/cases/{number}/steps/{turn}", step.checks


def code_fault(loaded: Loaded, at: str, fault: Fault) -> Fault:
    """Put a fault of code, which names the code as its file, where the suite names the code."""
    code, message = repr(fault.file), fault.message
    return loaded.fault(at, message if code in message else f"{code}: {message}")


def source_of(use: str, loaded: Loaded) -> Path | None:
    """Return the file of `module:function`, looked for as it would be imported."""
    inner = use.partition(":")[0].replace(".", "/")
    for folder in (*import_folders(loaded), *map(Path, sys.path)):
        for candidate in (folder / f"{inner}.py", folder / inner / "__init__.py"):
            if candidate.is_file():
                return candidate
    return None


def import_folders(loaded: Loaded) -> list[Path]:
    """Return the folders in which a suite's modules are looked for."""
    paths = getattr(loaded.suite.target, "path", (".",))
    return [loaded.folder / path for path in dict.fromkeys([*paths, "."])]
