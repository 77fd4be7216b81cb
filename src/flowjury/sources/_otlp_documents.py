"""OTLP documents: the blocks of spans in a file, whichever of the known envelopes is around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from flowjury import pointer
from flowjury.errors import Fault, InputError
from flowjury.json_values import short, type_name
from flowjury.model import Json

_Path: TypeAlias = tuple[str | int, ...]

_RESOURCES: Final = ("resourceSpans", "resource_spans", "batches")
_SCOPES: Final = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_OTHER_SIGNALS: Final = frozenset({"resourceMetrics", "resourceLogs", "resourceProfiles"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file."""

    file: str
    line: int | None
    """The line of JSON Lines; None where one value is all that there is."""
    path: _Path = ()

    def inside(self, *tokens: str | int) -> Place:
        """Return the place of something inside."""
        return Place(self.file, self.line, self.path + tokens)

    def error(self, message: str) -> InputError:
        """Make an error that says what is wrong here."""
        at = pointer.join(map(str, self.path))
        return InputError(Fault(file=self.file, line=self.line, pointer=at, message=message))


Located: TypeAlias = tuple[dict[str, Json], Place]


def holds_spans(value: Json) -> bool:
    """Tell whether a value is a document with spans, or a list that begins with one."""
    first = value[0] if isinstance(value, list) and value else value
    inner = first.get("trace", first) if isinstance(first, dict) else None
    return isinstance(inner, dict) and any(key in inner for key in (*_RESOURCES, *_SCOPES))


def blocks(lines: Mapping[int, Json], *, file: str) -> Iterator[Located]:
    """Yield each span of a file as it was written, and where. Raises InputError."""
    for number, value in lines.items():
        place = Place(file, number if len(lines) > 1 else None)
        for item, at in _items(value, place):
            yield from _of_document(_object(item, at), at)


def _items(value: Json, place: Place) -> Iterator[tuple[Json, Place]]:
    """Yield the documents of a value, which is one, or a list of them."""
    if isinstance(value, list):
        yield from ((item, place.inside(index)) for index, item in enumerate(value))
    else:
        yield value, place


def _of_document(document: dict[str, Json], place: Place) -> Iterator[Located]:
    if isinstance(inner := document.get("trace"), dict):
        document, place = inner, place.inside("trace")
    if any(key in document for key in _SCOPES):
        yield from _of_resource(document, place)
    elif not any(key in document for key in _RESOURCES):
        if not _OTHER_SIGNALS.intersection(document):
            raise place.error(f"no OTLP: {short(sorted(document))} has no {_RESOURCES[0]!r}")
    else:
        for resource, at in _listed(document, _RESOURCES, place):
            yield from _of_resource(resource, at)


def _of_resource(resource: dict[str, Json], place: Place) -> Iterator[Located]:
    for scope, at in _listed(resource, _SCOPES, place):
        yield from _listed(scope, ("spans",), at)


def _listed(holder: Mapping[str, Json], keys: Sequence[str], place: Place) -> Iterator[Located]:
    """Yield the objects of the lists under any of some keys; null is an empty list."""
    for key in keys:
        found = holder.get(key)
        if found is None:
            continue
        if not isinstance(found, list):
            raise place.inside(key).error(f"is {type_name(found)}, and must be a list")
        for index, item in enumerate(found):
            at = place.inside(key, index)
            yield _object(item, at), at


def _object(value: Json, place: Place) -> dict[str, Json]:
    if isinstance(value, dict):
        return value
    raise place.error(f"is {short(value, 40)}, and must be an object")
