"""The codes: digests of the evaluators' code, found without importing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from flowjury.app.modules import code_of
from flowjury.app.project import Loaded
from flowjury.check import Check, walk_all
from flowjury.checks.evaluator import EvaluatorCheck
from flowjury.errors import Fault
from flowjury.json_values import digest
from flowjury.suite import Suite


def evaluator_digests(loaded: Loaded) -> dict[str, str]:
    """Map each evaluator of a suite to the digest of its code; one of no known code is left out."""
    folders = import_folders(loaded)
    uses = {check.use for _, check in evaluators(loaded)}
    codes = {use: code_of(use.partition(":")[0], folders) for use in uses}
    return {use: digest(dict(code)) for use, code in codes.items() if code}


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


def import_folders(loaded: Loaded) -> list[Path]:
    """Return the folders in which a suite's modules are looked for."""
    paths = getattr(loaded.suite.target, "path", (".",))
    return [loaded.folder / path for path in dict.fromkeys([*paths, "."])]
