"""Merging: the runs of shards, from stores of other machines, become one run in this one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from flowjury.app.evaluating import evaluate, load_evaluators
from flowjury.app.moments import run_id
from flowjury.app.project import Loaded, Project, load_suites
from flowjury.app.refreshing import Refreshed, refresh_run
from flowjury.errors import UsageError
from flowjury.record import RunRecord
from flowjury.request import Judgement
from flowjury.store.answers import Answers
from flowjury.store.files import resolved
from flowjury.store.layout import FOLDER, Layout
from flowjury.store.runs import RunStore


@dataclass(frozen=True)
class _Part:
    """The newest run of a suite in another store."""

    file: Path
    store: RunStore
    run: RunRecord


def merge(project: Project, stores: Sequence[Path]) -> list[Refreshed]:
    """Join, for each suite, the newest runs of other stores; their reports are built and written.

    A store is given by its project, by its folder, or by the database in it. Raises UsageError
    where the runs do not fit together, InputError where a suite is wrong, and StoreError.
    """
    files = list(dict.fromkeys(_database(path) for path in stores))
    with ExitStack() as stack:
        opened = [(file, stack.enter_context(RunStore.open_file(file))) for file in files]
        by_suite: dict[str, list[_Part]] = {}
        for part in _parts(opened):
            by_suite.setdefault(part.run.suite_file, []).append(part)
        loaded = load_suites(project.root / file for file in sorted(by_suite))
        for one in loaded:
            load_evaluators(one)
            _refuse_unlike(one, by_suite[project.name_of(one.path)])
        store = stack.enter_context(RunStore.open(project.root))
        command = run_id()
        runs = [
            _merged(project, store, one, by_suite[project.name_of(one.path)], f"{command}-{number}")
            for number, one in enumerate(loaded, 1)
        ]
        for one, run in zip(loaded, runs, strict=True):
            evaluate(project, store, one, run)  # those of the whole suite see all parts only here
        return [
            refresh_run(project, store, one, run) for one, run in zip(loaded, runs, strict=True)
        ]


def _database(path: Path) -> Path:
    """Return the database of a store. Raises UsageError where there is none."""
    place = resolved(path)
    inside = Layout(place).database
    for each in (place, inside, place / inside.name):
        if each.name == inside.name and each.is_file():
            return each
    raise UsageError(
        f"{path}: there is no store; name a project, its folder {FOLDER}, or its {inside.name}"
    )


def _parts(stores: Iterable[tuple[Path, RunStore]]) -> Iterator[_Part]:
    for file, store in stores:
        newest = {stored.run.suite: stored.run for stored in reversed(store.runs())}
        yield from (_Part(file, store, store.run(run.id)) for run in newest.values())


def _refuse_unlike(loaded: Loaded, parts: Sequence[_Part]) -> None:
    """Refuse runs that are not parts of one whole. Raises UsageError."""
    first = parts[0]
    for part in parts[1:]:
        unlike = [key for key in ("data", "workflow") if _differ(first.run, part.run, key)]
        if unlike:
            raise UsageError(
                f"{loaded.suite.name}: the runs in {first.file} and {part.file} differ in "
                f"{' and '.join(unlike)}; run all shards on the same files"
            )
    places: dict[tuple[str, int], Path] = {}
    for part in parts:
        for kept in part.store.kept(part.run.id):
            other = places.setdefault((kept.case, kept.trial), part.file)
            if other != part.file:
                raise UsageError(
                    f"{loaded.suite.name}: case {kept.case!r} ran both in {other} and in "
                    f"{part.file}; merge shards, of which each has its own cases"
                )


def _differ(one: RunRecord, other: RunRecord, key: str) -> bool:
    return bool(getattr(one, key) != getattr(other, key))


def _merged(
    project: Project, store: RunStore, loaded: Loaded, parts: Sequence[_Part], name: str
) -> RunRecord:
    """Copy the parts of one suite into a run of this store."""
    run = parts[0].run.model_copy(
        update={
            "id": name,
            "command": name,
            "started": min(part.run.started for part in parts),
            "selected": _selected(loaded, parts),
            "shard": None,
            "whole": None,
            "finished": False,
        }
    )
    store.begin(run)
    positions = {case.id: place for place, case in enumerate(loaded.suite.cases)}
    for part in parts:
        for record in part.store.records(part.run.id):
            store.keep(run.id, record, position=positions.get(record.case, len(positions)))
        store.outcomes.keep(dict(part.store.outcomes))
        store.tickets.keep(dict(part.store.tickets))
        answers = Layout(project.root).answers
        _copy_answers(part.file.with_name(answers.name), answers)
    if all(part.run.finished for part in parts) and not _missing(loaded, parts):
        store.finish(run.id)
    return store.run(run.id)


def _selected(loaded: Loaded, parts: Sequence[_Part]) -> tuple[str, ...] | None:
    """Return what was to be run, with what no part ran; None where that is every case."""
    asked = _ids(loaded, (_whole_of(part.run) for part in parts))
    return None if len(asked) == len(loaded.suite.cases) else asked


def _whole_of(run: RunRecord) -> tuple[str, ...] | None:
    """Return what a run and its other parts were asked to run; None where that is every case."""
    return run.whole if run.shard else run.selected


def _missing(loaded: Loaded, parts: Sequence[_Part]) -> bool:
    """Tell whether a part is missing: one that holds none of the cases has no run."""
    given = _ids(loaded, (part.run.selected for part in parts))
    return set(_ids(loaded, (_whole_of(part.run) for part in parts))) > set(given)


def _ids(loaded: Loaded, some: Iterable[tuple[str, ...] | None]) -> tuple[str, ...]:
    """Return the ids in any of several selections, in the order of the suite."""
    every = tuple(case.id for case in loaded.suite.cases)
    chosen = {case for ids in some for case in (every if ids is None else ids)}
    return tuple(case for case in every if case in chosen)


def _copy_answers(source: Path, target: Path) -> None:
    there, here = Answers(source), Answers(target)
    for request in there.requests():
        ticket = there.ticket(request)
        judgements: Sequence[Judgement] = there.all_for(request) if ticket else ()
        for judgement in judgements:
            if ticket is not None:
                here.keep(judgement, ticket)
