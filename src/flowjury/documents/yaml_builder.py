"""The builder of YAML values: takes events one by one, and keeps the line of every key and item."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from flowjury.documents import yaml_scalars
from flowjury.documents.place import Path, Source
from flowjury.errors import Fault, InputError
from flowjury.json_values import NESTING_LIMIT, type_name
from flowjury.model import Json
from flowjury.pointer import nearest

ALIAS_LIMIT: Final = 100_000
"""How many values the aliases of one file may stand for."""

Event: TypeAlias = Any
"""An event of PyYAML, which ships no types: anchor, tag, value, implicit, start_mark."""

UNSET: Final[Any] = object()
"""The root of a text without a document."""

_WORDS: Final = {"null": "null", "boolean": "a boolean"}
_STANDARD: Final = "tag:yaml.org,2002:"


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been reached."""

    value: dict[str, Json] | list[Json]
    start: Event
    """The event that opened it."""
    before: int
    """How many values the document had before it."""
    key: str | None = None
    """The key whose value comes next; None where a key comes next."""
    merges: bool = False
    """Whether that key is `<<`."""
    bases: list[dict[str, Json]] = field(default_factory=list)
    """The mappings that are merged into it."""
    lines: dict[str | int, int] = field(default_factory=dict)
    height: int = 1


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A value that aliases may stand for; `value` is UNSET until its end is reached."""

    value: Json = UNSET
    size: int = 1
    height: int = 0


class Builder:
    """Builds the value of one document; faults are collected, save those that end the reading."""

    def __init__(self, source: Source) -> None:
        self.root: Json = UNSET
        self.first_line = 1
        self.faults: list[Fault] = []
        self.lines: dict[int, dict[str | int, int]] = {}
        """Lines of the keys or items of each list and mapping, by its id()."""
        self._source = source
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Anchored] = {}
        self._documents = 0
        self._values = 0
        self._aliased = 0

    def document(self, event: Event) -> None:
        """Refuse a second document."""
        self._documents += 1
        if self._documents > 1:
            self._stop("a second document starts here; keep one in a file", event)

    def scalar(self, event: Event) -> None:
        """Add a scalar, or take it as the key of what comes next."""
        plain = event.implicit[0] and event.tag is None
        top = self._stack[-1] if self._stack else None
        if plain and event.value == "<<" and top is not None and self._awaits_key(top):
            top.merges = True
            self._take_key(top, "<<", event)
            return
        if plain and event.value == "" and top is None:
            return
        value = self._resolved(event) if plain else self._text(event)
        self._add(value, event)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(value)

    def alias(self, event: Event) -> None:
        """Add the value that an alias stands for."""
        anchored = self._anchors.get(event.anchor)
        if anchored is None or anchored.value is UNSET:
            self._fault(self._wrong_alias(event.anchor), event)
            self._add(None, event)
            return
        self._aliased += anchored.size
        if self._aliased > ALIAS_LIMIT:
            self._stop(f"aliases stand for more than {ALIAS_LIMIT:,} values; use fewer", event)
        if len(self._stack) + anchored.height > NESTING_LIMIT:
            self._stop(too_deep(event.start_mark.column), event)
        self._values += anchored.size - 1
        self._raise_height(anchored.height)
        self._add(anchored.value, event)

    def mapping(self, event: Event) -> None:
        """Open a mapping."""
        self._open({}, event, tag="map")

    def sequence(self, event: Event) -> None:
        """Open a list."""
        self._open([], event, tag="seq")

    def end(self, _event: Event) -> None:
        """Close the innermost list or mapping, and add it to what it stands in."""
        top = self._stack.pop()
        value, lines = top.value, top.lines
        for base in top.bases:
            value = {**base, **dict(value)}
            lines = {**self.lines[id(base)], **lines}
        self.lines[id(value)] = lines
        if top.start.anchor is not None:
            size = self._values - top.before
            self._anchors[top.start.anchor] = _Anchored(value, size, top.height)
        self._raise_height(top.height)
        self._add(value, top.start, counted=0)

    def _open(self, value: dict[str, Json] | list[Json], event: Event, *, tag: str) -> None:
        if not self._stack:
            self.first_line = _line(event)
        if len(self._stack) == NESTING_LIMIT:
            self._stop(too_deep(event.start_mark.column), event)
        if event.tag not in (None, "!", _STANDARD + tag):
            self._fault(_wrong_tag(event.tag), event)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored()
        self._stack.append(_Open(value, event, before=self._values))
        self._values += 1

    def _add(self, value: Json, event: Event, *, counted: int = 1) -> None:
        """Put a value where it stands: the root, an item, a key, a base, or the value of a key."""
        self._values += counted
        top = self._stack[-1] if self._stack else None
        if top is None:
            self.root = value
        elif isinstance(top.value, list):
            top.lines[len(top.value)] = _line(event)
            top.value.append(value)
        elif top.key is None:
            self._take_key(top, value, event)
        elif top.merges:
            self._merge(top, value, event)
        else:
            top.value[top.key] = value
            top.key = None

    def _awaits_key(self, top: _Open) -> bool:
        return top.key is None and isinstance(top.value, dict)

    def _take_key(self, top: _Open, key: Json, event: Event) -> None:
        top.key = key if isinstance(key, str) else _as_text(key, event)
        if not isinstance(key, str):
            self._fault(_wrong_key(key, top.key), event)
        first = top.lines.setdefault(top.key, _line(event))
        if top.key in top.value or (top.merges and top.bases):
            self._fault(f"key {top.key!r} occurs twice, first on line {first}; keep one", event)

    def _merge(self, top: _Open, value: Json, event: Event) -> None:
        bases = value if isinstance(value, list) else [value]
        if all(isinstance(base, dict) for base in bases):
            top.bases.extend(bases)
        else:
            self._fault("'<<' takes a mapping or a list of mappings", event)
        top.merges, top.key = False, None

    def _raise_height(self, height: int) -> None:
        if self._stack:
            self._stack[-1].height = max(self._stack[-1].height, height + 1)

    def _resolved(self, event: Event) -> Json:
        try:
            return yaml_scalars.resolve(event.value)
        except ValueError as error:
            self._fault(str(error), event)
            return event.value

    def _text(self, event: Event) -> str:
        if event.tag not in (None, "!", _STANDARD + "str"):
            self._fault(_wrong_tag(event.tag), event)
        return str(event.value)

    def _wrong_alias(self, name: str) -> str:
        if name in self._anchors:
            return f"alias '*{name}' stands inside the value of its own anchor"
        near = nearest(name, self._anchors)
        hint = f"; nearest is '&{near}'" if near else ""
        return f"alias '*{name}' has no anchor '&{name}' before it{hint}"

    def _fault(self, message: str, event: Event) -> None:
        self.faults.append(self._source.fault(message, line=_line(event), path=self._path()))

    def _stop(self, message: str, event: Event) -> NoReturn:
        """End the reading, because what follows is without bounds or another document."""
        raise InputError([*self.faults, self._source.fault(message, line=_line(event))])

    def _path(self) -> Path:
        steps = (len(top.value) if isinstance(top.value, list) else top.key for top in self._stack)
        return tuple(step for step in steps if step is not None)


def too_deep(index: int) -> str:
    """Say that a text nests too deep at an index of its line."""
    return f"nested deeper than {NESTING_LIMIT} levels, at column {index + 1}"


def _line(event: Event) -> int:
    return int(event.start_mark.line) + 1


def _as_text(key: Json, event: Event) -> str:
    return type_name(key) if isinstance(key, dict | list) else str(getattr(event, "value", key))


def _wrong_key(key: Json, text: str) -> str:
    if isinstance(key, dict | list):
        return f"a key must be a string, not an {type_name(key)}"
    read_as = _WORDS.get(type_name(key), "a number")
    return f'key {text or "(empty)"} is read as {read_as}; quote it: "{text}"'


def _wrong_tag(tag: str) -> str:
    shown = "!!" + tag.removeprefix(_STANDARD) if tag.startswith(_STANDARD) else tag
    return f"the tag {shown!r} is not read; write a plain value"
