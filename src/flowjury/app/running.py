"""Running: cases become traces in the store, one by one, and evaluators answer; nothing judges."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from flowjury.analysis.static import suite_faults
from flowjury.app.choice import Choice, chosen
from flowjury.app.evaluating import evaluate
from flowjury.app.project import Loaded, Project
from flowjury.app.refreshing import Refreshed, refresh_run
from flowjury.app.stimuli import Stimuli
from flowjury.case import Case, Fixtures
from flowjury.errors import FlowJuryError, InputError, StoreError, UsageError
from flowjury.job import Job, Observed, Place, Prepared, job_of
from flowjury.names import Names
from flowjury.record import CaseFault, CaseRecord, RunRecord, Stimulus
from flowjury.store.files import read_bytes
from flowjury.store.fixture_files import read_fixtures, write_fixtures
from flowjury.store.runs import RunStore
from flowjury.store.sources import imported_sources
from flowjury.suite import Data


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a face is told after each trial is on disk."""

    suite: str
    case: str
    trial: int
    done: int
    total: int
    fault: CaseFault | None


@dataclass(frozen=True, kw_only=True)
class Orders:
    """How to run."""

    run: str
    """Names the run; several suites of one command get it with a number behind."""
    started: str
    """When, in ISO 8601 with a time zone."""
    choice: Choice = field(default_factory=Choice)
    data: Data | None = None
    """Overrides the data mode of the suites."""
    tell: Callable[[Told], None] = lambda _: None


@dataclass(frozen=True)
class Ran:
    """What one suite's run came to."""

    refreshed: Refreshed
    recorded: tuple[Path, ...] = ()
    """Fixture files that were written."""
    interrupted: bool = False


@dataclass(frozen=True)
class _Ready:
    """A suite whose target is prepared, with the cases that were chosen."""

    loaded: Loaded
    prepared: Prepared
    cases: Sequence[Case]


def run(project: Project, suites: Sequence[Loaded], orders: Orders) -> Iterator[Ran]:
    """Run suites one after another; every fault of every suite is found before the first case.

    Raises InputError for suites that are wrong, StoreError where nothing can be stored.
    """
    suites = [_with_data(loaded, orders.data) for loaded in suites]
    picked = chosen([loaded.suite for loaded in suites], orders.choice)
    ready = _prepared(suites, picked)
    with RunStore.open(project.root) as store:
        for number, one in enumerate(ready):
            name = orders.run if len(ready) == 1 else f"{orders.run}-{number + 1}"
            yield _one(project, store, one, replace(orders, run=name))


def _with_data(loaded: Loaded, data: Data | None) -> Loaded:
    if data is None:
        return loaded
    return replace(loaded, suite=loaded.suite.model_copy(update={"data": data}))


def _prepared(suites: Sequence[Loaded], picked: Sequence[Sequence[Case]]) -> list[_Ready]:
    ready: list[_Ready] = []
    faults: list[FlowJuryError] = []
    for loaded, cases in zip(suites, picked, strict=True):
        try:
            if cases:
                ready.append(_Ready(loaded, prepare(loaded), cases))
        except InputError as error:
            faults.append(error)
    if faults:
        raise InputError([fault for error in faults for fault in error.faults])  # type: ignore[attr-defined]  # only InputErrors are kept
    return ready


def prepare(loaded: Loaded) -> Prepared:
    """Load the workflow under test, and hold the suite's names against it. Raises InputError."""
    suite = loaded.suite
    if suite.data == "replay" and not suite.target.replays:
        kind = suite.target.kind  # type: ignore[attr-defined]  # every kind has the tag
        raise UsageError(f"target {kind} cannot be kept from going live; say `data: live`")
    place = Place(root=loaded.folder, workflow=suite.workflow, read=read_bytes)
    prepared = suite.target.prepare(place)  # type: ignore[attr-defined]  # every kind has it
    workflow = prepared.workflow or loaded.workflow
    faults = suite_faults(suite, Names(workflow, suite.declares), loaded.document)
    if faults:
        raise InputError(faults)
    return prepared


