"""The observer: does the jobs of one suite in the process that it is in."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from flowjury.errors import Fault, InputError
from flowjury.executors import Assignment, Seen
from flowjury.job import Job, Place, Prepared
from flowjury.loaded import forget_stale
from flowjury.store.files import read_bytes
from flowjury.store.sources import ImportedSources
from flowjury.workflow import Workflow


@dataclass(frozen=True)
class Observer:
    """A target that is prepared in this process."""

    prepared: Prepared
    _sources: ImportedSources = field(repr=False)
    _folder: str
    """Where each case begins, wherever the one before went."""

    @classmethod
    def of(cls, assignment: Assignment) -> Observer:
        """Prepare the target of a suite. Raises InputError with everything that is wrong."""
        folder = os.getcwd()  # noqa: PTH109 - an entry of sys.path is a text
        if folder not in sys.path:  # where `python -m` would find modules, too
            sys.path.append(folder)
        forget_stale()
        place = Place(root=assignment.root, workflow=assignment.workflow, read=read_bytes)
        prepared = _prepared(assignment, place)
        sources = ImportedSources(assignment.code_root, sys.modules)
        return cls(prepared, sources, os.getcwd())  # noqa: PTH109 - to go back to

    @property
    def workflow(self) -> Workflow | None:
        """The static graph, where the target knows it."""
        return self.prepared.workflow

    @property
    def sources(self) -> Mapping[str, str]:
        """SHA-256 of each source file of the project that was imported, by relative path."""
        return self._sources.now()

    def observe(self, job: Job) -> Seen:
        """Do a job."""
        with suppress(OSError):  # the case will say so, if it minds
            os.chdir(self._folder)
        began = time.perf_counter()
        observed = self.prepared.observe(job)
        seconds = time.perf_counter() - began
        return Seen(observed=observed, sources=self.sources, seconds=seconds)

    def close(self) -> None:
        """Let go of what the target holds: kept programs, connections."""
        if close := getattr(self.prepared, "close", None):
            close()


def _prepared(assignment: Assignment, place: Place) -> Prepared:
    """Import the code under test. Raises InputError where it fails, or goes live on replay."""
    if assignment.data != "replay" or assignment.target.runs != "code":
        unguarded: Prepared = assignment.target.prepare(place)
        return unguarded
    from flowjury.guard import guarded  # noqa: PLC0415 - heavy, and only needed for code

    live: list[str] = []
    with guarded(live.append):
        prepared: Prepared = assignment.target.prepare(place)
    if live:
        message = (
            f"its code connects to {', '.join(dict.fromkeys(live))} while it is imported, and on"
            " `data: replay` only fixtures may answer; connect inside a boundary node, or run the"
            " suite with `data: live`"
        )
        raise InputError(Fault(file=str(assignment.root), pointer="/target", message=message))
    return prepared
