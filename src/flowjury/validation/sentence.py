"""Sentences about problems: the value, what would be right, and the nearest name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from flowjury.json_values import short
from flowjury.model import Json
from flowjury.pointer import nearest
from flowjury.validation.keys import Schema
from flowjury.validation.problem import Problem
from flowjury.validation.words import BOUNDS, choices, is_mismatch, wanted

_WIDTH: Final = 80
_MOST_LISTED: Final = 20
_SHORTEST_NOUN: Final = 4


def shown(value: Json) -> str:
    """Write a value for a message, cut where it is long."""
    if not isinstance(value, str):
        return short(value, _WIDTH)
    return repr(value) if len(value) <= _WIDTH else f"{value[:_WIDTH]!r}…"


def sentence(problem: Problem, found: Sequence[Problem], schema: Schema) -> str:
    """Say what is wrong and what would be right; nothing where another problem says it."""
    match problem.type:
        case "missing":
            return _missing(problem, found, schema)
        case "extra_forbidden":
            return _unknown_key(problem, schema)
        case "union_tag_invalid":
            return _unknown_tag(problem)
        case "union_tag_not_found":
            ...
