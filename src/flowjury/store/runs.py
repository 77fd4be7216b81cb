"""The run store: every run with its records, and what was asked and evaluated, in one database."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from flowjury.check import Outcome
from flowjury.errors import StoreError, UsageError
from flowjury.pointer import nearest
from flowjury.record import CaseFault, CaseRecord, RunRecord, Stimulus
from flowjury.request import Ticket
from flowjury.store import _rows as rows
from flowjury.store import _statements as sql
from flowjury.store._database import Database
from flowjury.store.layout import Layout
from flowjury.store.shelf import Shelf
from flowjury.workflow import Workflow

_MOST_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """One line of a list of runs."""

    run: RunRecord
    """The run, without its static graph."""
    records: int
    """How many trials of cases are stored."""
    faults: int
    """How many of them could not be observed to their end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is stored of one trial of one case, without its trace."""

    case: str
    trial: int
    stimulus: Stimulus
    fault: CaseFault | None
    replayed: bool = False


class RunStore:
    """Runs on disk. Each call is one transaction; several processes may use one store at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self.outcomes: Shelf[Outcome] = Shelf(
            database, "outcomes", write=rows.of_outcome, read=rows.to_outcome
        )
        """What evaluators answered, by digest."""
        self.tickets: Shelf[Ticket] = Shelf(
            database, "tickets", write=rows.of_model, read=partial(rows.to_model, Ticket)
        )
        """Every request that was ever asked, by digest."""
        self.readonly = database.readonly
        """Whether it can only be read."""
        self._database = database
        self._sources: dict[str, dict[str, str]] = {}
        self._kept: tuple[dict[str, str], str] | None = None

    @classmethod
    def open(cls, root: Path) -> Self:
        """Open the store of a project; make it if it is not there.

        Raises StoreError.
        """
        layout = Layout(root)
        layout.make()
        return cls(Database.open(layout.database))

    @classmethod
    def open_readonly(cls, root: Path) -> Self:
        """Open the store of a project to read; nothing is made.

        Raises UsageError if there is none, and StoreError.
        """
        return cls.open_file(Layout(root).database)

    @classmethod
    def open_file(cls, path: Path) -> Self:
        """Open a database to read, wherever it lies. Raises UsageError, and StoreError."""
        return cls(Database.open_readonly(path))

    @classmethod
    def open_as_allowed(cls, root: Path) -> Self:
        """Open the store of a project to read and write, or to read where that is all it allows.

        Raises StoreError.
        """
        layout = Layout(root)
        writable = os.access(layout.folder, os.W_OK) and os.access(layout.database, os.W_OK)
        there = layout.database.exists()
        return cls.open_readonly(root) if there and not writable else cls.open(root)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def begin(self, run: RunRecord) -> None:
        """Store a run that begins.

        Raises StoreError, also where its id is taken.
        """
        added = self._database.execute(
            "INSERT INTO runs (id, suite, record, workflow, finished) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO NOTHING",
            (run.id, run.suite, *rows.of_run(run)),
        )
        if not added:
            raise StoreError(f"a run named {run.id!r} is stored already; give each run its own id")

    def set_workflow(self, run: str, workflow: Workflow | None) -> None:
        """Store the static graph on which a run was made."""
        self._change("UPDATE runs SET workflow = ? WHERE id = ?", rows.of_workflow(workflow), run)

    def finish(self, run: str) -> None:
        """Store that a run came to its end. Raises StoreError, also where the store is gone."""
        self._database.require_place()
        self._change("UPDATE runs SET finished = ? WHERE id = ?", 1, run)

    def keep(
        self, run: str, record: CaseRecord, *, position: int = 0, text: bytes | None = None
    ) -> None:
        """Store one trial of a case, at the position of the case in its suite, at once.

        `text` is its trace as JSON, where there is one already. A trial that was stored before is
        replaced. Raises StoreError.
        """
        row = rows.of_case(record, self._keep_sources(record.stimulus.sources), text)
        self._database.execute(sql.KEEP, (run, position, *row))

    def copy(self, source: str, run: str, key: tuple[str, int], *, position: int) -> None:
        """Store a trial of a case of one run in another one, too, as it is."""
        self._database.execute(sql.COPY, (run, position, source, *key))

    def runs(self) -> list[StoredRun]:
        """Return all runs without their static graphs, the one that began last first."""
        return [
            StoredRun(run=rows.to_run((record, None, finished)), records=records, faults=faults)
            for record, finished, records, faults in self._database.rows(sql.LISTED)
        ]

    def latest(self, suite: str) -> RunRecord | None:
        """Return the run of a suite that began last."""
        found = self._database.rows(
            f"{sql.RUN} WHERE suite = ? ORDER BY number DESC LIMIT 1", (suite,)
        )
        return rows.to_run(found[0]) if found else None

    def run(self, name: str) -> RunRecord:
        """Return a run by its id, or by the beginning of it if no other begins so.

        Raises UsageError.
        """
        found = self._database.rows("SELECT id FROM runs ORDER BY number DESC")
        ids = [each for (each,) in found]
        matching = [name] if name in ids else [each for each in ids if each.startswith(name)]
        if len(matching) != 1:
            raise UsageError(_not_one_run(name, matching, ids))
        [row] = self._database.rows(f"{sql.RUN} WHERE id = ?", matching)
        return rows.to_run(row)

    def records(self, run: str) -> Iterator[CaseRecord]:
        """Yield the records of a run in the order of its suite; one at a time is in memory."""
        numbers = self._database.rows(
            "SELECT number FROM cases WHERE run = ? ORDER BY position, case_id, trial", (run,)
        )
        for number in numbers:
            yield from self._cases("number = ?", number)

    def trials(self, run: str, case: str) -> tuple[CaseRecord, ...]:
        """Return the records of one case, by trial."""
        return tuple(self._cases("run = ? AND case_id = ? ORDER BY trial", (run, case)))

    def record(self, run: str, case: str, trial: int) -> CaseRecord | None:
        """Return the record of one trial, if it is stored."""
        return next(self._cases("run = ? AND case_id = ? AND trial = ?", (run, case, trial)), None)

    def kept(self, run: str, case: str | None = None) -> list[Kept]:
        """Return what is stored of a run, or of one case in it, without the traces."""
        found = self._database.rows(
            "SELECT case_id, trial, parts, sources, fault, replayed FROM cases"
            " WHERE run = ? AND (? IS NULL OR case_id = ?) ORDER BY position, case_id, trial",
            (run, case, case),
        )
        return [
            Kept(
                case=case,
                trial=trial,
                stimulus=rows.to_stimulus(parts, self._source_set(sources)),
                fault=rows.to_fault(fault),
                replayed=bool(replayed),
            )
            for case, trial, parts, sources, fault, replayed in found
        ]

    def _cases(self, where: str, parameters: Sequence[object]) -> Iterator[CaseRecord]:
        for row in self._database.rows(f"{sql.CASE} WHERE {where}", parameters):
            yield rows.to_case(row, self._source_set(row[3]))

    def _source_set(self, digest: str) -> dict[str, str]:
        if digest not in self._sources:
            found = self._database.rows(
                "SELECT sources FROM source_sets WHERE digest = ?", (digest,)
            )
            self._sources[digest] = rows.to_sources(found[0][0])
        return self._sources[digest]

    def _keep_sources(self, sources: dict[str, str]) -> str:
        """Store a set of sources, which mostly is that of the record before; return its digest."""
        if self._kept is None or sources != self._kept[0]:
            columns = rows.of_sources(sources)
            self._database.execute("INSERT OR IGNORE INTO source_sets VALUES (?, ?)", columns)
            self._kept = (sources, columns[0])
        return self._kept[1]

    def _change(self, statement: str, value: object, run: str) -> None:
        if not self._database.execute(statement, (value, run)):
            raise StoreError(f"no run named {run!r} is stored; begin the run first")


def _not_one_run(name: str, matching: Sequence[str], ids: Sequence[str]) -> str:
    if matching:
        shown = ", ".join(matching[:_MOST_SHOWN]) + (", …" if len(matching) > _MOST_SHOWN else "")
        return f"{name!r} is the beginning of several runs: {shown}; write more of it"
    near = nearest(name, ids)
    hint = f"; nearest is {near!r}" if near else ""
    shown = ", ".join(ids[:_MOST_SHOWN]) + (", …" if len(ids) > _MOST_SHOWN else "")
    return f"no run is named {name!r}{hint} (stored, newest first: {shown or 'none'})"
