"""Watching: rounds of runs, of which each runs only what has changed since the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from flowjury.app.carrying import holding, lacking
from flowjury.app.choice import Choice, chosen
from flowjury.app.evaluating import evaluate
from flowjury.app.looking import States, Wake, states
from flowjury.app.project import Loaded, Project, find_project, load_suites
from flowjury.app.recording import Key
from flowjury.app.refreshing import Refreshed, refresh_run
from flowjury.app.reporting import refuse_inputs
from flowjury.app.running import Orders, run
from flowjury.app.standing import standings
from flowjury.app.suite_files import suite_paths
from flowjury.case import Case
from flowjury.errors import FlowJuryError, InputError
from flowjury.record import RunRecord
from flowjury.report.model import Report
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a round is about to do."""

    why: Wake
    orders: Orders
    suites: Sequence[Loaded]
    """Those of which cases were chosen."""
    due: frozenset[str]
    """The names of those that run."""
    trials: int
    """How many trials are known to be done."""


@dataclass(frozen=True)
class Round:
    """What a round came to."""

    results: list[Refreshed]
    """Of every suite of which cases were chosen: of this round's run, or of an earlier one."""
    interrupted: bool = False


class Watch:
    """What is known between rounds: for each suite, the run that its report is made of."""

    def __init__(
        self,
        start: Path,
        given: Sequence[Path],
        *,
        wanted: Sequence[tuple[str, Path]] = (),
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Watch the suites given, or those of the project around a folder."""
        self._start, self._given, self._wanted, self._tell = start, given, wanted, tell
        self._root = start
        self._runs: dict[str, str] = {}
        self._left: set[tuple[str, Key]] = set()
        self._files: set[Path] = set()
        self._roots: set[Path] = set()
        self._told: str | list[Report] | None = None

    def plan(self, why: Wake, orders: Orders) -> Plan:
        """Find which suites have something to run. Raises InputError, and StoreError."""
        project = self._project()
        if why == "all":
            self._runs.clear()
        if why != "changed":
            self._left, self._told = set(), None
        suites = load_suites(suite_paths(project, self._given, tell=self._tell))
        self._roots |= {project.code_root(loaded.path) for loaded in suites}
        self._files |= {file for loaded in suites for file in (loaded.path, *loaded.files)}
        refuse_inputs(self._wanted, suites)
        picked = chosen([loaded.suite for loaded in suites], orders.choice)
        whole = chosen([loaded.suite for loaded in suites], replace(orders.choice, shard=None))
        pairs = [(loaded, cases) for loaded, cases in zip(suites, picked, strict=True) if cases]
        with RunStore.open(project.root) as store:
            open_ones = {
                loaded.suite.name: self._open(project, store, _with_data(loaded, orders), cases)
                for loaded, cases in pairs
            }
        moved = any(changed for _, changed in open_ones.values())
        due = {
            name: missing
            for name, (missing, changed) in open_ones.items()
            if changed or (moved and missing)
        }
        ids = {
            loaded.suite.name: frozenset(case.id for case in cases)
            for loaded, cases in zip(suites, whole, strict=True)
        }
        choice = Choice(failed=ids, shard=orders.choice.shard)
        orders = replace(orders, choice=choice, carried=dict(self._runs))
        return Plan(
            why=why,
            orders=orders,
            suites=[loaded for loaded, _ in pairs],
            due=frozenset(due),
            trials=sum(due.values()),
        )

    def carry_out(self, plan: Plan) -> Round | None:
        """Run what is due and build every report; None where files changed that change nothing.

        Raises InputError, and StoreError.
        """
        project = self._project()
        due = [loaded for loaded in plan.suites if loaded.suite.name in plan.due]
        results: dict[str, Refreshed] = {}
        for ran in run(project, due, plan.orders) if due else ():
            name = ran.refreshed.report.suite
            results[name], self._runs[name] = ran.refreshed, ran.refreshed.report.run
            if ran.interrupted:
                return Round(list(results.values()), interrupted=True)
        with RunStore.open(project.root) as store:
            for loaded in plan.suites:
                name = loaded.suite.name
                if name not in results:
                    results[name] = _refreshed(project, store, loaded, self._runs[name])
            self._remember(project, store, [one.loaded for one in results.values()])
        told = [results[loaded.suite.name].report for loaded in plan.suites]
        if plan.why == "changed" and not due and told == self._told:
            return None
        self._told = told
        return Round([results[loaded.suite.name] for loaded in plan.suites])

    def tells_anew(self, why: Wake, error: FlowJuryError) -> bool:
        """Note what ended a round; tell whether it is not what was told last."""
        if isinstance(error, InputError):
            self._files |= {Path(fault.file) for fault in error.faults if fault.file}
        before, self._told = self._told, str(error)
        return why != "changed" or before != self._told

    def look(self) -> States:
        """Return the states of all files that may matter."""
        return states(
            [self._root, *sorted(self._roots - {self._root}), Layout(self._root).answers],
            self._files,
        )

    def _project(self) -> Project:
        """Find the project again, as its configuration may have changed. Raises InputError."""
        project = find_project(self._start)
        self._root = project.root
        return project

    def _open(
        self, project: Project, store: RunStore, loaded: Loaded, cases: Sequence[Case]
    ) -> tuple[int, bool]:
        """Return how many trials of a suite are to be done, and whether its run must be another.

        That it was left undone in the round before is no reason.
        """
        name = loaded.suite.name
        if name not in self._runs:
            return len(lacking(loaded, cases, {})), True
        before = store.run(self._runs[name])
        missing = lacking(loaded, cases, holding(project, store, loaded, before, cases))
        new = {key for key in missing if (name, key) not in self._left}
        alike = before.data == loaded.suite.data and before.selected == _selected(loaded, cases)
        return len(missing), bool(new or not alike or _has_more(store, loaded, before, cases))

    def _remember(self, project: Project, store: RunStore, suites: Sequence[Loaded]) -> None:
        """Note what a round left undone, and the files that its traces depend on."""
        for loaded in suites:
            name, kept = loaded.suite.name, store.kept(self._runs[loaded.suite.name])
            done = {(one.case, one.trial): one.replayed for one in kept}
            keys = lacking(loaded, loaded.suite.cases, done)
            self._left = {each for each in self._left if each[0] != name}
            self._left |= {(name, key) for key in keys}
            root = project.code_root(loaded.path)
            self._files |= {root / path for one in kept for path in one.stimulus.sources}
            self._files |= set(_read_by(loaded))


def _selected(loaded: Loaded, cases: Sequence[Case]) -> tuple[str, ...] | None:
    return None if len(cases) == len(loaded.suite.cases) else tuple(case.id for case in cases)


def _has_more(store: RunStore, loaded: Loaded, run: RunRecord, cases: Sequence[Case]) -> bool:
    """Tell whether a run has trials that are not asked for any more."""
    asked = {case.id: loaded.suite.trials_of(case).n for case in cases}
    return any(one.trial > asked.get(one.case, one.trial) for one in store.kept(run.id))


def _with_data(loaded: Loaded, orders: Orders) -> Loaded:
    if orders.data is None:
        return loaded
    return replace(loaded, suite=loaded.suite.model_copy(update={"data": orders.data}))


def _refreshed(project: Project, store: RunStore, loaded: Loaded, name: str) -> Refreshed:
    [one] = standings(project, store, [loaded.path], run=name)
    evaluate(project, store, one.loaded, one.run)
    return refresh_run(project, store, one.loaded, one.run)


def _read_by(loaded: Loaded) -> Iterator[Path]:
    """Yield the files that a target reads, with the folders in which others may come to be."""
    target = loaded.suite.target
    for case in loaded.suite.cases:
        if name := target.trace_file(case.id, case.trace):
            yield loaded.folder / name
        for path in target.files(loaded.folder.absolute(), case.id):
            yield from (path, path.parent)
