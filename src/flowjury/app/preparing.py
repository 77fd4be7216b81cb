"""The preparing: targets are loaded, and every fault is found before the first case runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from flowjury.analysis.static import suite_faults
from flowjury.app.codes import code_fault, import_folders
from flowjury.app.evaluating import load_evaluators
from flowjury.app.project import Loaded, Project
from flowjury.app.staffing import Staffing
from flowjury.case import Case
from flowjury.errors import Fault, InputError, UsageError
from flowjury.executors import Executor
from flowjury.names import Names
from flowjury.store.files import resolved
from flowjury.store.fixture_files import read_fixtures
from flowjury.workflow import Workflow


@dataclass(frozen=True)
class Ready:
    """A suite whose target is prepared, with the cases that were chosen."""

    loaded: Loaded
    executor: Executor
    cases: Sequence[Case]


def prepared(
    project: Project,
    suites: Sequence[Loaded],
    picked: Sequence[Sequence[Case]],
    staffing: Staffing,
) -> list[Ready]:
    """Prepare the suites that have chosen cases. Raises InputError with every fault of all.

    Of several, the processes are ended at once: they are prepared again when it is their turn.
    """
    ready: list[Ready] = []
    faults: list[Fault] = []
    several = sum(map(bool, picked)) > 1
    for loaded, cases in zip(suites, picked, strict=True):
        try:
            if cases:
                ready.append(Ready(loaded, prepare(project, loaded, staffing), cases))
                if several:
                    ready[-1].executor.close()
        except InputError as error:
            faults.extend(error.faults)
        faults.extend(_fixture_faults(loaded, cases))
    if faults:
        for one in ready:
            one.executor.close()
        raise InputError(faults)
    return ready


def _fixture_faults(loaded: Loaded, cases: Sequence[Case]) -> Iterator[Fault]:
    """Find what is wrong with the fixture files that are served, or will be written again."""
    for case in cases if loaded.suite.data != "live" else ():
        try:
            read_fixtures(loaded.fixtures, case.id)
        except InputError as error:
            yield from error.faults


def prepare(project: Project, loaded: Loaded, staffing: Staffing) -> Executor:
    """Load the workflow under test, and hold the suite's names against it. Raises InputError."""
    suite = loaded.suite
    if suite.data != "live" and not suite.target.replays:
        why = "cannot be kept from going live"
        if suite.data == "record":
            why = "has no boundary nodes whose answers could be recorded"
        raise UsageError(f"{loaded.path}: target {suite.target.kind} {why}; say `data: live`")
    try:
        executor = staffing.hire(project, loaded)
    except InputError as error:
        raise InputError([_placed(loaded, fault) for fault in error.faults]) from error
    try:
        _hold_against(loaded, executor.workflow or loaded.workflow)
    except BaseException:
        executor.close()
        raise
    return executor


def _hold_against(loaded: Loaded, workflow: Workflow | None) -> None:
    names = Names(workflow, loaded.suite.declares)
    if faults := suite_faults(loaded.suite, names, loaded.document):
        raise InputError(faults)
    _rehearse_evaluators(loaded)


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
    """Put a fault of code that an option of the target names at that option, or at the target."""
    if fault.file == str(loaded.folder):
        return loaded.fault(fault.pointer, fault.message)
    names = (name for name, value in loaded.suite.target if value == fault.file)
    name = next(names, None)
    return fault if name is None else code_fault(loaded, f"/target/{name}", fault)
