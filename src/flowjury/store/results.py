"""Result files: judgements that someone hands in, one or many in a file, none of them trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from flowjury.documents import Document, json_text
from flowjury.documents.place import Finder, Source
from flowjury.errors import Fault, FlowJuryError, InputError
from flowjury.model import Json
from flowjury.request import Judgement
from flowjury.store.files import names_in, read_bytes
from flowjury.validation import refuse_newer, validate

_LINES: Final = (".jsonl", ".ndjson")
_FENCED: Final = "this starts with a code fence; remove the lines that start with ```"


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One object of a result file, or why it could not be read."""

    document: Document
    """The object, in the file; its value is null where there are faults."""
    pointer: str = ""
    """Where in the file it stands, in an array."""
    faults: tuple[Fault, ...] = ()
    """Why it is no JSON."""

    @property
    def place(self) -> str:
        """Name the file, and the line and item in it where they are known."""
        line = self.document.line("")
        return str(Fault(file=self.document.name, pointer=self.pointer, message="", line=line))

    def judgement(self) -> Judgement:
        """Return it as a judgement.

        Raises InputError with everything that is wrong with it.
        """
        if self.faults:
            raise InputError(self.faults)
        try:
            refuse_newer(self.document)
            return validate(self.document, Judgement)
        except InputError as error:
            faults = error.faults
            raise InputError(
                [replace(fault, pointer=self.pointer + fault.pointer) for fault in faults]
            ) from error


def dropped(folder: Path) -> tuple[Path, ...]:
    """Return the files that others dropped into a folder, by name.

    Raises StoreError.
    """
    return tuple(folder / name for name in names_in(folder) if not (folder / name).is_dir())


def read_result(path: Path) -> list[RawAnswer]:
    """Read a result file: one judgement, an array of them, or one on each line.

    Raises InputError if there is no such file, and StoreError if it cannot be read.
    """
    return raw_answers(read_bytes(path), name=str(path))


def unread(path: Path, error: FlowJuryError) -> RawAnswer:
    """Return what stands for a file that could not be read."""
    reason = str(error).removeprefix(f"{path}: ").removeprefix("cannot be read: ")
    return _refused(str(path), f"cannot be read: {reason}")


def raw_answers(content: bytes, *, name: str) -> list[RawAnswer]:
    """Take the objects of a result apart; what is wrong with one does not stop the others."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [_refused(name, f"not UTF-8: {error.reason}; save it as UTF-8")]
    if not text.strip():
        return [_refused(name, "the file is empty; write a judgement")]
    if text.lstrip().startswith("```"):
        return [_refused(name, _FENCED)]
    try:
        value = json_text.read(text, Source(name))
    except InputError as error:
        lines = _lines(text)
        if _is_lines(lines, name):
            return [_of_line(number, line, name) for number, line in lines]
        return [RawAnswer(Document(None, name), faults=error.faults)]
    return _items(value, name, json_text.finder(text))


def _items(value: Json, name: str, find: Finder) -> list[RawAnswer]:
    if not isinstance(value, list):
        return [RawAnswer(Document(value, name, find))]
    if not value:
        return [_refused(name, "the array is empty; write a judgement in it")]
    return [_of_item(number, item, name, find) for number, item in enumerate(value)]


def _of_item(number: int, item: Json, name: str, find: Finder) -> RawAnswer:
    def find_inside(tokens: Sequence[str]) -> int | None:
        return find([str(number), *tokens])

    return RawAnswer(Document(item, name, find_inside), f"/{number}")


def _of_line(number: int, line: str, name: str) -> RawAnswer:
    try:
        value = json_text.read(line, Source(name, number))
    except InputError as error:
        return RawAnswer(Document(None, name, lambda _tokens: number), faults=error.faults)
    return RawAnswer(Document(value, name, lambda _tokens: number))


def _lines(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _is_lines(lines: Sequence[tuple[int, str]], name: str) -> bool:
    """Tell JSON Lines from one text over several lines: the first line is whole by itself."""
    first = _of_line(*lines[0], name)
    return len(lines) > 1 and (name.lower().endswith(_LINES) or not first.faults)


def _refused(name: str, message: str) -> RawAnswer:
    return RawAnswer(Document(None, name), faults=(Fault(file=name, message=message),))
