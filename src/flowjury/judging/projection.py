"""The projection: what a judge sees of the evidence, and why there may be nothing to see."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from flowjury import pointer
from flowjury.evidence import Evidence
from flowjury.json_values import holds_opaque, is_opaque
from flowjury.model import Json
from flowjury.pointer import Found, Opaque
from flowjury.rubric import Projection, Replacement

ABSENT: Final = {"absent": True}
"""What a judge sees in place of an optional item that is not there."""

_INVISIBLE: Final = frozenset({"Cc", "Cf"})


@dataclass(frozen=True, slots=True)
class Unaskable:
    """The rubric cannot be asked of this evidence, and why."""

    reason: str


class _Unsearchable(Exception):  # noqa: N818 - never leaves this module
    """A text holds a lone surrogate, which RE2 cannot read."""


def project(items: Sequence[Projection], evidence: Evidence) -> dict[str, Json] | Unaskable:
    """Return by pointer exactly what the judge sees."""
    seen: dict[str, Json] = {}
    for item in items:
        projected = _projected(item, evidence)
        if isinstance(projected, Unaskable):
            return projected
        seen[item.at] = projected
    if all(map(_is_blank, seen.values())):
        return Unaskable(f"nothing to judge: {', '.join(seen)} hold no text, number or truth value")
    return seen


def _projected(item: Projection, evidence: Evidence) -> Json | Unaskable:
    """Project one item. What is left out need not be recordable, so it is left out first."""
    found = evidence.resolve(item.at)
    if not isinstance(found, Found | Opaque):
        return ABSENT if item.optional else Unaskable(f"{item.at}: {found.sentence()}")
    tokens = pointer.parse(item.at)
    whole = found.value if isinstance(found, Found) else _opaque_at(evidence.document, tokens)
    value = _without(whole, [pointer.parse(at) for at in item.drop])
    if holds_opaque(value):
        return Unaskable(f"{item.at} holds what could not be recorded as JSON")
    try:
        return _replaced(value, item.replace) if item.replace else value
    except _Unsearchable:
        return Unaskable(f"{item.at} cannot be searched: a text in it holds a lone surrogate")


def _opaque_at(document: Json, tokens: Iterable[str]) -> Json:
    """Return what a pointer leads to, or the opaque value that it would lead into."""
    for token in tokens:
        if is_opaque(document):
            return document
        document = document[int(token) if isinstance(document, list) else token]
    return document


def _without(value: Json, drops: Sequence[Sequence[str]]) -> Json:
    """Leave parts out; every pointer counts in the value as it was, and may lead nowhere."""
    if not drops:
        return value
    if () in drops:
        return ABSENT
    inside: dict[str, list[Sequence[str]]] = defaultdict(list)
    for first, *rest in drops:
        inside[first].append(tuple(rest))
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if () not in inside.get(key, ())}
        return {key: _without(item, inside.get(key, ())) for key, item in kept.items()}
    if isinstance(value, list):
        named = [(inside.get(str(index), ()), item) for index, item in enumerate(value)]
        return [_without(item, within) for within, item in named if () not in within]
    return value


def _replaced(value: Json, rules: Sequence[Replacement]) -> Json:
    """Replace in every string, but in no key."""
    if isinstance(value, str):
        for rule in rules:
            value = _substituted(value, rule)
        return value
    if isinstance(value, dict):
        return {key: _replaced(item, rules) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, rules) for item in value]
    return value


def _substituted(text: str, rule: Replacement) -> str:
    try:
        return _sub(rule.regex)(lambda _: rule.with_, text)
    except UnicodeEncodeError as error:
        raise _Unsearchable from error


@lru_cache(maxsize=256)
def _sub(regex: str) -> Callable[[Callable[[object], str], str], str]:
    import re2  # noqa: PLC0415 - heavy (a C++ library); only rubrics that replace load it

    substitute: Callable[[Callable[[object], str], str], str] = re2.compile(regex).sub
    return substitute


def _is_blank(value: Json) -> bool:
    """Tell whether there is nothing in it to be read: no visible text, number or truth value."""
    if isinstance(value, str):
        return all(char.isspace() or unicodedata.category(char) in _INVISIBLE for char in value)
    if value is ABSENT or value is None:
        return True
    if isinstance(value, dict | list):
        return all(map(_is_blank, value.values() if isinstance(value, dict) else value))
    return False
