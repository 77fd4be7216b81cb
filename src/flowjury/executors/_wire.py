"""The wire: what a worker process and the one that hired it say to each other."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from flowjury.errors import Fault, InputError
from flowjury.executors import Assignment, Seen
from flowjury.executors._line import LineBroken
from flowjury.job import Job
from flowjury.json_values import dumps, loads
from flowjury.record import CaseFault
from flowjury.trace import Trace
from flowjury.workflow import Workflow

_LATEST: Final = pickle.HIGHEST_PROTOCOL


@dataclass(frozen=True, slots=True)
class Ready:
    """The target is prepared."""

    workflow: Workflow | None
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Refused:
    """The target cannot be prepared."""

    faults: Sequence[Fault]

    def error(self) -> InputError:
        """Return what would have been raised in one process."""
        return InputError(list(self.faults))


Answer: TypeAlias = Ready | Refused | Seen
Order: TypeAlias = Assignment | Job


def packed(message: Answer | Order) -> bytes:
    """Write a message; a trace goes as its JSON text, which the store keeps as it is."""
    if isinstance(message, Seen):
        message = _with_text(message)
    return pickle.dumps(message, _LATEST)


def unpacked(content: bytes) -> Any:  # noqa: ANN401 - the reader knows which of them it awaits
    """Read a message of the other process, which runs the user's code as this one would."""
    message = pickle.loads(content)  # noqa: S301 - see above
    if isinstance(message, Seen) and message.observed.text is not None:
        trace = Trace.model_validate(loads(message.observed.text))
        return replace(message, observed=replace(message.observed, trace=trace))
    return message


def answered(content: bytes) -> Answer:
    """Read an answer. Raises LineBroken where it is none."""
    try:
        answer = unpacked(content)
    except Exception as error:  # what a chance of bytes may be to pickle
        raise LineBroken from error
    if not isinstance(answer, Answer):
        raise LineBroken
    return answer


def _with_text(seen: Seen) -> Seen:
    """Put the text of a trace in its place; a trace that has none is a fault of ours."""
    observed = seen.observed
    if observed.trace is None:
        return seen
    try:
        text = observed.text or dumps(observed.trace.model_dump(exclude_unset=True)).encode("ascii")
    except (TypeError, ValueError) as error:
        fault = CaseFault(kind="store", message=f"the trace holds what is no JSON value: {error}")
        return replace(seen, observed=replace(observed, trace=None, text=None, fault=fault))
    return replace(seen, observed=replace(observed, trace=None, text=text))
