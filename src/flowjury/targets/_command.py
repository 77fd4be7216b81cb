"""The programs of a suite: started for each case, or kept and asked case by case."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from flowjury.errors import TargetError
from flowjury.job import Job, Observed
from flowjury.record import CaseFault
from flowjury.targets._command_hosts import Host, Kept, Once
from flowjury.targets._command_play import played
from flowjury.targets._command_process import Launch, Process
from flowjury.targets._command_trace import Story
from flowjury.targets._command_workspace import Workspace
from flowjury.workflow import Workflow


@dataclass(slots=True)
class Programs:
    """The programs of one suite. Several threads may have cases observed at once."""

    launch: Launch
    keep: bool = False
    workspace: Callable[[str], Path | None] | None = None
    """Where cases have one: the folder, if any, that is copied into that of a case."""
    workflow: Workflow | None = None
    _lock: Lock = field(default_factory=Lock)
    _running: list[Process] = field(default_factory=list)
    _idle: list[Kept] = field(default_factory=list)
    _closed: bool = False

    def observe(self, job: Job) -> Observed:
        """Run the turns of a case one after the other, until one is at fault."""
        deadline = time.monotonic() + job.timeout
        story = Story(job.mask)
        try:
            with self._hosted(job) as host:
                fault = played(job, host, story, deadline)
        except TargetError as error:
            fault = CaseFault(kind="target", message=str(error))
        return story.observed(fault)

    def close(self) -> None:
        """Kill what runs, and let what is kept end by itself."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            kept = [each.process for each in idle]
            for process in self._running:
                if process not in kept:
                    process.interrupt()
        for process in kept:
            process.end_input()
        for process in kept:
            process.leave()

    def started(self, launch: Launch) -> Process:
        """Start a program. Raises TargetError."""
        process = Process(launch)
        with self._lock:
            if not self._closed:
                self._running.append(process)
                return process
        process.close()
        raise TargetError("the run was ended before the program was started")

    def ended(self, process: Process) -> None:
        """End a program."""
        process.close()
        with self._lock:
            if process in self._running:
                self._running.remove(process)

    @contextmanager
    def _hosted(self, job: Job) -> Iterator[Host]:
        """Have a place for the turns of a case. Raises TargetError."""
        if self.keep:
            kept = self._taken()
            try:
                yield kept
            finally:
                self._given_back(kept)
        elif self.workspace is None:
            yield Once(self, self.launch)
        else:
            workspace = Workspace.made(self.workspace(job.case))
            try:
                yield Once(self, replace(self.launch, folder=workspace.folder), workspace)
            finally:
                workspace.remove()

    def _taken(self) -> Kept:
        """Return a kept program that is free, or a new one; one that has ended is passed over."""
        while True:
            with self._lock:
                kept = self._idle.pop() if self._idle else None
            if kept is None:
                return Kept(self.started(self.launch))
            if kept.process.alive:
                return kept
            self.ended(kept.process)

    def _given_back(self, kept: Kept) -> None:
        with self._lock:
            fit = kept.fit and not self._closed
            if fit:
                self._idle.append(kept)
        if not fit:
            self.ended(kept.process)
