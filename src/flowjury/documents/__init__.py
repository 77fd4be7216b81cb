"""Documents: the text of a YAML, JSON, JSON Lines or TOML file as a value with known places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final, NamedTuple

from flowjury import pointer as pointers
from flowjury.documents import json_lines, json_text, toml_text, yaml_text
from flowjury.documents.place import Finder, Source
from flowjury.errors import Fault, InputError
from flowjury.model import Json
from flowjury.pointer import nearest

__all__ = ["SUFFIXES", "Document", "parse"]


def _nowhere(_tokens: Sequence[str]) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Document:
    """The value of a file, and where in the file its parts stand."""

    value: Json
    name: str
    """The name of the file, for messages."""
    find: Finder = field(default=_nowhere, repr=False, compare=False)
    """Finds lines; it looks at the text again only when first asked."""

    def line(self, pointer: str) -> int | None:
        """Return the line of a value, or of its nearest parent; None where lines are not known."""
        return self.find(pointers.parse(pointer))


class _Format(NamedTuple):
    read: Callable[[str, Source], Json]
    finder: Callable[[str], Finder]


_YAML: Final = _Format(yaml_text.read, yaml_text.finder)
_JSON_LINES: Final = _Format(json_lines.read, json_lines.finder)
_FORMATS: Final = {
    ".yaml": _YAML,
    ".yml": _YAML,
    ".json": _Format(json_text.read, json_text.finder),
    ".jsonl": _JSON_LINES,
    ".ndjson": _JSON_LINES,
    ".toml": _Format(toml_text.read, lambda _text: _nowhere),
}
SUFFIXES: Final = tuple(_FORMATS)
"""The endings of file names that are read."""


def parse(text: str | bytes, *, name: str) -> Document:
    """Read the text of a file, whose format its name tells.

    Raises InputError with all faults of the file.
    """
    chosen = _format(name)
    decoded = (text if isinstance(text, str) else _decoded(text, name)).removeprefix("\ufeff")
    if not decoded.strip():
        raise InputError(Fault(file=name, message="the file is empty"))
    return Document(chosen.read(decoded, Source(name)), name, chosen.finder(decoded))


def _format(name: str) -> _Format:
    suffix = PurePath(name).suffix.lower()
    if suffix in _FORMATS:
        return _FORMATS[suffix]
    near = nearest(suffix, SUFFIXES)
    hint = f"; nearest is {near!r}" if near else ""
    message = f"{suffix!r} is not a suffix that is read{hint} (known: {', '.join(SUFFIXES)})"
    raise InputError(Fault(file=name, message=message))


def _decoded(text: bytes, name: str) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        message = (
            f"not UTF-8: byte {text[error.start]:#04x} at offset {error.start}; save it as UTF-8"
        )
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(Fault(file=name, message=message, line=line)) from error
