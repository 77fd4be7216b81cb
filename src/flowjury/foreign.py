"""The foreign traces: a trace file of another tool, read by the source that recognises it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from flowjury import families
from flowjury.documents import json_text
from flowjury.documents.place import Source
from flowjury.errors import Fault, InputError
from flowjury.json_values import loads, short, type_name
from flowjury.model import Json
from flowjury.trace import Trace

_PACKED: Final = {b"\x28\xb5\x2f\xfd": "zstd -d", b"\x1f\x8b": "gunzip"}
_HEAD: Final = 8
"""The Collector writes the length of a packed message before it."""
_OUR_KEYS: Final = {"status", "format"}


@dataclass(frozen=True, slots=True)
class Foreign:
    """A trace that another tool wrote."""

    trace: Trace
    source: str
    """The name of the source that read it."""


def read_foreign(
    content: bytes,
    *,
    file: str,
    source: str | None = None,
    trace_id: str | None = None,
    mask: Sequence[str] = (),
) -> Foreign:
    """Read a trace file by the source named, or by the one that recognises it.

    Each module of the family `sources` has `recognises(lines)`, and `read(lines, file=…,
    trace_id=…, mask=…)` that returns a trace without secrets; `lines` maps the number of a line to
    its value, and where one value is the whole file there is but one.

    Raises InputError.
    """
    lines = _lines(_text(content, file), file)
    name = source or _recognising(lines, file)
    module = _member(name)
    trace: Trace = module.read(lines, file=file, trace_id=trace_id, mask=mask)
    return Foreign(trace, name)


def is_foreign(content: bytes, *, file: str) -> bool:
    """Tell whether some source recognises a file."""
    try:
        return bool(_recognisers(_lines(_text(content, file), file)))
    except InputError:
        return False


def _member(name: str) -> ModuleType:
    return families.member("sources", name, "recognises", "read")


def _recognisers(lines: Mapping[int, Json]) -> list[str]:
    members = families.members("sources", "recognises", "read")
    return [name for name, module in members.items() if module.recognises(lines)]


def _recognising(lines: Mapping[int, Json], file: str) -> str:
    """Return the name of the one source that recognises a file."""
    found = _recognisers(lines)
    if len(found) == 1:
        return found[0]
    if found:
        how = "choose one (flowjury trace import --source NAME)"
        message = f"several sources recognise it: {', '.join(found)}; {how}"
    else:
        message = _unknown(next(iter(lines.values())))
    raise InputError(Fault(file=file, message=message))


def _unknown(value: Json) -> str:
    """Say what a file has that no source recognises."""
    if isinstance(value, dict) and value.keys() >= _OUR_KEYS:
        return "it is a trace of FlowJury already; use it as it is"
    known = ", ".join(families.names("sources"))
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(first, dict):
        seen = f"an object with {short(sorted(first), 80)}"
    else:
        seen = f"a value of type {type_name(first)}"
    return f"no source recognises it: it begins with {seen} (known: {known})"


def _text(content: bytes, file: str) -> str:
    for mark, how in _PACKED.items():
        if mark in content[:_HEAD]:
            raise InputError(Fault(file=file, message=f"it is compressed; unpack it first: {how}"))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not UTF-8: byte {content[error.start]:#04x} at offset {error.start}"
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(Fault(file=file, message=message, line=line)) from error
    if not text.strip():
        raise InputError(Fault(file=file, message="the file is empty"))
    return text


def _lines(text: str, file: str) -> dict[int, Json]:
    """Return the values of a JSON text, or of JSON Lines, by line. Raises InputError."""
    try:
        return {1: loads(text)}
    except ValueError:
        rows = [(n, row) for n, row in enumerate(text.split("\n"), 1) if row.strip()]
    if len(rows) < 2 or not _is_whole(rows[0][1]):  # noqa: PLR2004 - one is no list of lines
        return {1: _value(text, Source(file))}
    values: dict[int, Json] = {}
    faults: list[Fault] = []
    for number, row in rows:
        try:
            values[number] = _value(row, Source(file, number))
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    return values


def _is_whole(row: str) -> bool:
    try:
        loads(row)
    except ValueError:
        return False
    return True


def _value(text: str, source: Source) -> Json:
    """Read a value; what is wrong with it is told with its place."""
    try:
        return loads(text)
    except ValueError:
        return json_text.read(text, source)
