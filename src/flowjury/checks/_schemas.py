"""The schemas: values against JSON Schema, with nothing fetched and patterns in linear time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import unquote

from pydantic import AfterValidator, SkipValidation, WithJsonSchema

from flowjury import pointer
from flowjury.check import Claim, Truth
from flowjury.checks._values import shown
from flowjury.evidence import Resolution
from flowjury.json_values import short
from flowjury.model import Json
from flowjury.operators import fault, holds
from flowjury.pointer import Found, Missing

_SHOWN: Final = 3
_DATA: Final = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose values are data, not schemas."""
_NAMED: Final = frozenset({"properties", "patternProperties", "$defs", "definitions"})
"""Keywords whose values are schemas by name."""


def _checked(schema: Json) -> Json:
    """Refuse what is no JSON Schema, and what would have to be fetched."""
    import jsonschema  # noqa: PLC0415 - heavy; only suites with a schema load it

    if not isinstance(schema, dict | bool):
        raise ValueError(  # noqa: TRY004 - what pydantic expects of a validator
            f"a JSON Schema is an object or a boolean, not {short(schema)}"
        )
    for keyword, value in _keywords(schema):
        if problem := _problem(schema, keyword, value):
            raise ValueError(problem)
    try:
        _class_of(schema).check_schema(schema)
    except jsonschema.SchemaError as error:
        at = pointer.join(map(str, error.path))
        raise ValueError(
            f"not a JSON Schema: {at or 'the whole'}: {error.message[:200]}"
        ) from error
    return schema


Schema: TypeAlias = Annotated[
    Any,
    SkipValidation(),
    AfterValidator(_checked),
    WithJsonSchema({"type": ["object", "boolean"]}),
]
"""A JSON Schema, of draft 2020-12 unless its `$schema` says otherwise."""


def fitting(schema: Json) -> Callable[[Resolution, str], Claim]:
    """Return what claims that a value, found at a place, fits a schema."""
    validator = _validator(schema)

    def claim(found: Resolution, place: str) -> Claim:
        truth, says = _weighed(validator, found, place or "the document")
        return Claim(truth=truth, says=says, expected=schema, actual=shown(found), where=place)

    return claim


def _weighed(validator: Any, found: Resolution, place: str) -> tuple[Truth, str]:  # noqa: ANN401 - of a library without types
    if isinstance(found, Missing):
        return Truth.MISSING, found.sentence()
    if not isinstance(found, Found):
        reason = getattr(found, "reason", f"{place} holds what could not be recorded as JSON")
        return Truth.UNKNOWN, reason
    try:
        errors = list(islice(validator.iter_errors(found.value), _SHOWN + 1))
    except RecursionError:
        return Truth.ERROR, f"{place}: the schema leads back to itself without end"
    if not errors:
        return Truth.HOLDS, f"{place} fits the schema"
    told = "; ".join(_told(error, place) for error in errors[:_SHOWN])
    return Truth.FAILS, told + ("; and more" if len(errors) > _SHOWN else "")


def _told(error: Any, place: str) -> str:  # noqa: ANN401 - of a library without types
    at = place + pointer.join(map(str, error.absolute_path))
    if error.validator == "required":
        lacking = [name for name in error.validator_value if name not in error.instance]
        return f"{at} lacks {', '.join(map(repr, lacking[:5]))}"
    if error.validator is None:
        return f"{at} is {short(error.instance, 60)}, where nothing may be"
    wanted = f"{error.validator}: {short(error.validator_value, 60)}"
    return f"{at} is {short(error.instance, 60)}, which does not fit `{wanted}`"


def _keywords(schema: Json) -> Iterator[tuple[str, Json]]:
    """Yield every keyword in a schema and inside it."""
    pending = [schema]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, dict):
            yield from value.items()
            for keyword, inner in value.items():
                named = keyword in _NAMED and isinstance(inner, dict)
                if keyword not in _DATA:
                    pending.extend(inner.values() if named else [inner])


def _problem(schema: Json, keyword: str, value: Json) -> str | None:
    """Say why a keyword cannot be used here."""
    if keyword == "pattern" and isinstance(value, str):
        return fault("regex", value)
    if keyword not in {"$ref", "$dynamicRef"} or not isinstance(value, str):
        return None
    if not value.startswith("#"):
        return (
            f"$ref {value!r} leads out of the schema; copy it under '$defs' and write '#/$defs/…'"
        )
    at = unquote(value[1:])
    if at.startswith("/") and not isinstance(pointer.resolve(schema, at), Found):
        return f"$ref {value!r} leads nowhere: {_why(schema, at)}"
    return None


def _why(schema: Json, at: str) -> str:
    found = pointer.resolve(schema, at)
    return found.sentence() if isinstance(found, Missing) else "there is no schema"


def _validator(schema: Json) -> Any:  # noqa: ANN401 - likewise
    import referencing  # noqa: PLC0415 - comes with jsonschema

    return _class_of(schema)(schema, registry=referencing.Registry())


def _class_of(schema: Json) -> Any:  # noqa: ANN401 - likewise
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - likewise

    known = validators.validator_for(schema, default=Draft202012Validator)
    return validators.extend(known, {"pattern": _pattern})


def _pattern(_validator: object, pattern: str, instance: Json, _schema: object) -> Iterator[Any]:
    """Search under RE2; a text that it cannot read does not fit."""
    from jsonschema import ValidationError  # noqa: PLC0415 - likewise

    if isinstance(instance, str) and holds("regex", instance, pattern) is not True:
        yield ValidationError("it does not match")
