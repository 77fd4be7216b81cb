"""Running: cases become traces in the store, one by one, and evaluators answer; nothing judges."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, get_args

from flowjury.app.carrying import carry
from flowjury.app.choice import Choice, chosen
from flowjury.app.codes import evaluators
from flowjury.app.evaluating import evaluate
from flowjury.app.preparing import Ready, prepare, prepared
from flowjury.app.project import Loaded, Project
from flowjury.app.recording import Before, Key, Recorder, Told, together
from flowjury.app.refreshing import Refreshed, built_of, fresh_basis, write_views
from flowjury.app.resuming import command_to_resume, finished, run_of
from flowjury.app.staffing import Staffing
from flowjury.case import Case
from flowjury.errors import UsageError
from flowjury.record import CaseRecord, RunRecord
from flowjury.report.basis import Basis
from flowjury.report.build import Built, build
from flowjury.report.cases import weigh_case
from flowjury.store.runs import RunStore
from flowjury.suite import Data
from flowjury.verdict import Status


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
    staffing: Staffing = field(default_factory=Staffing)
    """Where the cases run."""
    fail_fast: bool = False
    """Whether no case begins after one has failed or erred."""
    resume: bool = False
    """Whether to go on with the newest run of the suites."""
    force: bool = False
    """Whether to run again, when resuming, what depends on something that changed."""
    halted: bool = False
    """Whether no case begins at all, as one of an earlier suite has failed or erred."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """By suite, an earlier run: what holds of it is not done again, but copied."""
    tell: Callable[[Told], None] = lambda _: None


@dataclass(frozen=True)
class Ran:
    """What one suite's run came to."""

    refreshed: Refreshed
    recorded: tuple[Path, ...] = ()
    """Fixture files that were written."""
    kept: tuple[Path, ...] = ()
    """Fixture files that were not written again, as their case did not end as expected."""
    unrecorded: tuple[str, ...] = ()
    """Cases whose answers were not written, as they could not be observed to their end."""
    interrupted: bool = False

    @property
    def failing(self) -> bool:
        """Whether a case has failed or erred."""
        return any(case.status in _FAILING for case in self.refreshed.report.cases)


_FAILING: Final = frozenset({Status.FAILED, Status.ERROR})


def run(project: Project, suites: Sequence[Loaded], orders: Orders) -> Iterator[Ran]:
    """Run suites one after another; every fault of every suite is found before the first case.

    Raises InputError for suites that are wrong, StoreError where nothing can be stored.
    """
    if orders.force and not orders.resume:
        raise UsageError("--force says what to do with --resume; leave it out, or add --resume")
    suites = [_with_data(loaded, orders.data) for loaded in suites]
    picked = chosen([loaded.suite for loaded in suites], orders.choice)
    ready = prepared(project, suites, picked, orders.staffing)
    with ExitStack() as stack:
        for one in ready:
            stack.callback(one.executor.close)
        store = stack.enter_context(RunStore.open(project.root))
        if orders.resume:
            orders = replace(orders, run=command_to_resume(store, suites))
        yield from _each(project, store, ready, orders)


def _each(
    project: Project, store: RunStore, ready: Sequence[Ready], orders: Orders
) -> Iterator[Ran]:
    if len(ready) == 1:
        yield _one(project, store, ready[0], orders, orders.run)
        return
    for number, one in enumerate(ready, 1):
        name = f"{orders.run}-{number}"
        if orders.halted:
            yield _one(project, store, one, orders, name)
            continue
        # Each suite's modules may have made way for namesakes of the next: load them again.
        with closing(prepare(project, one.loaded, orders.staffing)) as executor:
            ran = _one(project, store, replace(one, executor=executor), orders, name)
        yield ran
        orders = replace(orders, halted=orders.fail_fast and ran.failing)


def _with_data(loaded: Loaded, data: Data | None) -> Loaded:
    if data is None:
        return loaded
    return replace(loaded, suite=loaded.suite.model_copy(update={"data": data}))


