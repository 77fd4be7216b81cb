"""OTLP spans: what a file says of each, in the one form that the decoder takes, as `Span`s."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any, Final

from opentelemetry.proto_json.common.v1.common import AnyValue, KeyValue
from opentelemetry.proto_json.trace.v1.trace import Span as Message

from flowjury.json_values import OPAQUE_TEXT_LIMIT, opaque, short
from flowjury.model import Json
from flowjury.sources._otlp_documents import Located, Place
from flowjury.sources._spans import Event, Span, plain

_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_SNAKE: Final = re.compile(r"_([a-z])")
_IDS: Final = {"traceId": 16, "spanId": 8, "parentSpanId": 8}
_TIMES: Final = ("startTimeUnixNano", "endTimeUnixNano")
_CODES: Final = {"STATUS_CODE_UNSET": 0, "STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2}
_STATUSES: Final = ("unset", "ok", "error")
_PENDING: Final = "pending_span"
_WHERE: Final = 0x300
"""The flags that tell whether the parent is known to be of another process."""
_LOCAL: Final = 0x100


def spans(blocks: Iterable[Located]) -> Iterator[Span]:
    """Yield the spans that blocks hold. Raises InputError that names the place of a wrong one."""
    for block, place in blocks:
        yield _begun(_span(block, place))


def _span(block: dict[str, Json], place: Place) -> Span:
    try:
        message = Message.from_dict(_normal(block, place))
    except (TypeError, ValueError, AttributeError) as error:
        raise place.error(f"no span of OTLP: {error}") from error
    return Span(
        trace=_needed(message.trace_id, place.inside("traceId")),
        id=_needed(message.span_id, place.inside("spanId")),
        parent=_hex(message.parent_span_id),
        local_parent=(message.flags or 0) & _WHERE == _LOCAL,
        name=plain(message.name or ""),
        start_ns=message.start_time_unix_nano or 0,
        end_ns=message.end_time_unix_nano or 0,
        status=_STATUSES[message.status.code or 0] if message.status else "unset",
        message=plain(message.status.message or "") if message.status else "",
        attributes=_attributes(message.attributes),
        events=tuple(
            Event(name=event.name or "", attributes=_attributes(event.attributes))
            for event in message.events
        ),
    )


def _hex(value: bytes | None) -> str | None:
    """Return an id in hex; zeros are none."""
    return value.hex() if value and any(value) else None


def _needed(value: bytes | None, place: Place) -> str:
    if (found := _hex(value)) is None:
        raise place.error("a span needs an id here; it has none, or zeros")
    return found


def _begun(span: Span) -> Span:
    """Turn what Logfire writes when a span begins into that span, which has not ended yet."""
    if span.attributes.get("logfire.span_type") != _PENDING or span.parent is None:
        return span
    around = span.text("logfire.pending_parent_id")
    return Span(
        trace=span.trace,
        id=span.parent,
        parent=around if around and around.strip("0") else None,
        name=span.name,
        start_ns=span.start_ns,
        attributes=span.attributes,
    )


def _normal(block: dict[str, Json], place: Place) -> dict[str, Any]:
    """Write a span as the specification does: ids in hex, enums as numbers, names in camel case.

    What is not read is left out, links and numbers of enums that nobody knows yet among them.
    """
    found: dict[str, Any] = _camels(block) if any("_" in key for key in block) else block
    normal: dict[str, Any] = {
        key: _identifier(found[key], size, place.inside(key))
        for key, size in _IDS.items()
        if found.get(key)
    }
    normal |= {
        key: _nanoseconds(found[key], place.inside(key))
        for key in _TIMES
        if found.get(key) is not None
    }
    normal |= {key: found.get(key) for key in ("name", "attributes", "flags")}
    normal["events"] = [
        {key: event[key] for key in ("name", "attributes") if key in event}
        for event in found.get("events") or ()
    ]
    normal["status"] = _status(found.get("status"), place.inside("status"))
    return normal


def _status(status: Json, place: Place) -> dict[str, Any] | None:
    if status is None:
        return None
    if not isinstance(status, dict):
        raise place.error(f"{short(status)} is no object")
    code = status.get("code", 0)
    number = _CODES.get(code) if isinstance(code, str) else code
    if type(number) is not int or not 0 <= number < len(_STATUSES):
        known = ", ".join(f"{value} {name}" for name, value in _CODES.items())
        raise place.inside("code").error(f"{short(code)} is no status (known: {known})")
    return {"code": number, "message": status.get("message")}


def _identifier(value: Json, size: int, place: Place) -> str:
    """Return an id in hex; some exporters write base64, and some begin with 0x."""
    if isinstance(value, str):
        digits = value.removeprefix("0x")
        if len(digits) == 2 * size and _HEX.fullmatch(digits):
            return digits
        try:
            decoded = b64decode(value, validate=True)
        except (Base64Error, ValueError):
            decoded = b""
        if len(decoded) == size:
            return decoded.hex()
    raise place.error(f"{short(value)} is no id of {size} bytes, in hex or base64")


def _nanoseconds(value: Json, place: Place) -> int:
    if isinstance(value, int | str) and str(value).isdecimal() and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value >= 0 and value == int(value):
        return int(value)
    raise place.error(f"{short(value)} is no time; write nanoseconds since 1970, whole")


def _camel(key: str) -> str:
    return _SNAKE.sub(lambda found: found[1].upper(), key) if "_" in key else key


def _camels(value: Json) -> Any:  # noqa: ANN401 - unread JSON
    """Write the names of a part of OTLP in camel case; the keys of attributes are values there."""
    if isinstance(value, dict):
        return {_camel(key): _camels(item) for key, item in value.items()}
    return [_camels(item) for item in value] if isinstance(value, list) else value


def _attributes(pairs: Iterable[KeyValue]) -> dict[str, Json]:
    return {pair.key or "": _value(pair.value) for pair in pairs}


def _value(value: AnyValue | None) -> Json:
    """Return what an attribute holds; bytes, and a number that JSON has not, are opaque."""
    match value:
        case AnyValue(array_value=values) if values is not None:
            return [_value(item) for item in values.values]
        case AnyValue(kvlist_value=pairs) if pairs is not None:
            return _attributes(pairs.values)
        case AnyValue(double_value=float() as number):
            return number if isfinite(number) else opaque("float", repr(number))
        case AnyValue(bytes_value=bytes() as content):
            return opaque("bytes", repr(content[:OPAQUE_TEXT_LIMIT]))
        case AnyValue():
            scalars = (value.string_value, value.int_value, value.bool_value)
            return next((each for each in scalars if each is not None), None)
    return None
