"""The shape: how a value that a schema refuses as a whole would be written to be right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from flowjury.json_values import dumps
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.validation.keys import Schema

_SCALARS: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
}
_PLAIN: Final = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_OTHER: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off"))
"""Words that some reader of YAML takes for no text."""
_WIDTH: Final = 80
_LATER: Final = "…"
"""Stands for what only the writer knows."""


def form(schema: Schema, schemas: Sequence[Any], value: Json) -> str | None:
    """Return what is obviously meant by a value, in the shape that one of the schemas wants."""
    meant = [one for each in schemas for one in _meant(schema, each, value)]
    return _short(meant[0]) if len(meant) == 1 else None


def untangled(tag: str, tags: Sequence[str], value: Json) -> str | None:
    """Return what is meant by an object that has its tag as its only key: `{path: {…}}`."""
    match value:
        case dict() if len(value) == 1:
            [(key, inner)] = value.items()
            return _short({tag: key, **inner}) if key in tags and isinstance(inner, dict) else None
    return None


def _short(meant: Json) -> str | None:
    text = _flow(masked(meant))
    return text if len(text) <= _WIDTH else None


def _meant(schema: Schema, plain: Any, value: Json) -> Iterator[Json]:  # noqa: ANN401 - a tree
    """Yield the value put where it fits: as an item, as a member, or as the tag of an object."""
    match plain:
        case {"items_schema": items}:
            inner = items[0] if isinstance(items, list) and items else items
            if not isinstance(value, list) and _fits(schema, inner, value):
                yield [value]
        case {"type": "dict", "values_schema": values}:
            if not isinstance(value, dict) and _fits(schema, values, value):
                yield {_LATER: value}
        case {"fields": dict(fields)} if not isinstance(value, dict):
            yield from _member(schema, fields, value)


def _member(schema: Schema, fields: dict[str, Any], value: Json) -> Iterator[Json]:
    """Yield the value as the first member that it fits; where there is a tag, as the tag."""
    needed = [name for name, field in fields.items() if schema.is_required(field)]
    tags = [name for name in needed if _is_tag(schema, fields[name])]
    for name in tags or needed:
        if _fits(schema, fields[name]["schema"], value):
            members = {name: value} | {other: _LATER for other in needed if other != name}
            yield {schema.key_of(key, fields[key]): item for key, item in members.items()}
            return


def _is_tag(schema: Schema, field: Any) -> bool:  # noqa: ANN401 - as above
    return any(plain.get("type") == "literal" for plain in schema.plain(field["schema"], None))


def _fits(schema: Schema, inner: Any, value: Json) -> bool:  # noqa: ANN401 - as above
    return any(_accepts(schema, plain, value) for plain in schema.plain(inner, value))


def _accepts(schema: Schema, plain: Any, value: Json) -> bool:  # noqa: ANN401 - as above
    """Tell whether a value has the shape that a schema wants; its parts may still be wrong."""
    match plain:
        case {"type": "literal", "expected": expected}:
            return isinstance(value, str) and value in expected
        case {"items_schema": items}:
            inner = items[0] if isinstance(items, list) and items else items
            return isinstance(value, list) and all(_fits(schema, inner, each) for each in value)
        case {"type": "dict", "values_schema": values}:
            return isinstance(value, dict) and all(
                _fits(schema, values, each) for each in value.values()
            )
        case {"fields": dict(fields)}:
            known = {schema.key_of(*item) for item in fields.items()}
            return isinstance(value, dict) and bool(value) and known.issuperset(value)
    return type(value) in _SCALARS.get(str(plain.get("type")), ())


def _flow(value: Json) -> str:
    """Write a value in YAML's flow style, as a person would."""
    match value:
        case dict():
            members = (f"{_flow(key)}: {_flow(item)}" for key, item in value.items())
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(map(_flow, value))}]"
        case str() if value == _LATER or (_PLAIN.fullmatch(value) and value.lower() not in _OTHER):
            return value
    return dumps(value)
