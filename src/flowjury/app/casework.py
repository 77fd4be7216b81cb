"""The casework: cases run one by one at a face's bidding, into one run for each of their suites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from flowjury.analysis.static import suite_faults
from flowjury.app.codes import import_folders
from flowjury.app.evaluating import Evaluator, evaluate_parts, load_evaluators
from flowjury.app.graphing import Known
from flowjury.app.imports import Imports, passing
from flowjury.app.linting import names_of
from flowjury.app.preparing import Ready, prepared
from flowjury.app.project import Loaded, Project, load_suite, refuse_equal_names
from flowjury.app.recording import Recorder
from flowjury.app.refreshing import fresh_basis
from flowjury.app.staffing import Staffing
from flowjury.app.standing import refresh
from flowjury.case import Case
from flowjury.errors import FlowJuryError, InputError, StoreError
from flowjury.finding import enforced
from flowjury.interruption import heeded
from flowjury.record import CaseRecord, RunRecord
from flowjury.report.basis import Basis
from flowjury.report.cases import weigh_case
from flowjury.report.model import CaseReport, Report
from flowjury.report.trial import parts_of
from flowjury.store.files import stem
from flowjury.store.runs import RunStore
from flowjury.verdict import Status, worst


@dataclass(frozen=True, kw_only=True)
class Command:
    """The command of which all runs are; several processes may work for one."""

    name: str
    """Names it; the run of each suite has the suite's name behind."""
    started: str
    """When, in ISO 8601 with a time zone."""


class Casework:
    """The suites that one process works on."""

    def __init__(self, project: Project, command: Command) -> None:
        """Take the project in whose store the runs are kept."""
        self._project, self._command = project, command
        self._read: dict[Path, Loaded] = {}
        self._chosen: dict[Path, Sequence[str]] = {}
        self._opened: dict[Path, _Desk | FlowJuryError] = {}

    @cached_property
    def _store(self) -> RunStore:
        return RunStore.open(self._project.root)

    def read(self, path: Path) -> Loaded:
        """Read a suite, and no code of it. Raises InputError with all that can be seen wrong."""
        loaded = load_suite(path)
        refuse_equal_names([*self._read.values(), loaded])
        seen = loaded.workflow is not None or not loaded.suite.target.knows_graph
        names = names_of(loaded, Known(loaded.workflow, whole=seen))
        if faults := suite_faults(loaded.suite, names, loaded.document):
            raise InputError(faults)
        self._read[path] = loaded
        return loaded

    def choose(self, path: Path, cases: Sequence[str]) -> None:
        """Say which cases of a suite are to be run; without this, all are."""
        self._chosen[path] = cases

    def run(self, path: Path, case: str) -> CaseReport:
        """Run the trials of a case of a suite that was read, and weigh them.

        Raises InputError where the code under test, or a fixture, is wrong, and StoreError.
        """
        if path not in self._opened:
            self._opened[path] = self._open(path)
        desk = self._opened[path]
        if isinstance(desk, FlowJuryError):
            raise desk
        return desk.run(case)

    @property
    def runs(self) -> list[tuple[Path, str]]:
        """The suites of which a case was run, each with the name of its run."""
        desks = {path: desk for path, desk in self._opened.items() if isinstance(desk, _Desk)}
        return [(path, desk.basis.run.id) for path, desk in desks.items()]

    def close(self) -> None:
        """Let go of what the targets and the store hold."""
        for desk in self._opened.values():
            if isinstance(desk, _Desk):
                desk.ready.executor.close()
        if "_store" in vars(self):
            self._store.close()

    def _open(self, path: Path) -> _Desk | FlowJuryError:
        """Prepare a suite, or say why that is in vain."""
        loaded, imports = self._read[path], Imports()
        chosen = self._chosen.get(path)
        cases = [case for case in loaded.suite.cases if chosen is None or case.id in chosen]
        try:
            store = self._store
            with imports.inside(), heeded():
                [ready] = prepared(self._project, [loaded], [cases], Staffing())
            run = self._begun(store, ready)
            return _Desk(store, ready, fresh_basis(self._project, store, loaded, run), imports)
        except FlowJuryError as error:
            return error

    def _begun(self, store: RunStore, ready: Ready) -> RunRecord:
        """Begin the run of a suite, unless another process has."""
        loaded, ids = ready.loaded, tuple(case.id for case in ready.cases)
        run = RunRecord(
            id=f"{self._command.name}-{stem(loaded.suite.name)}",
            command=self._command.name,
            suite=loaded.suite.name,
            suite_file=self._project.name_of(loaded.path),
            data=loaded.suite.data,
            started=self._command.started,
            selected=None if len(ids) == len(loaded.suite.cases) else ids,
            workflow=ready.executor.workflow or loaded.workflow,
        )
        try:
            store.begin(run)
        except StoreError:
            if all(stored.run.id != run.id for stored in store.runs()):
                raise
        return run


@dataclass(frozen=True)
class _Desk:
    """One suite that is ready, with the run into which its cases go."""

    store: RunStore
    ready: Ready
    basis: Basis
    imports: Imports

    def run(self, name: str) -> CaseReport:
        case = self._cases[name]
        with self.imports.inside(), heeded():
            records = list(self._records(case))
            self._evaluate(case, records)
        return weigh_case(self.basis, case, records).report

    def _records(self, case: Case) -> Iterator[CaseRecord]:
        only = replace(self.ready, cases=[case])
        recorder = Recorder(self.store, only, self.basis.run.id, tell=lambda _: None)
        yield from recorder.records()
        if recorder.interrupted:
            raise KeyboardInterrupt

    def _evaluate(self, case: Case, records: Sequence[CaseRecord]) -> None:
        """Have evaluators answer; no trace of a later case may depend on their modules."""
        if not self._functions:
            return
        loaded = self.ready.loaded
        with passing(import_folders(loaded)):
            for record in records:
                parts = parts_of(self.basis, case, record)
                evaluate_parts(self.store, loaded, self._functions, parts)

    @cached_property
    def _cases(self) -> Mapping[str, Case]:
        return {case.id: case for case in self.ready.loaded.suite.cases}

    @cached_property
    def _functions(self) -> Mapping[str, Evaluator]:
        with passing(import_folders(self.ready.loaded)):
            return load_evaluators(self.ready.loaded)


@dataclass(frozen=True)
class Concluded:
    """What the run of a suite came to, after its last case."""

    report: Report
    status: Status | None
    """What came of the checks of the whole suite and its gates; None where it has none."""


def conclude(project: Project, suite: Path, run: str) -> Concluded:
    """End the run of a suite: what sees all cases is weighed, and the reports are written.

    Raises InputError where the suite was changed meanwhile, and StoreError.
    """
    [refreshed] = refresh(project, [suite], run=run, evaluate=True)
    report = refreshed.report
    if all(case.status is not Status.NOT_RUN for case in report.cases if case.selected):
        with RunStore.open(project.root) as store:
            store.finish(run)
    return Concluded(report, _of_suite(report))


def _of_suite(report: Report) -> Status | None:
    statuses = [Status(verdict.value) for verdict in enforced(report.findings)]
    statuses += [_OF_GATE[gate.status] for gate in report.gates]
    if statuses:
        return worst(statuses)
    return Status.PASSED if report.findings else None


_OF_GATE = {"passed": Status.PASSED, "failed": Status.FAILED, "open": Status.UNKNOWN}
