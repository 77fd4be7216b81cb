"""The rules of schemas in terms of ours: searches under RE2, exact numbers, and bounded work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias

from flowjury.json_values import digest
from flowjury.model import Json
from flowjury.operators import holds

Rule: TypeAlias = Callable[[Any, Json, Json, dict[str, Json]], Iterator[Any] | None]
"""What a keyword asserts: of the validator, its value, the instance and the schema around it."""

STEPS: Final = 500_000
"""How many keywords are applied before a validation is given up; it takes some seconds."""
_LIBRARY_FORMATS: Final = ("date", "email", "idn-email", "ipv4", "ipv6", "regex", "uuid")
_MOMENT: Final = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})$"
)


class UnsearchableError(Exception):
    """A text holds a lone surrogate, which RE2 cannot read."""


class EndlessError(Exception):
    """A validation takes more steps than are allowed."""


@dataclass
class Steps:
    """How many keywords may still be applied."""

    left: int

    def take(self) -> None:
        """Take one. Raises EndlessError where none is left."""
        self.left -= 1
        if self.left < 0:
            raise EndlessError


def bounded(draft: Any, steps: Steps) -> Any:  # noqa: ANN401 - a class of a library without types
    """Return a draft with our rules, which takes a step for each keyword that it applies."""
    from jsonschema import validators  # noqa: PLC0415 - heavy; only suites with a schema load it

    def counted(rule: Rule) -> Rule:
        def step(validator: Any, value: Json, instance: Json, schema: Any) -> Iterator[Any] | None:  # noqa: ANN401 - likewise
            steps.take()
            return rule(validator, value, instance, schema)

        return step

    rules = {**draft.VALIDATORS, **_RULES}
    return validators.extend(draft, {name: counted(rules[name]) for name in draft.VALIDATORS})


@cache
def formats() -> Any:  # noqa: ANN401 - likewise
    """Return the checker of the formats that can be checked wherever this runs."""
    from jsonschema import FormatChecker  # noqa: PLC0415 - likewise

    checker = FormatChecker(_LIBRARY_FORMATS)
    checker.checks("date-time", raises=ValueError)(_is_moment)
    checker.checks("time", raises=ValueError)(lambda text: _is_moment(_on_a_day(text)))
    return checker


def _is_moment(text: object) -> bool:
    """Accept a time as in RFC 3339; one that no day or clock has raises ValueError."""
    if not isinstance(text, str):
        return True
    if not holds("regex", text, _MOMENT):
        return False
    return datetime.fromisoformat(text.upper()).tzinfo is not None


def _on_a_day(time: object) -> object:
    return f"2000-01-01T{time}" if isinstance(time, str) else time


def _found(text: str, pattern: str) -> bool:
    found = holds("regex", text, pattern)
    if found is None:
        raise UnsearchableError
    return found


def _pattern(_: object, pattern: str, instance: Json, __: object) -> Iterator[Any]:
    if isinstance(instance, str) and not _found(instance, pattern):
        yield _misfit("it does not match")


def _pattern_properties(
    validator: Any,  # noqa: ANN401 - likewise
    patterns: dict[str, Json],
    instance: Json,
    _: object,
) -> Iterator[Any]:
    for pattern, schema in patterns.items() if isinstance(instance, dict) else ():
        for key, value in instance.items():
            if _found(key, pattern):
                yield from validator.descend(value, schema, path=key, schema_path=pattern)


def _additional_properties(
    validator: Any,  # noqa: ANN401 - likewise
    wanted: Json,
    instance: Json,
    schema: dict[str, Any],
) -> Iterator[Any]:
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key, value in instance.items() if isinstance(instance, dict) else ():
        if key in named or any(_found(key, pattern) for pattern in patterns):
            continue
        if wanted is False:
            yield _misfit("there is a property too many")
            return
        yield from validator.descend(value, wanted, path=key)


def _unique_items(_: object, wanted: Json, instance: Json, __: object) -> Iterator[Any]:
    if wanted and isinstance(instance, list) and len(set(map(digest, instance))) < len(instance):
        yield _misfit("an item occurs more than once")


def _multiple_of(_: object, divisor: Json, instance: Json, __: object) -> Iterator[Any]:
    number = isinstance(instance, int | float) and not isinstance(instance, bool)
    if number and _exact(instance) % _exact(divisor):
        yield _misfit("it is no multiple")


def _exact(number: Json) -> Fraction:
    """Take the decimals as written, so that 0.3 is a multiple of 0.1."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def _misfit(message: str) -> Any:  # noqa: ANN401 - likewise
    from jsonschema import ValidationError  # noqa: PLC0415 - likewise

    return ValidationError(message)


_RULES: Final[dict[str, Rule]] = {
    "additionalProperties": _additional_properties,
    "multipleOf": _multiple_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "uniqueItems": _unique_items,
}
