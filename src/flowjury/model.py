"""The base of all our data: frozen, strict about keys, documented by attribute docstrings."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, SkipValidation, WithJsonSchema

Json: TypeAlias = Any
"""A JSON value: None, bool, int, finite float, str, list of Json, or dict of str to Json."""

JsonField: TypeAlias = Annotated[Any, SkipValidation(), WithJsonSchema({})]
"""A JSON value as the field of a model: kept as it is, whatever its size or its code points."""


def _nameable(name: str) -> str:
    try:
        holds = b"\0" in name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        holds = True
    if holds:
        raise ValueError(
            f"{name!a} can be the name of no file; write one without NUL and lone surrogates"
        )
    return name


FileName: TypeAlias = Annotated[str, AfterValidator(_nameable)]
"""The name of a file or folder, which a file system can hold."""


class Model(BaseModel):
    """A frozen record; unknown keys are refused, the docs of fields are those of its schema."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        hide_input_in_errors=False,
        defer_build=True,  # most commands need few of the models
    )
