"""The preparing: targets are loaded, and every fault is found before the first case runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from flowjury.analysis.static import suite_faults
from flowjury.app.codes import code_fault, import_folders
from flowjury.app.evaluating import load_evaluators
from flowjury.app.project import Loaded
from flowjury.case import Case
from flowjury.errors import Fault, InputError, UsageError
from flowjury.job import Place, Prepared
from flowjury.names import Names
from flowjury.store.files import read_bytes, resolved
from flowjury.store.fixture_files import read_fixtures


@dataclass(frozen=True)
class Ready:
    """A suite whose target is prepared, with the cases that were chosen."""

    loaded: Loaded
    prepared: Prepared
    cases: Sequence[Case]


def prepared(suites: Sequence[Loaded], picked: Sequence[Sequence[Case]]) -> list[Ready]:
    """Prepare the suites that have chosen cases. Raises InputError with every fault of all."""
    ready: list[Ready] = []
    faults: list[Fault] = []
    for loaded, cases in zip(suites, picked, strict=True):
        try:
            if cases:
                ready.append(Ready(loaded, prepare(loaded), cases))
        except InputError as error:
            faults.extend(error.faults)
        faults.extend(_fixture_faults(loaded, cases))
    if faults:
        raise InputError(faults)
    return ready


def _fixture_faults(loaded: Loaded, cases: Sequence[Case]) -> Iterator[Fault]:
    """Find what is wrong with the fixture files that are served, or will be written again."""
    for case in cases if loaded.suite.data != "live" else ():
        try:
            read_fixtures(loaded.fixtures, case.id)
        except InputError as error:
            yield from error.faults


def prepare(loaded: Loaded) -> Prepared:
    """Load the workflow under test, and hold the suite's names against it. Raises InputError."""
    suite = loaded.suite
    if suite.data == "replay" and not suite.target.replays:
        raise UsageError(
            f"{loaded.path}: target {suite.target.kind} cannot be kept from going live; "
            "say `data: live`"
        )
    place = Place(root=loaded.folder, workflow=suite.workflow, read=read_bytes)
    try:
        ready: Prepared = suite.target.prepare(place)
    except InputError as error:
        raise InputError([_placed(loaded, fault) for fault in error.faults]) from error
    workflow = ready.workflow or loaded.workflow
    faults = suite_faults(suite, Names(workflow, suite.declares), loaded.document)
    if faults:
        raise InputError(faults)
    _rehearse_evaluators(loaded)
    return ready


def _rehearse_evaluators(loaded: Loaded) -> None:
    """Import the evaluators to find what is wrong with them, and forget the user's modules again.

    No trace depends on what only evaluators import; they are imported again when they are asked.
    """
    before = set(sys.modules)
    load_evaluators(loaded)
    folders = [resolved(folder) for folder in import_folders(loaded)]
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file and any(resolved(Path(file)).is_relative_to(folder) for folder in folders):
            del sys.modules[name]


def _placed(loaded: Loaded, fault: Fault) -> Fault:
    """Put a fault of code that an option of the target names at that option."""
    names = (name for name, value in loaded.suite.target if value == fault.file)
    name = next(names, None)
    return fault if name is None else code_fault(loaded, f"/target/{name}", fault)
