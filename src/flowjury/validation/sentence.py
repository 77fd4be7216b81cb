"""Sentences about problems: the value, what would be right, and the nearest name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flowjury.documents.place import Path
from flowjury.json_values import short
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.pointer import nearest
from flowjury.validation.keys import Schema
from flowjury.validation.problem import Problem
from flowjury.validation.shape import form, untangled
from flowjury.validation.words import BOUNDS, choices, is_mismatch, wanted

_WIDTH: Final = 80
_MOST_LISTED: Final = 20
_SHORTEST_NOUN: Final = 4


def shown(value: Json) -> str:
    """Write a value for a message, cut where it is long and without the secrets in it."""
    value = masked(value)
    if not isinstance(value, str):
        return short(value, _WIDTH)
    return repr(value) if len(value) <= _WIDTH else f"{value[:_WIDTH]!r}…"


def place(problem: Problem) -> Path:
    """Return the path that a fault points to: for a wrong tag, that of the tag."""
    return (
        (*problem.path, _tag_name(problem)) if problem.type == "union_tag_invalid" else problem.path
    )


def sentence(problem: Problem, neighbours: Sequence[Problem], schema: Schema) -> str:
    """Say what is wrong and what would be right; nothing where a neighbour says it."""
    match problem.type:
        case "missing":
            return _missing(problem, neighbours, schema)
        case "extra_forbidden":
            return _unknown_key(problem, schema)
        case "union_tag_not_found":
            return _missing_tag(problem, schema)
        case "union_tag_invalid":
            return _unknown_tag(problem)
        case _ if is_mismatch(problem):
            mismatches = [other for other in neighbours if is_mismatch(other)]
            return _mismatch(problem, mismatches, schema)
        case _:
            return _refused(problem)


def _refused(problem: Problem) -> str:
    """Say why a value of the right type is refused; a validator may show the value itself."""
    value = shown(problem.value)
    if problem.type in BOUNDS:
        bounds = {name: _plain(bound) for name, bound in problem.context.items()}
        return f"{value} {BOUNDS[problem.type].format_map(bounds)}"
    message = str(problem.context.get("error", problem.message))
    shows_it = isinstance(problem.value, dict | list) or value in message
    return message if shows_it else f"{value}: {message}"


def _plain(bound: object) -> object:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def _missing(problem: Problem, neighbours: Sequence[Problem], schema: Schema) -> str:
    """Say that a key is missing, unless an unknown key beside it is a misspelling of it."""
    extras = (other for other in neighbours if other.type == "extra_forbidden")
    if any(_meant(extra, schema) == problem.key for extra in extras):
        return ""
    return f"key {problem.key!r} is missing"


def _unknown_key(problem: Problem, schema: Schema) -> str:
    known = schema.keys_at(problem.home)
    if problem.key in schema.words_at(problem.home):
        return f"{shown(problem.key)} is not a key here: write `{problem.key}` alone"
    return f"{shown(problem.key)} is not a key here{_hint(_meant(problem, schema), known)}"


def _meant(extra: Problem, schema: Schema) -> str | None:
    """Return the known key that an unknown one may be meant for, preferably an absent one."""
    known = schema.keys_at(extra.home)
    absent = [key for key in known if key not in schema.value_at(extra.home)]
    return nearest(extra.key, absent) or nearest(extra.key, known)


def _unknown_tag(problem: Problem) -> str:
    name = _tag_name(problem)
    tag, known = problem.value[name], sorted(choices(problem))
    near = nearest(tag, known) if isinstance(tag, str) else None
    return f"{shown(tag)} is not a {_kind(name, problem.path)}{_hint(near, known)}"


def _missing_tag(problem: Problem, schema: Schema) -> str:
    name = _tag_name(problem)
    tags = schema.literals_at(problem.path, name)
    right = untangled(name, tags, problem.value)
    return f"key {name!r} is missing; " + (
        f"write `{right}`" if right else f"it is {_one_of(tags)}"
    )


def _kind(name: str, path: Path) -> str:
    """Name what a tag tells apart: `kind of check` in a list of checks."""
    names = [part for part in path if isinstance(part, str)]
    noun = names[-1].removesuffix("s") if names else ""
    return f"{name} of {noun}" if len(noun) >= _SHORTEST_NOUN else f"known {name}"


def _tag_name(problem: Problem) -> str:
    return str(problem.context["discriminator"]).strip("'")


def _mismatch(problem: Problem, branches: Sequence[Problem], schema: Schema) -> str:
    """Say what a value should be, for all branches of a union in the sentence of the first."""
    if branches[0] is not problem:
        return ""
    values = list(dict.fromkeys(value for branch in branches for value in choices(branch)))
    types = dict.fromkeys(word for branch in branches if (word := wanted(branch)))
    if "a number" in types:
        types.pop("an integer", None)
    ways = [*([_one_of(values)] if values else []), *types]
    near = nearest(problem.value, values) if isinstance(problem.value, str) else None
    right = None if near else form(schema, schema.schemas_at(problem.path), problem.value)
    hint = f"; nearest is {near!r}" if near else f"; write `{right}`" if right else ""
    return f"{shown(problem.value)} is not {' or '.join(ways)}{hint}"


def _one_of(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"one of {_listed(values)}"


def _hint(near: str | None, known: Sequence[str]) -> str:
    nearest_is = f"; nearest is {near!r}" if near else ""
    return f"{nearest_is} (known: {_listed(known) or 'none'})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (", …" if len(names) > _MOST_LISTED else "")