def _one(project: Project, store: RunStore, ready: Ready, orders: Orders, name: str) -> Ran:
    loaded, done = ready.loaded, dict[Key, bool]()
    run = run_of(store, loaded, orders.run) if orders.resume else None
    if run is not None:
        done = finished(project, store, loaded, run, force=orders.force)
        ready = replace(ready, cases=_asked_again(ready.cases, run))
    else:
        run = _begun(project, ready, orders, _untaken(store, name) if orders.resume else name)
        store.begin(run)
        if (old := orders.carried.get(loaded.suite.name)) is not None:
            done = carry(project, store, ready, before=old, to=run.id)
    if orders.halted:
        ready = replace(ready, cases=())
    left = _left(loaded, ready.cases, run) - {case for case, _ in done}
    before = Before(done, frozenset(left))
    recorder = Recorder(store, ready, run.id, before=before, tell=orders.tell)
    refreshed = write_views(
        project, store, loaded, _built(project, store, recorder, run, orders=orders)
    )
    return Ran(
        refreshed,
        tuple(recorder.written),
        tuple(recorder.kept),
        tuple(recorder.unrecorded),
        interrupted=recorder.interrupted,
    )


def _untaken(store: RunStore, name: str) -> str:
    """Return a name for a run; another suite of the command that is resumed may have this one."""
    taken = {stored.run.id for stored in store.runs()}
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(each for each in names if each not in taken)


def _begun(project: Project, ready: Ready, orders: Orders, name: str) -> RunRecord:
    loaded, shard = ready.loaded, orders.choice.shard
    suite = loaded.suite
    whole = [case for case in suite.cases if orders.choice.takes(suite.name, case)]
    return RunRecord(
        id=name,
        command=orders.run,
        suite=loaded.suite.name,
        suite_file=project.name_of(loaded.path),
        data=loaded.suite.data,
        started=orders.started,
        selected=_unless_all(loaded, ready.cases),
        shard=str(shard) if shard else None,
        whole=_unless_all(loaded, whole) if shard else None,
        workflow=ready.executor.workflow or loaded.workflow,
    )


def _asked_again(cases: Sequence[Case], run: RunRecord) -> list[Case]:
    """Return the cases that a run was asked to run, of those that the suite has now."""
    return [case for case in cases if run.selected is None or case.id in run.selected]


def _left(loaded: Loaded, cases: Sequence[Case], run: RunRecord) -> set[str]:
    """Return the cases that a run was asked to run, and that are not chosen now."""
    asked = _asked_again(loaded.suite.cases, run)
    return {case.id for case in asked if case.skip is None} - {case.id for case in cases}


def _until_one_fails(
    basis: Basis, recorder: Recorder, records: Iterable[CaseRecord]
) -> Iterator[CaseRecord]:
    """Yield records, and have no more trials begun after a case has failed or erred."""
    cases = {case.id: case for case in basis.suite.cases}
    seen: dict[str, list[CaseRecord]] = {}
    for record in records:
        yield record
        mine = seen.setdefault(record.case, [])
        mine.append(record)
        status = weigh_case(basis, cases[record.case], mine).report.status
        if status in _FAILING:
            recorder.stop()


def _built(
    project: Project, store: RunStore, recorder: Recorder, run: RunRecord, *, orders: Orders
) -> Built:
    """Build the report of a run that begins: where it can be, from each record as it is kept.

    Evaluators see what is kept only after the last case, as no trace may depend on their modules;
    then, and where somebody interrupts the weighing, the report is made of what was kept.
    """
    loaded, records = recorder.loaded, recorder.records()
    basis = fresh_basis(project, store, loaded, run)
    if orders.fail_fast:
        records = _until_one_fails(basis, recorder, records)
    if recorder.fresh and next(evaluators(loaded), None) is None:
        try:
            built = build(basis, together(loaded.suite, records))
        except KeyboardInterrupt:
            recorder.interrupted = True
        else:
            recorder.finish()
            if not recorder.overtaken(project.code_root(loaded.path)):
                return built
    else:
        deque(records, maxlen=0)
    if not recorder.interrupted:
        evaluate(project, store, loaded, run)
        recorder.finish()
    return built_of(project, store, loaded, store.run(run.id))


def _unless_all(loaded: Loaded, cases: Sequence[Case]) -> tuple[str, ...] | None:
    ids = tuple(case.id for case in cases)
    return None if len(ids) == len(loaded.suite.cases) else ids


def data_mode(word: str | None) -> Data | None:
    """Read a data mode. Raises UsageError."""
    if word is None:
        return None
    modes: tuple[Data, ...] = get_args(Data)
    for mode in modes:
        if mode == word:
            return mode
    raise UsageError(f"--data {word!r} is not one of {', '.join(modes)}")
