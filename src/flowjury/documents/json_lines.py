"""JSON Lines: the suite on the first line, and one case on each further line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from flowjury.documents import json_text
from flowjury.documents.place import Finder, Source
from flowjury.errors import Fault, InputError
from flowjury.model import Json

_BLANK = " \t\r"


def read(text: str, source: Source) -> Json:
    """Return the suite of the first line with the cases of the others.

    Raises InputError with the faults of all lines.
    """
    rows = list(_rows(text))
    faults: list[Fault] = []
    suite = _read_row(rows[0], Source(source.name, rows[0][0]), faults)
    cases = [
        _read_row(row, Source(source.name, row[0], ("cases", index)), faults)
        for index, row in enumerate(rows[1:])
    ]
    if not faults:
        faults.extend(_first_line_faults(suite, Source(source.name, rows[0][0])))
    if faults:
        raise InputError(faults)
    return {**suite, "cases": cases}


def finder(text: str) -> Finder:
    """Return what finds lines: that of a case, or the first for anything else."""
    numbers = cache(partial(_numbers, text))
    return lambda tokens: _line(numbers(), tokens)


def _rows(text: str) -> list[tuple[int, str]]:
    return [(n, row) for n, row in enumerate(text.split("\n"), 1) if row.strip(_BLANK)]


def _read_row(row: tuple[int, str], source: Source, faults: list[Fault]) -> Json:
    try:
        return json_text.read(row[1], source)
    except InputError as error:
        faults.extend(error.faults)
        return None


def _first_line_faults(suite: Json, source: Source) -> list[Fault]:
    if not isinstance(suite, dict):
        return [source.fault("the first line is the suite and must be an object", line=1)]
    if suite.get("cases", []) != []:
        message = "the first line has cases; in JSON Lines each further line is a case"
        return [source.fault(message, line=1, path=("cases",))]
    return []


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(number for number, _ in _rows(text))


def _line(numbers: tuple[int, ...], tokens: Sequence[str]) -> int:
    match tokens:
        case ["cases", index, *_] if index.isdecimal() and int(index) + 1 < len(numbers):
            return numbers[int(index) + 1]
        case _:
            return numbers[0]
