"""The answer of a program: what it is asked as a line of JSON, and what it says on its output."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, model_validator

from flowjury.documents import Document
from flowjury.errors import InputError, TargetError
from flowjury.job import Turn
from flowjury.json_values import NESTING_LIMIT, dumps, loads, short, too_deep
from flowjury.model import Json, JsonField, Model
from flowjury.scalars import Amounts
from flowjury.trace import ErrorInfo
from flowjury.validation import validate

_ENDS: Final = ("output", "error", "wait")
"""The keys of which an answer has one: they tell it from everything else that is printed."""
_MEANT: Final = re.compile(r'\s*\{.*"(?:output|error|wait)"\s*:')
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HOW: Final = 'print {"output": …} as one line of its own, and log to standard error'


def _spelt_out(value: Any) -> Any:  # noqa: ANN401 - what a program printed
    return {"type": "Error", "message": value} if isinstance(value, str) else value


class Answer(Model):
    """What a program says of one turn."""

    output: JsonField = None
    """What it answers."""
    error: Annotated[ErrorInfo, BeforeValidator(_spelt_out)] | None = None
    """What went wrong instead: a text, or `{type, message}`."""
    wait: str | None = Field(default=None, min_length=1)
    """The name of the wait at which it is suspended instead."""
    usage: Amounts | None = None
    """What it spent, by unit."""
    trace: dict[str, JsonField] | None = None
    """What it did, in the format of a trace."""

    @model_validator(mode="after")
    def _ends_once(self) -> Self:
        answered = "output" in self.model_fields_set
        if [answered, self.error is not None, self.wait is not None].count(True) != 1:
            raise ValueError("an answer has one of `output`, `error` and `wait`")
        return self


def asked(turn: Turn, number: int) -> bytes:
    """Write what a program is given of a turn: nothing that is expected, and no names of cases."""
    step = {} if turn.id is None else {"step": number}
    given = {"input": turn.input} if turn.resume is None else {"resume": turn.resume.model_dump()}
    return dumps({**step, **given}).encode("ascii") + b"\n"


def said(stdout: bytes, hide: Callable[[str], str]) -> Answer | None:
    """Read what a program said until its end; None where it said nothing.

    Raises TargetError that says why it cannot be taken as an answer.
    """
    text = hide(_decoded(stdout))
    if not text.strip():
        return None
    try:
        value = loads(text)
    except ValueError:
        return _in_lines(text)
    if _is_answer(value):
        return _read(value)
    return _shallow(Answer(output=value))


def said_in_line(line: bytes, hide: Callable[[str], str]) -> Answer | None:
    """Read one line of a program that goes on; None where it is a line of a log.

    Raises TargetError where it is meant as an answer and is none.
    """
    return _of_line(hide(_decoded(line)))


def _in_lines(text: str) -> Answer:
    """Return the last answer among other lines."""
    lines = text.split("\n")
    for line in reversed(lines):
        if (answer := _of_line(line)) is not None:
            return answer
    count = sum(1 for line in lines if _is_json(line))
    what = f"{count} JSON values, and none is an answer" if count > 1 else "no answer"
    raise TargetError(f"it printed {what}: {short(text.strip(), 80)}; {_HOW}")


def _of_line(line: str) -> Answer | None:
    if not line.lstrip().startswith("{"):
        return None
    try:
        value = loads(line)
    except ValueError as error:
        if _MEANT.match(line):
            raise TargetError(f"its answer is no JSON: {error}: {short(line, 80)}") from error
        return None
    return _read(value) if _is_answer(value) else None


def _is_answer(value: Json) -> bool:
    return isinstance(value, dict) and not value.keys().isdisjoint(_ENDS)


def _is_json(line: str) -> bool:
    try:
        loads(line)
    except ValueError:
        return False
    return True


def _read(value: Json) -> Answer:
    try:
        return _shallow(validate(Document(value, "its answer"), Answer))
    except InputError as error:
        hint = 'an object that is itself the output goes inside one: {"output": {…}}'
        raise TargetError(f"{'; '.join(_messages(error))}; {hint}") from error


def _messages(error: InputError) -> Iterator[str]:
    yield from map(str, error.faults)


def _shallow(answer: Answer) -> Answer:
    if too_deep(answer.output):
        raise TargetError(f"its output is nested deeper than {NESTING_LIMIT} levels")
    return answer


def _decoded(content: bytes) -> str:
    if content.startswith(_WIDE):
        raise TargetError("it printed UTF-16, not UTF-8; set the encoding of its standard output")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"byte {content[error.start]:#04x} at offset {error.start}"
        raise TargetError(
            f"it printed what is not UTF-8: {where}; set the encoding of its standard output"
        ) from error
