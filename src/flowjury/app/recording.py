"""Recording: the trials of a suite are done by its executor, and each is kept when it is done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from flowjury.app.preparing import Ready
from flowjury.app.project import Loaded
from flowjury.app.refreshing import recorded_fixtures
from flowjury.app.stimuli import Stimuli
from flowjury.case import Case
from flowjury.errors import StoreError
from flowjury.executors import Seen
from flowjury.job import Job, Observed, job_of
from flowjury.masking import masked
from flowjury.record import CaseFault, CaseRecord
from flowjury.report.ending import ended_as_expected
from flowjury.store.fixture_files import fixture_file, write_fixtures
from flowjury.store.runs import RunStore
from flowjury.store.sources import rehash
from flowjury.suite import Suite

Key: TypeAlias = tuple[str, int]
"""A case by its id, and the number of one of its trials."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a face is told after each trial is on disk."""

    suite: str
    case: str
    trial: int
    done: int
    total: int
    fault: CaseFault | None
    notes: tuple[str, ...] = ()
    """What happened to the one that did it."""


@dataclass(frozen=True, slots=True)
class _Task:
    """One trial of one case."""

    case: Case
    job: Job


@dataclass(frozen=True, slots=True)
class Before:
    """What a run that is resumed came to before."""

    done: Mapping[Key, bool] = field(default_factory=dict)
    """The trials that it has already, and whether each was wholly replayed."""
    left: frozenset[str] = frozenset()
    """The cases that it lacks, and that are not done now either."""


class Recorder:
    """Has the trials of one suite done, and keeps each record before it tells of it."""

    def __init__(
        self,
        store: RunStore,
        ready: Ready,
        run: str,
        *,
        before: Before | None = None,
        tell: Callable[[Told], None],
    ) -> None:
        """Take a suite whose target is prepared, and what its run came to before."""
        before = before or Before()
        done = before.done
        self.loaded = ready.loaded
        self.interrupted = self._stopped = False
        self.written: list[Path] = []
        self.kept: list[Path] = []
        self.unrecorded: list[str] = []
        self._store, self._run, self._tell = store, run, tell
        self._executor = ready.executor
        self._stimuli = Stimuli(ready.loaded)
        self._sources: set[tuple[str, str]] = set()
        self._positions = {case.id: n for n, case in enumerate(ready.loaded.suite.cases)}
        cases = [case for case in ready.cases if case.skip is None]
        self._tasks = _Tasks(ready.loaded, cases, done)
        self._total = sum(ready.loaded.suite.trials_of(case).n for case in cases)
        self._number = len(done)
        self.fresh = not done
        """Whether all records of the run come, as it had none before."""
        self._left = before.left

    def records(self) -> Iterator[CaseRecord]:
        """Have the trials done, and yield each record when it has been kept."""
        try:
            yield from self._as_done()
        except KeyboardInterrupt:
            self.interrupted = True

    def stop(self) -> None:
        """Begin no more trials; the run has not come to its end then, unless there were none."""
        self._stopped = self._tasks.clear()

    def finish(self) -> None:
        """Keep that the run came to its end, if it did."""
        if not (self.interrupted or self._stopped or self._left):
            self._store.finish(self._run)

    def overtaken(self, code_root: Path) -> bool:
        """Tell whether a file that cases depend on is not any more what it was when they ran."""
        now = rehash(code_root, {path for path, _ in self._sources})
        return set(now.items()) != self._sources or not self._stimuli.current()

    def _as_done(self) -> Iterator[CaseRecord]:
        going: dict[Future[Seen], _Task] = {}
        while True:
            while len(going) < self._executor.slots and (task := self._tasks.next()):
                going[self._executor.submit(task.job)] = task
            if not going:
                return
            ended = [each for each in going if each.done()]
            for future in ended or wait(going, return_when=FIRST_COMPLETED).done:
                task, seen = going.pop(future), future.result()
                record = self._recorded(task, seen)
                self._tasks.after(task, seen.observed)
                yield record

    def _recorded(self, task: _Task, seen: Seen) -> CaseRecord:
        observed, job = seen.observed, task.job
        self._sources.update(seen.sources.items())
        record = CaseRecord(
            case=job.case,
            trial=job.trial,
            stimulus=self._stimuli.of(job, seen.sources),
            trace=observed.trace,
            fault=observed.fault,
            replayed=observed.replayed,
            seconds=seen.seconds,
            printed=masked(seen.printed, job.mask) or None,
            notes=seen.notes,
        )
        record = self._keep(record, observed.text)
        if job.trial == 1 and self.loaded.suite.data == "record":
            self._write(task.case, observed)
        self._say(record)
        return record

    def _keep(self, record: CaseRecord, text: bytes | None) -> CaseRecord:
        """Keep a record; if its trace cannot be stored, keep that this is so."""
        position = self._positions[record.case]
        try:
            self._store.keep(self._run, record, position=position, text=text)
        except StoreError as error:
            fault = CaseFault(kind="store", message=str(error))
            record = record.model_copy(update={"trace": None, "fault": fault})
            self._store.keep(self._run, record, position=position)
        return record

    def _write(self, case: Case, observed: Observed) -> None:
        """Write what was recorded; answers of before are kept where the case went wrong."""
        folder, trace = self.loaded.fixtures, observed.trace
        whole = observed.fault is None and trace is not None
        there = fixture_file(folder, case.id)
        if there and not (whole and trace and ended_as_expected(case, trace)):
            self.kept.append(there)
        elif observed.recorded and not whole:
            self.unrecorded.append(case.id)
        elif observed.recorded:
            self.written.append(write_fixtures(folder, case.id, observed.recorded))

    def _say(self, record: CaseRecord) -> None:
        self._number += 1
        self._tell(
            Told(
                suite=self.loaded.suite.name,
                case=record.case,
                trial=record.trial,
                done=self._number,
                total=self._total,
                fault=record.fault,
                notes=record.notes,
            )
        )


