"""TOML text: configuration; its dates are refused, because JSON has none."""

from __future__ import annotations

import datetime as dt
import math
import re
import tomllib

from flowjury.documents.place import Finder, Path, Source, nowhere
from flowjury.errors import Fault, InputError
from flowjury.json_values import NESTING_LIMIT
from flowjury.model import Json
from flowjury.pointer import join

_WHERE = re.compile(r" \((?:at line (\d+), column (\d+)|at end of document)\)$")


def read(text: str, source: Source) -> Json:
    """Return the table of a TOML text; raise InputError with what is wrong."""
    try:
        value = tomllib.loads(text)
    except RecursionError as error:
        raise InputError(_too_deep(source)) from error
    except ValueError as error:
        raise InputError(_syntax_fault(str(error), text, source)) from error
    faults = _faults(value, source)
    if faults:
        raise InputError(faults)
    return value


def finder(_text: str) -> Finder:
    """Return what finds no lines: the parser does not tell them."""
    return nowhere


def _syntax_fault(problem: str, text: str, source: Source) -> Fault:
    where = _WHERE.search(problem)
    last = text.count("\n") + 1
    line = int(where[1] or last) if where else None
    column = f" at column {where[2]}" if where and where[2] else ""
    said = problem[: where.start()] if where else problem
    message = f"not TOML: {said[0].lower()}{said[1:]}{column}"
    return Fault(file=source.name, message=message, line=line)


def _too_deep(source: Source) -> Fault:
    return Fault(file=source.name, message=f"nested deeper than {NESTING_LIMIT} levels")


def _faults(value: Json, source: Source) -> list[Fault]:
    """Look at every value, without recursion, for what JSON does not have."""
    faults: list[Fault] = []
    rest: list[tuple[Path, Json]] = [((), value)]
    while rest:
        path, node = rest.pop()
        items = _children(node)
        if len(path) == NESTING_LIMIT and items is not None:
            return [_too_deep(source)]
        rest.extend(((*path, key), child) for key, child in reversed(items or []))
        if message := _wrong(node):
            faults.append(Fault(file=source.name, message=message, pointer=join(map(str, path))))
    return faults


def _children(node: Json) -> list[tuple[str | int, Json]] | None:
    match node:
        case dict():
            return list(node.items())
        case list():
            return list(enumerate(node))
        case _:
            return None


def _wrong(node: Json) -> str:
    match node:
        case dt.date() | dt.time():
            return f"{node.isoformat()} is a date or time; write it as a string, in quotes"
        case float() if not math.isfinite(node):
            return f"{node} is not a JSON value; write a string"
        case _:
            return ""
