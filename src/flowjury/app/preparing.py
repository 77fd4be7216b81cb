"""The preparing: targets are loaded, and every fault is found before the first case runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowjury.analysis.static import suite_faults
from flowjury.app.evaluating import load_evaluators
from flowjury.app.project import Loaded
from flowjury.case import Case
from flowjury.errors import Fault, InputError, UsageError
from flowjury.job import Place, Prepared
from flowjury.names import Names
from flowjury.store.files import read_bytes
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
    ready: Prepared = suite.target.prepare(place)
    workflow = ready.workflow or loaded.workflow
    faults = suite_faults(suite, Names(workflow, suite.declares), loaded.document)
    if faults:
        raise InputError(faults)
    load_evaluators(loaded)
    return ready
