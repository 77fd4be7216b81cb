"""The base of all our data: frozen, strict about keys, documented by attribute docstrings."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, SkipValidation, WithJsonSchema

Json: TypeAlias = Any
"""A JSON value: None, bool, int, finite float, str, list of Json, or dict of str to Json."""

JsonField: TypeAlias = Annotated[Any, SkipValidation(), WithJsonSchema({})]
"""A JSON value as the field of a model: kept as it is, whatever its size or its code points."""


class Model(BaseModel):
    """A frozen record; unknown keys are refused, the docs of fields are those of its schema."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        hide_input_in_errors=False,
    )
