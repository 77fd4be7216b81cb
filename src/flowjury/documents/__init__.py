"""Documents: the text of a YAML, JSON, JSON Lines or TOML file as a value with known places."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import Final, Protocol, cast

from flowjury import pointer as pointers
from flowjury.documents.place import Finder, Source, nowhere
from flowjury.errors import Fault, InputError
from flowjury.model import Json
from flowjury.pointer import nearest

__all__ = ["SUFFIXES", "Document", "parse"]


@dataclass(frozen=True, slots=True)
class Document:
    """The value of a file, and where in the file its parts stand."""

    value: Json
    name: str
    """The name of the file, for messages."""
    find: Finder = field(default=nowhere, repr=False, compare=False)
    """Finds lines; it looks at the text again only when first asked."""

    def line(self, pointer: str) -> int | None:
        """Return the line of a value, or of its nearest parent; None where lines are not known."""
        return self.find(pointers.parse(pointer))


class _Format(Protocol):
    """A module that reads a format."""

    def read(self, text: str, source: Source) -> Json:
        """Return the value of a text, or raise InputError with its faults."""
        ...

    def finder(self, text: str) -> Finder:
        """Return what finds lines in a text that was read."""
        ...


_FORMATS: Final = {
    ".yaml": "yaml_text",
    ".yml": "yaml_text",
    ".json": "json_text",
    ".jsonl": "json_lines",
    ".ndjson": "json_lines",
    ".toml": "toml_text",
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
        return _loaded(_FORMATS[suffix])
    near = nearest(suffix, SUFFIXES)
    hint = f"; nearest is {near!r}" if near else ""
    message = f"{suffix!r} is not a suffix that is read{hint} (known: {', '.join(SUFFIXES)})"
    raise InputError(Fault(file=name, message=message))


@cache
def _loaded(name: str) -> _Format:
    """Load a format when it is first met: PyYAML takes longer to load than many files to read."""
    return cast("_Format", import_module(f"flowjury.documents.{name}"))


def _decoded(text: bytes, name: str) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        message = (
            f"not UTF-8: byte {text[error.start]:#04x} at offset {error.start}; save it as UTF-8"
        )
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(Fault(file=name, message=message, line=line)) from error
