"""The words of schemas: the keywords that each draft knows, and where schemas stand inside one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from flowjury import pointer
from flowjury.model import Json

_INNER: Final = frozenset(
    {
        *("additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "contentSchema"),
        *("else", "if", "items", "not", "oneOf", "prefixItems", "propertyNames", "then"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
"""Keywords whose value is a schema, or a list of them."""
_NAMED: Final = frozenset(
    {
        *("$defs", "definitions", "dependencies", "dependentSchemas"),
        *("patternProperties", "properties"),
    }
)
"""Keywords whose values are schemas by name."""


def inside(schema: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield a schema and all inside it that are objects, each with its pointer."""
    pending = [("", schema)]
    while pending:
        at, value = pending.pop()
        if isinstance(value, dict):
            yield at, value
            for keyword, inner in value.items():
                where = at + pointer.join([keyword])
                if keyword in _INNER:
                    pending.extend(_listed(where, inner))
                elif keyword in _NAMED and isinstance(inner, dict):
                    pending.extend((where + pointer.join([k]), v) for k, v in inner.items())


def _listed(at: str, value: Json) -> list[tuple[str, Json]]:
    if isinstance(value, list):
        return [(f"{at}/{number}", item) for number, item in enumerate(value)]
    return [(at, value)]


@lru_cache(maxsize=16)
def keywords(draft: Any) -> frozenset[str]:  # noqa: ANN401 - a class of a library without types
    """Return the keywords that a draft knows, those that assert nothing included."""
    from jsonschema.validators import SPECIFICATIONS  # noqa: PLC0415 - heavy, as elsewhere

    meta = draft.META_SCHEMA
    resolver = SPECIFICATIONS.resolver(draft.ID_OF(meta))
    vocabularies = [resolver.lookup(part["$ref"]).contents for part in meta.get("allOf", ())]
    words = (word for each in (meta, *vocabularies) for word in each["properties"])
    return frozenset(["$ref", *words])  # which draft 4 has, but not in its own schema