def together(suite: Suite, records: Iterable[CaseRecord]) -> Iterator[CaseRecord]:
    """Yield the records of each case one after the other, as soon as no more of it will come."""
    trials = {case.id: suite.trials_of(case).n for case in suite.cases}
    held: dict[str, list[CaseRecord]] = {}
    for record in records:
        mine = held.setdefault(record.case, [])
        mine.append(record)
        alone = record.trial == 1 and record.replayed
        if alone or len(mine) == trials[record.case]:
            yield from _by_trial(held.pop(record.case))
    for mine in held.values():
        yield from _by_trial(mine)


def _by_trial(records: Iterable[CaseRecord]) -> list[CaseRecord]:
    return sorted(records, key=lambda record: record.trial)


class _Tasks:
    """The trials that are still to be done: the further ones of a case come once the first is.

    A case that was replayed wholly from fixtures needs no repetition.
    """

    def __init__(self, loaded: Loaded, cases: Iterable[Case], done: Mapping[Key, bool]) -> None:
        self._loaded, self._cases, self._done = loaded, deque(cases), done
        self._further: deque[_Task] = deque()

    def next(self) -> _Task | None:
        """Return the next trial to do."""
        while self._cases and not self._further:
            case = self._cases.popleft()
            if (case.id, 1) not in self._done:
                return self._task(case, 1)
            self._add_further(case, replayed=self._done[case.id, 1])
        return self._further.popleft() if self._further else None

    def after(self, task: _Task, observed: Observed) -> None:
        """Add the further trials of a case whose first one is done."""
        if task.job.trial == 1:
            self._add_further(task.case, replayed=observed.replayed)

    def clear(self) -> bool:
        """Forget them all, and tell whether there were any."""
        any_left = bool(self._cases or self._further)
        self._cases.clear()
        self._further.clear()
        return any_left

    def _add_further(self, case: Case, *, replayed: bool) -> None:
        trials = 1 if replayed else self._loaded.suite.trials_of(case).n
        self._further.extend(
            self._task(case, trial)
            for trial in range(2, trials + 1)
            if (case.id, trial) not in self._done
        )

    def _task(self, case: Case, trial: int) -> _Task:
        fixtures = recorded_fixtures(self._loaded, case)
        return _Task(case, job_of(self._loaded.suite, case, trial=trial, recorded=fixtures))
