"""Keys that a model knows at a place in a document, read from pydantic's core schema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import getitem
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
        fields = [item for schema in self.schemas_at(path) for item in _fields(schema)]
        return sorted({_name(*item) for item in fields})

    def literals_at(self, path: Path, key: str) -> list[str]:
        """Return the values that a key of the object at a path may have, sorted."""
        fields = [item for schema in self.schemas_at(path) for item in _fields(schema)]
        plain = [
            schema
            for name, field in fields
            if key in (name, _name(name, field))
            for schema in self.plain(field["schema"], None)
        ]
        return sorted({str(value) for schema in plain for value in schema.get("expected", ())})

    def words_at(self, path: Path) -> list[str]:
        """Return the words that may stand at a path instead of an object."""
        return [
            str(word) for schema in self.schemas_at(path) for word in schema.get("expected", ())
        ]

    @staticmethod
    def is_required(field: Any) -> bool:  # noqa: ANN401 - as above
        """Tell whether a field of an object must be there."""
        return bool(field["schema"]["type"] != "default")

    @staticmethod
    def key_of(name: str, field: Any) -> str:  # noqa: ANN401 - as above
        """Return how a field is called in a document."""
        return _name(name, field)

    def value_at(self, path: Path) -> Json:
        """Return the value at a path of the document."""
        return reduce(getitem, path, self._root)

    def schemas_at(self, path: Path) -> list[Any]:
        """Return what the value at a path may be, by its tag where it has one."""
        value = self._root
        schemas = list(self.plain(self._core, value))
        for step in path:
            value = value[step]
            inner = [child for schema in schemas for child in _children(schema, step)]
            schemas = [plain for schema in inner for plain in self.plain(schema, value)]
        return schemas

    def plain(self, schema: Any, value: Json) -> Iterator[Any]:  # noqa: ANN401 - as above
        """Yield what is behind references, wrappers and unions, by the tag where there is one."""
        match schema:
            case {"type": "definition-ref", "schema_ref": reference}:
                yield from self.plain(self._definitions[reference], value)
            case {"type": "tagged-union", "choices": choices, "discriminator": tag}:
                chosen = _tag(value, tag)
                for branch in [choices[chosen]] if chosen in choices else choices.values():
                    yield from self.plain(branch, value)
            case {"type": "union", "choices": choices}:
                for branch in choices:
                    yield from self.plain(branch[0] if type(branch) is tuple else branch, value)
            case _ if inner := next((schema[name] for name in _INNER if name in schema), None):
                yield from self.plain(inner, value)
            case _:
                yield schema


def _tag(value: Json, name: object) -> str | None:
    found = value.get(name) if isinstance(value, dict) and isinstance(name, str) else None
    return found if isinstance(found, str) else None


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
            fields = _fields(schema)
            yield from (
                field["schema"] for name, field in fields if step in (name, _name(name, field))
            )
