"""The codes: digests of the evaluators' source files, found without importing them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from flowjury.app.project import Loaded
from flowjury.app.stimuli import sha256
from flowjury.check import walk_all
from flowjury.checks.evaluator import EvaluatorCheck
from flowjury.store.files import read_bytes


def evaluator_digests(loaded: Loaded) -> dict[str, str]:
    """Map each evaluator of a suite to the SHA-256 of its file; one not found is left out."""
    found = {check.use: source_of(check.use, loaded) for check in evaluators(loaded)}
    return {use: sha256(read_bytes(path)) for use, path in found.items() if path is not None}


def evaluators(loaded: Loaded) -> Iterator[EvaluatorCheck]:
    """Yield every evaluator check of a suite, however deep it stands."""
    checks = [*loaded.suite.checks, *(c for case in loaded.suite.cases for c in case.all_checks)]
    for _, check in walk_all(checks, ""):
        if isinstance(check, EvaluatorCheck):
            yield check


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
