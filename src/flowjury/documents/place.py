"""Places in a text: the file and line of a fault, and the words around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flowjury.errors import Fault
from flowjury.pointer import join

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead from the root of a document to a value."""

Finder: TypeAlias = Callable[[Sequence[str]], int | None]
"""Finds the line of a value by the parts of its pointer, or that of its nearest parent."""

_AROUND = 20


def nowhere(_tokens: Sequence[str]) -> None:
    """Find no line, where a format does not tell any."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text comes from: a whole file, or one line of it."""

    name: str
    line: int = 1
    """The line of the file on which the text begins."""
    path: Path = ()
    """Where in the document of the file its value will stand."""

    def fault(self, message: str, *, line: int, path: Path = ()) -> Fault:
        """Make a fault at a line and a path of this text."""
        pointer = join(map(str, self.path + path))
        return Fault(file=self.name, message=message, pointer=pointer, line=self.line + line - 1)


def line_at(text: str, index: int) -> int:
    """Return the number of the line that an index is on."""
    return text.count("\n", 0, index) + 1


def near(text: str, index: int) -> str:
    """Return the column of an index and what stands around it, for a message."""
    start = text.rfind("\n", 0, index) + 1
    end = text.find("\n", index)
    last = len(text) if end < 0 else end
    shown = text[max(start, index - _AROUND) : min(last, index + _AROUND)].strip()
    return f"column {index - start + 1}" + (f", near {shown!r}" if shown else "")
