"""The faults: why a case could not be observed to its end, as its record and its trace say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flowjury.case import Case
from flowjury.record import CaseFault, CaseRecord, FaultKind
from flowjury.report.ending import captured
from flowjury.trace import Trace, TraceStatus

_BROKEN: Final[Mapping[TraceStatus, FaultKind]] = {"timeout": "timeout", "crashed": "crash"}
"""How a trace says that it is a stub."""


def fault_of(case: Case, record: CaseRecord) -> CaseFault | None:
    """Return why a case could not be observed to its end: a trace may itself say that it broke."""
    if record.fault is not None or record.trace is None:
        return record.fault
    turns: list[tuple[str | None, Trace]] = [(s.id, s.trace) for s in record.trace.steps or ()]
    parts = dict(case.parts)
    for step, trace in [*turns, (None, record.trace)]:
        if (kind := _BROKEN.get(trace.status)) is not None:
            message = f"the trace says {trace.status}: nothing is asserted of what broke"
            return CaseFault(kind=kind, message=message, step=step)
        if trace.exited is not None and not captured(parts.get(step, case)):
            where = "" if step is None else " of this turn"
            message = (
                f"{trace.exited} (assert `exit`, `files` or `effects`{where} if that is right)"
            )
            return CaseFault(
                kind="crash" if trace.exit_code else "target", message=message, step=step
            )
    return None
