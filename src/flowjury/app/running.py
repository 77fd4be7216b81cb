"""Running: cases become traces in the store, one by one, and evaluators answer; nothing judges."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from flowjury.app.choice import Choice, chosen
from flowjury.app.evaluating import evaluate
from flowjury.app.preparing import Ready, prepare, prepared
from flowjury.app.project import Loaded, Project
from flowjury.app.refreshing import Refreshed, recorded_fixtures, refresh_run
from flowjury.app.stimuli import Stimuli
from flowjury.case import Case
from flowjury.errors import StoreError, UsageError
from flowjury.job import Job, Observed, job_of
from flowjury.record import CaseFault, CaseRecord, RunRecord
from flowjury.report.ending import ended_as_expected
from flowjury.store.fixture_files import fixture_file, write_fixtures
from flowjury.store.runs import RunStore
from flowjury.store.sources import ImportedSources
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
    kept: tuple[Path, ...] = ()
    """Fixture files that were not written again, as their case did not end as expected."""
    interrupted: bool = False


def run(project: Project, suites: Sequence[Loaded], orders: Orders) -> Iterator[Ran]:
    """Run suites one after another; every fault of every suite is found before the first case.

    Raises InputError for suites that are wrong, StoreError where nothing can be stored.
    """
    suites = [_with_data(loaded, orders.data) for loaded in suites]
    picked = chosen([loaded.suite for loaded in suites], orders.choice)
    ready = prepared(suites, picked)
    with RunStore.open(project.root) as store:
        if len(ready) == 1:
            yield _one(project, store, ready[0], orders)
            return
        for number, one in enumerate(ready, 1):
            # Each suite's modules may have made way for namesakes of the next: load them again.
            again = replace(one, prepared=prepare(one.loaded))
            yield _one(project, store, again, replace(orders, run=f"{orders.run}-{number}"))


def _with_data(loaded: Loaded, data: Data | None) -> Loaded:
    if data is None:
        return loaded
    return replace(loaded, suite=loaded.suite.model_copy(update={"data": data}))


def _one(project: Project, store: RunStore, ready: Ready, orders: Orders) -> Ran:
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
        evaluate(project, store, loaded, record)
        store.finish(orders.run)
    refreshed = refresh_run(project, store, loaded, store.run(orders.run))
    return Ran(refreshed, tuple(recorder.written), tuple(recorder.kept), interrupted)


def _selected(ready: Ready) -> tuple[str, ...] | None:
    ids = tuple(case.id for case in ready.cases)
    return None if len(ids) == len(ready.loaded.suite.cases) else ids


class _Recorder:
    """Runs the trials of one suite and keeps each record before the next trial starts."""

    def __init__(self, project: Project, store: RunStore, ready: Ready, orders: Orders) -> None:
        self._store, self._ready, self._orders = store, ready, orders
        self._sources = ImportedSources(project.code_root(ready.loaded.path), sys.modules)
        self._stimuli = Stimuli(ready.loaded)
        self._positions = {case.id: n for n, case in enumerate(ready.loaded.suite.cases)}
        self._total = sum(ready.loaded.suite.trials_of(case).n for case in self._cases())
        self._done = 0
        self.written: list[Path] = []
        self.kept: list[Path] = []

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
        loaded = self._ready.loaded
        fixtures = recorded_fixtures(loaded, case)
        for trial in range(1, loaded.suite.trials_of(case).n + 1):
            job = job_of(loaded.suite, case, trial=trial, recorded=fixtures)
            observed = self._run_trial(job)
            if trial == 1 and loaded.suite.data == "record":
                self._write(case, observed)
            if trial == 1 and observed.replayed:
                break

    def _write(self, case: Case, observed: Observed) -> None:
        """Write what was recorded; answers of before are kept where the case went wrong."""
        folder, trace = self._ready.loaded.fixtures, observed.trace
        whole = observed.fault is None and trace is not None
        there = fixture_file(folder, case.id)
        if there and not (whole and trace and ended_as_expected(case, trace)):
            self.kept.append(there)
        elif observed.recorded and whole:
            self.written.append(write_fixtures(folder, case.id, observed.recorded))

    def _run_trial(self, job: Job) -> Observed:
        began = time.perf_counter()
        observed = self._ready.prepared.observe(job)
        record = CaseRecord(
            case=job.case,
            trial=job.trial,
            stimulus=self._stimuli.of(job, self._sources.now()),
            trace=observed.trace,
            fault=observed.fault,
            replayed=observed.replayed,
            seconds=time.perf_counter() - began,
        )
        self._tell(self._keep(record))
        return observed

    def _tell(self, record: CaseRecord) -> None:
        self._done += 1
        self._orders.tell(
            Told(
                suite=self._ready.loaded.suite.name,
                case=record.case,
                trial=record.trial,
                done=self._done,
                total=self._total,
                fault=record.fault,
            )
        )

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


def data_mode(word: str | None) -> Data | None:
    """Read a data mode. Raises UsageError."""
    if word is None:
        return None
    modes: tuple[Data, ...] = get_args(Data)
    for mode in modes:
        if mode == word:
            return mode
    raise UsageError(f"--data {word!r} is not one of {', '.join(modes)}")
