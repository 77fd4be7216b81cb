"""Keys that a model knows at a place in a document, read from pydantic's core schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from flowjury.documents.place import Path
from flowjury.model import Json

_INNER: Final = ("schema", "lax_schema", "python_schema")


class Schema:
    """The schema of a model, walked along the values of one document."""

    def __init__(self, core: Any, root: Json) -> None:  # noqa: ANN401 - a tree of dicts
        self._core = core
        self._root = root
        self._definitions = {item["ref"]: item for item in core.get("definitions", ())}

    def keys_at(self, path: Path) -> list[str]:
        """Return the keys that the object at a path may have, sorted."""
        value = self._root
        schemas = list(self._plain(self._core, value))
        for step in path:
            value = value[step]
            inner = [child for schema in schemas for child in _children(schema, step)]
            schemas = [plain for schema in inner for plain in self._plain(schema, value)]
        return sorted({_name(*item) for schema in schemas for item in _fields(schema)})

    def _plain(self, schema: Any, value: Json) -> Iterator[Any]:  # noqa: ANN401 - as above
        """Yield what is behind references, wrappers and unions, by the tag where there is one."""
        match schema:
            case {"type": "definition-ref", "schema_ref": reference}:
                yield from self._plain(self._definitions[reference], value)
            case {"type": "tagged-union", "choices": choices, "discriminator": tag}:
                chosen = value.get(tag) if isinstance(value, dict) else None
                branches = [choices[chosen]] if chosen in choices else choices.values()
                for branch in branches:
                    yield from self._plain(branch, value)
            case {"type": "union", "choices": choices}:
                for branch in choices:
                    yield from self._plain(branch[0] if type(branch) is tuple else branch, value)
            case {"type": "dict"}:
                yield schema
            case _ if inner := next((schema[name] for name in _INNER if name in schema), None):
                yield from self._plain(inner, value)
            case _:
                yield schema


def _fields(schema: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - as above
    fields = schema.get("fields")
    yield from fields.items() if isinstance(fields, dict) else ()


def _name(name: str, field: Any) -> str:  # noqa: ANN401 - as above
    alias = field.get("validation_alias")
    return alias if isinstance(alias, str) else name


def _children(schema: Any, step: str | int) -> Iterator[Any]:  # noqa: ANN401 - as above
    match schema:
        case {"type": "tuple", "items_schema": [*items]} if isinstance(step, int):
            yield items[min(step, len(items) - 1)]
        case {"type": "dict", "values_schema": values}:
            yield values
        case {"items_schema": items}:
            yield items
        case _:
            yield from (item[1]["schema"] for item in _fields(schema) if step in (item[0], _name(*item)))
