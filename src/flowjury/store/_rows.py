"""The rows of the run store: how records become columns, and columns records, exactly."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import asdict
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import ValidationError

from flowjury import json_values
from flowjury.check import Outcome
from flowjury.errors import StoreError
from flowjury.json_values import dumps
from flowjury.model import Json, Model
from flowjury.record import CaseFault, CaseRecord, RunRecord, Stimulus
from flowjury.trace import Trace
from flowjury.workflow import Workflow

M = TypeVar("M", bound=Model)
Row: TypeAlias = tuple[Any, ...]

_LEVEL: Final = 1
"""The fastest of zlib: a trace shrinks to a quarter; better would cost more than writing it."""


def of_run(run: RunRecord) -> Row:
    """Return a run as the columns record, workflow, finished."""
    record = run.model_dump(exclude_unset=True, exclude={"workflow", "finished"})
    return dumps(record), of_workflow(run.workflow), run.finished


def to_run(row: Row) -> RunRecord:
    """Return the run of the columns that `of_run` made."""
    record, workflow, finished = row
    graph = {} if workflow is None else {"workflow": _unpacked(Workflow, workflow)}
    return _validated(RunRecord, {**_parsed(record), **graph, "finished": bool(finished)})


def of_workflow(workflow: Workflow | None) -> bytes | None:
    """Return a static graph as its column."""
    return None if workflow is None else _packed(workflow)


def of_case(record: CaseRecord, sources: str, text: bytes | None = None) -> Row:
    """Return a record as the columns of `cases` from case_id on.

    `text` is its trace as JSON, where there is one already. Raises StoreError where the trace
    holds what JSON does not.
    """
    try:
        trace = None if record.trace is None else _packed(record.trace, text)
    except (TypeError, ValueError) as error:
        message = f"the trace of case {record.case!r} holds what is no JSON value: {error}"
        raise StoreError(message) from error
    fault = None if record.fault is None else dumps(record.fault.model_dump(exclude_unset=True))
    parts = dumps(record.stimulus.parts)
    return (
        *(record.case, record.trial, parts, sources),
        *(fault, record.replayed, record.seconds, trace, record.printed),
        dumps(record.notes) if record.notes else None,
    )


def to_case(row: Row, sources: dict[str, str]) -> CaseRecord:
    """Return the record of the columns that `of_case` made."""
    case, trial, parts, _, fault, replayed, seconds, trace, printed, notes = row
    return CaseRecord(
        case=case,
        trial=trial,
        stimulus=to_stimulus(parts, sources),
        trace=None if trace is None else _unpacked(Trace, trace),
        fault=to_fault(fault),
        replayed=bool(replayed),
        seconds=seconds,
        printed=printed,
        notes=() if notes is None else tuple(_parsed(notes)),
    )


def to_stimulus(parts: str, sources: dict[str, str]) -> Stimulus:
    """Return a stimulus from the column `parts` and a set of sources."""
    return _validated(Stimulus, {"parts": _parsed(parts), "sources": sources})


def to_fault(fault: str | None) -> CaseFault | None:
    """Return the fault of its column."""
    return None if fault is None else _validated(CaseFault, _parsed(fault))


def of_sources(sources: dict[str, str]) -> tuple[str, str]:
    """Return a set of sources as the columns digest, sources."""
    text = json.dumps(sources, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest(), text


def to_sources(text: str) -> dict[str, str]:
    """Return the set of sources of its column."""
    return dict(_parsed(text))


def of_outcome(outcome: Outcome) -> str:
    """Return what an evaluator answered as its column."""
    return dumps(asdict(outcome))


def to_outcome(text: str) -> Outcome:
    """Return what an evaluator answered from its column."""
    return Outcome(**_parsed(text))


def of_model(model: Model) -> str:
    """Return a small model as its column."""
    return dumps(model.model_dump(exclude_unset=True))


def to_model(model: type[M], text: str) -> M:
    """Return a small model from its column."""
    return _validated(model, _parsed(text))


def _packed(model: Model, text: bytes | None = None) -> bytes:
    if text is None:
        text = dumps(model.model_dump(exclude_unset=True)).encode("ascii")
    return zlib.compress(text, _LEVEL)


def _unpacked(model: type[M], packed: bytes) -> M:
    try:
        text = zlib.decompress(packed)
    except zlib.error as error:
        raise _damaged(error) from error
    return _validated(model, _parsed(text))


def _parsed(text: str | bytes) -> Json:
    """Read what was written here: it holds no NaN and no key twice, so most needs no care."""
    try:
        return json.loads(text)
    except ValueError:  # most likely an integer too long for json
        try:
            return json_values.loads(text)
        except ValueError as error:
            raise _damaged(error) from error


def _validated(model: type[M], value: Json) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise _damaged(error) from error


def _damaged(error: Exception) -> StoreError:
    reason = " ".join(str(error).split())
    return StoreError(f"a record of the run store is damaged: {reason}; run the suite again")
