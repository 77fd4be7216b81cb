"""The schemas: values against JSON Schema, with nothing fetched and patterns in linear time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, SkipValidation, WithJsonSchema

from flowjury import pointer
from flowjury.check import Claim, Truth
from flowjury.checks._schema_rules import (
    STEPS,
    EndlessError,
    Steps,
    UnsearchableError,
    bounded,
    formats,
)
from flowjury.checks._schema_words import inside, keywords
from flowjury.checks._values import shown
from flowjury.evidence import Resolution
from flowjury.json_values import short
from flowjury.model import Json
from flowjury.operators import fault
from flowjury.pointer import Found, Missing, nearest

_SHOWN: Final = 3
_ENDLESS: Final = (
    "the schema leads back to itself without end, or what it is held against is too deep"
)


def _checked(schema: Json) -> Json:
    """Refuse what is no JSON Schema, what asserts nothing, and what would have to be fetched."""
    if not isinstance(schema, dict | bool):
        raise ValueError(  # noqa: TRY004 - what pydantic expects of a validator
            f"a JSON Schema is an object or a boolean, not {short(schema)}"
        )
    draft = _draft_of(schema)
    try:
        problem = next(_problems(schema, draft), None) or _misshapen(schema, draft)
    except RecursionError:
        problem = "it is nested too deeply"
    if problem is not None:
        raise ValueError(problem)
    return schema


Schema: TypeAlias = Annotated[
    Any,
    SkipValidation(),
    AfterValidator(_checked),
    WithJsonSchema({"type": ["object", "boolean"]}),
]
"""A JSON Schema, of draft 2020-12 unless its `$schema` says otherwise."""


def fitting(schema: Json, *, limit: int = STEPS) -> Callable[[Resolution, str], Claim]:
    """Return what claims that a value, found at a place, fits a schema, within so many steps."""
    steps = Steps(limit)
    validator = _validator(schema, steps)

    def claim(found: Resolution, place: str) -> Claim:
        steps.left = limit
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
    except UnsearchableError:
        return Truth.UNKNOWN, f"{place} cannot be searched: a text in it holds a lone surrogate"
    except (RecursionError, EndlessError):
        return Truth.ERROR, f"{place}: {_ENDLESS}"
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


def _problems(schema: Json, draft: Any) -> Iterator[str]:  # noqa: ANN401 - likewise
    """Yield why a schema cannot be used here, or does not mean what it seems to."""
    meta = draft.ID_OF(draft.META_SCHEMA)
    named = schema.get("$schema", meta) if isinstance(schema, dict) else meta
    if str(named).rstrip("#") != meta.rstrip("#"):
        yield f"`$schema` {short(named)} names no known draft; write {meta!r}, or leave it out"
    resolver = _resolver(schema, draft)
    for at, one in inside(schema):
        place = f"{at}: " if at else ""
        for keyword, value in one.items():
            if problem := _strange(keyword, draft) or _unusable(keyword, value, resolver):
                yield place + problem
        if at and "$schema" in one:
            yield f"{at}: `$schema` stands at the top only"
        if {"patternProperties", "unevaluatedProperties"} <= one.keys():
            yield f"{place}`unevaluatedProperties` cannot stand beside `patternProperties` here"
    if schema is True or (isinstance(schema, dict) and not schema.keys() & draft.VALIDATORS.keys()):
        yield f"{short(schema)} allows everything: write what the value must be"


def _strange(keyword: str, draft: Any) -> str | None:  # noqa: ANN401 - likewise
    """Say that a draft does not know a keyword, and so would ignore it."""
    known = keywords(draft)
    if keyword in known or keyword.startswith("x-"):
        return None
    near = nearest(keyword, known)
    hint = f"; nearest is {near!r}" if near else "; a key of your own begins with 'x-'"
    return f"{keyword!r} is no keyword of this draft of JSON Schema{hint}"


def _unusable(keyword: str, value: Json, resolver: Any) -> str | None:  # noqa: ANN401 - likewise
    """Say why a keyword cannot be used with its value."""
    match keyword, value:
        case "pattern", str():
            return fault("regex", value)
        case "patternProperties", dict():
            return next(filter(None, (fault("regex", pattern) for pattern in value)), None)
        case "format", str() if value not in formats().checkers:
            return _unknown_format(value)
        case (("$ref" | "$dynamicRef" | "$recursiveRef"), str()):
            return _astray(value, resolver)
    return None


def _unknown_format(name: str) -> str:
    known = sorted(formats().checkers)
    near = nearest(name, known)
    hint = f"; nearest is {near!r}" if near else "; write a `pattern`"
    return f"format {name!r} cannot be checked{hint} (known: {', '.join(known)})"


def _astray(ref: str, resolver: Any) -> str | None:  # noqa: ANN401 - likewise
    """Say why a reference leads to no schema in the same schema."""
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - comes with jsonschema

    if not ref.startswith("#"):
        return f"$ref {ref!r} leads out of the schema; copy it under '$defs' and write '#/$defs/…'"
    try:
        target = resolver.lookup(ref).contents
    except Unresolvable:
        target = None
    if not isinstance(target, dict | bool):
        return f"$ref {ref!r} leads nowhere: there is no schema"
    return None


def _misshapen(schema: Json, draft: Any) -> str | None:  # noqa: ANN401 - likewise
    import jsonschema  # noqa: PLC0415 - heavy; only suites with a schema load it

    try:
        draft.check_schema(schema, format_checker=jsonschema.FormatChecker(()))
    except jsonschema.SchemaError as error:
        at = pointer.join(map(str, error.path))
        return f"not a JSON Schema: {at or 'the whole'}: {error.message[:200]}"
    return None


def _validator(schema: Json, steps: Steps) -> Any:  # noqa: ANN401 - likewise
    """Return what validates against a schema; with a `$schema` inside, our rules would be lost."""
    import referencing  # noqa: PLC0415 - comes with jsonschema

    bare = schema
    if isinstance(schema, dict):
        bare = {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
    known = bounded(_draft_of(schema), steps)
    return known(bare, registry=referencing.Registry(), format_checker=formats())


def _resolver(schema: Json, draft: Any) -> Any:  # noqa: ANN401 - likewise
    import referencing.jsonschema  # noqa: PLC0415 - likewise

    known = referencing.jsonschema.specification_with(draft.ID_OF(draft.META_SCHEMA))
    return referencing.Registry().resolver_with_root(known.create_resource(schema))


def _draft_of(schema: Json) -> Any:  # noqa: ANN401 - likewise
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - likewise

    return validators.validator_for(schema, default=Draft202012Validator)