def _one(project: Project, store: RunStore, ready: _Ready, orders: Orders) -> Ran:
    loaded = ready.loaded
    record = RunRecord(
        id=orders.run,
        suite=loaded.suite.name,
        suite_file=project.name_of(loaded.path),
        data=loaded.suite.data,
        started=orders.started,
        selected=_selected(ready),
        workflow=ready.prepared.workflow or loaded.workflow,
    )
    store.begin(record)
    recorder = _Recorder(project, store, ready, orders)
    interrupted = not recorder.run_all()
    if not interrupted:
        evaluate(store, loaded, record)
        store.finish(orders.run)
    refreshed = refresh_run(project, store, loaded, store.run(orders.run))
    return Ran(refreshed, recorder.written, interrupted)


def _selected(ready: _Ready) -> tuple[str, ...] | None:
    ids = tuple(case.id for case in ready.cases)
    return None if len(ids) == len(ready.loaded.suite.cases) else ids


class _Recorder:
    """Runs the trials of one suite and keeps each record before the next trial starts."""

    def __init__(self, project: Project, store: RunStore, ready: _Ready, orders: Orders) -> None:
        self._store, self._ready, self._orders = store, ready, orders
        self._root = project.code_root(ready.loaded.path)
        self._stimuli = Stimuli(ready.loaded)
        self._positions = {case.id: n for n, case in enumerate(ready.loaded.suite.cases)}
        self._total = sum(ready.loaded.suite.trials_of(case).n for case in self._cases())
        self._done = 0
        self.written: tuple[Path, ...] = ()

    def run_all(self) -> bool:
        """Run every trial; return False if the user interrupted."""
        try:
            for case in self._cases():
                self._run_case(case)
        except KeyboardInterrupt:
            return False
        return True

    def _cases(self) -> list[Case]:
        return [case for case in self._ready.cases if case.skip is None]

    def _run_case(self, case: Case) -> None:
        """Run the trials of a case; one replayed wholly from fixtures needs no repetition."""
        suite = self._ready.loaded.suite
        fixtures = self._fixtures(case)
        for trial in range(1, suite.trials_of(case).n + 1):
            job = job_of(suite, case, trial=trial, recorded=fixtures)
            observed = self._run_trial(case, job)
            if observed.recorded and trial == 1:
                path = write_fixtures(
                    self._ready.loaded.folder / "fixtures", case.id, observed.recorded
                )
                self.written = (*self.written, path)
            if observed.replayed:
                break

    def _fixtures(self, case: Case) -> Fixtures:
        if self._ready.loaded.suite.data != "replay":
            return {}
        return read_fixtures(self._ready.loaded.folder / "fixtures", case.id)

    def _run_trial(self, case: Case, job: Job) -> Observed:
        began = time.perf_counter()
        observed = self._ready.prepared.observe(job)
        seconds = time.perf_counter() - began
        stimulus = self._stimuli.of(job, imported_sources(self._root, sys.modules))
        record = _record(job, observed, stimulus, seconds)
        record = self._keep(record)
        self._done += 1
        self._orders.tell(
            Told(
                suite=self._ready.loaded.suite.name,
                case=case.id,
                trial=job.trial,
                done=self._done,
                total=self._total,
                fault=record.fault,
            )
        )
        return observed

    def _keep(self, record: CaseRecord) -> CaseRecord:
        """Keep a record; if its trace cannot be stored, keep that this is so."""
        position = self._positions[record.case]
        try:
            self._store.keep(self._orders.run, record, position=position)
        except StoreError as error:
            fault = CaseFault(kind="store", message=str(error))
            record = record.model_copy(update={"trace": None, "fault": fault})
            self._store.keep(self._orders.run, record, position=position)
        return record


def _record(job: Job, observed: Observed, stimulus: Stimulus, seconds: float) -> CaseRecord:
    return CaseRecord(
        case=job.case,
        trial=job.trial,
        stimulus=stimulus,
        trace=observed.trace,
        fault=observed.fault,
        replayed=observed.replayed,
        seconds=seconds,
    )


def data_mode(word: str | None) -> Data | None:
    """Read a data mode. Raises UsageError."""
    if word is None:
        return None
    modes: tuple[Data, ...] = get_args(Data)
    for mode in modes:
        if mode == word:
            return mode
    raise UsageError(f"--data {word!r} is not one of {', '.join(modes)}")
