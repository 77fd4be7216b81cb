"""The answer of a service: which parts of its JSON say what, as the suite points them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from flowjury.documents import Document
from flowjury.errors import InputError, TargetError
from flowjury.job import Turn
from flowjury.json_values import NESTING_LIMIT, dumps, is_opaque, too_deep, type_name
from flowjury.model import Json
from flowjury.pointer import Found, Missing, parse, resolve
from flowjury.targets._command_answer import Answer
from flowjury.targets._http_options import HttpOptions, TraceSource
from flowjury.validation import validate

_RESUME: Final = "resume"
_LONGEST: Final = 512
"""Characters, or bits, of the id of a trace."""
_DOTS: Final = (".", "..")


def body_of(turn: Turn, target: HttpOptions, session: str) -> bytes:
    """Write what a service is sent of a turn. Raises TargetError where it cannot be written."""
    body = turn.input
    if turn.resume is not None:
        body = {_RESUME: turn.resume.model_dump()}
    elif target.under is not None:
        body = {target.under: body}
    key = target.session.key if target.session else None
    if key is not None:
        if not isinstance(body, dict):
            raise TargetError(
                f"the input is no object, so that {key!r} cannot stand beside it in the body;"
                " write `under: input` in the target, or have the id sent as a header"
            )
        if key in body:
            raise TargetError(f"the input has the key {key!r}, which is that of the session")
        body = {**body, key: session}
    return dumps(body).encode("ascii")


def answer_of(value: Json, target: HttpOptions) -> Answer:
    """Read the JSON of a service, without a trace that is fetched. Raises TargetError."""
    found = dict(_optional(value, target))
    if not found.keys() & {"error", "wait"}:
        found["output"] = _at(value, target.output, "output")
    if target.trace is not None:
        found["trace"] = trace_of(value, target.trace)
    if too_deep(found.get("output")):
        raise TargetError(f"its output is nested deeper than {NESTING_LIMIT} levels")
    try:
        return validate(Document(found, "its answer"), Answer)
    except InputError as error:
        raise TargetError("; ".join(map(str, error.faults))) from error


def trace_of(value: Json, pointer: str) -> Json:
    """Return the trace in what a service answered. Raises TargetError."""
    trace = _at(value, pointer, "trace")
    if not isinstance(trace, dict):
        raise TargetError(f"its trace is of type {type_name(trace)}, not an object")
    return trace


def trace_url(value: Json, source: TraceSource, url: str) -> str:
    """Return where the trace of an answer is. Raises TargetError."""
    name = _name(_at(value, source.id, "id of its trace"))
    if not name or len(name) > _LONGEST or name in _DOTS:
        raise TargetError("the id of its trace is neither a text that names something nor a number")
    try:
        return url.replace("{id}", quote(name, safe=""))
    except UnicodeEncodeError as error:
        raise TargetError("the id of its trace holds a lone surrogate") from error


def _name(value: Json) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < _LONGEST:
        return str(value)
    return value if isinstance(value, str) else None


def _optional(value: Json, target: HttpOptions) -> Iterator[tuple[str, Json]]:
    """Yield what an answer need not have; null is as good as nothing."""
    pointers = {"error": target.error, "wait": target.wait, "usage": target.usage}
    for key, pointer in pointers.items():
        found = None if pointer is None else resolve(value, pointer)
        if isinstance(found, Found) and found.value is not None:
            yield key, found.value


def _at(value: Json, pointer: str, what: str) -> Json:
    """Follow a pointer; what it finds may hold what could not be recorded."""
    found = resolve(value, pointer)
    if isinstance(found, Missing):
        raise TargetError(f"its answer has no {what}: {found.sentence()}")
    for token in parse(pointer):
        if is_opaque(value):
            break
        value = value[int(token) if isinstance(value, list) else token]
    return value
