"""The stimuli: for each case, digests of what its trace depends on, from what is on disk now."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from flowjury.app.project import Loaded
from flowjury.case import Fixture
from flowjury.errors import StoreError
from flowjury.job import Job, Turn
from flowjury.json_values import digest
from flowjury.model import Json
from flowjury.record import Stimulus
from flowjury.store.sources import digest_of


def sha256(content: bytes) -> str:
    """Return the SHA-256 of some bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


class Stimuli:
    """Digests by part, for the cases of one suite; what all cases share is digested once."""

    def __init__(self, loaded: Loaded) -> None:
        """Digest what all cases of the suite share."""
        self._loaded = loaded
        self._folder = loaded.folder.absolute()
        self._shared = _shared_parts(loaded)

    def current(self) -> bool:
        """Tell whether what all cases share is still what it was."""
        return self._shared == _shared_parts(self._loaded)

    def of(self, job: Job, sources: Mapping[str, str]) -> Stimulus:
        """Return what the trace of a job depends on, with the sources that the run imported."""
        parts = self._shared | {"input": digest([_turn(turn) for turn in job.turns])}
        if job.data == "replay" and (served := _fixtures(job)):
            parts["fixtures"] = digest(served)
        if (trace := self._trace_file(job)) is not None:
            parts["trace"] = _file_digest(trace)
        if (program := self._program(job)) is not None:
            parts["program"] = program
        return Stimulus(parts=parts, sources=dict(sources))

    def _program(self, job: Job) -> str | None:
        files = self._loaded.suite.target.files(self._folder, job.case)
        hashes = {_relative(path, self._folder): _file_digest(path) for path in files}
        return digest(hashes) if hashes else None

    def _trace_file(self, job: Job) -> Path | None:
        name = self._loaded.suite.target.trace_file(job.case, job.trace)
        return self._loaded.folder / name if name else None


def _shared_parts(loaded: Loaded) -> dict[str, str]:
    suite = loaded.suite
    parts = {"target": digest(suite.target.model_dump(mode="json"))}
    if loaded.files:
        folder = loaded.folder.resolve()
        hashes = {_relative(path, folder): _file_digest(path) for path in loaded.files}
        parts["workflow"] = digest(hashes)
    if suite.ignore or suite.mask:
        parts["settings"] = digest({"ignore": suite.ignore, "mask": suite.mask})
    return parts


def _relative(path: Path, folder: Path) -> str:
    full = path.resolve()
    return full.relative_to(folder).as_posix() if full.is_relative_to(folder) else full.name


def _turn(turn: Turn) -> Json:
    return {"resume": turn.resume.model_dump()} if turn.resume else {"input": turn.input}


def _fixtures(job: Job) -> Json:
    """Return every answer that could be served; an edit to any of them may change the trace."""
    served = {"case": _dumped(job.fixtures)}
    served |= {str(turn.id): _dumped(turn.fixtures) for turn in job.turns if turn.fixtures}
    return served if any(served.values()) else None


def _dumped(fixtures: Mapping[str, Sequence[Fixture]]) -> Json:
    return {
        node: [answer.model_dump(exclude_unset=True) for answer in answers]
        for node, answers in fixtures.items()
    }


def _file_digest(path: Path) -> str:
    """Return the SHA-256 of a file; of one that is not there, nothing."""
    try:
        return digest_of(path)
    except StoreError:  # it cannot be read, which is said where its content is needed
        return ""
