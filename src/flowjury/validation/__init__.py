"""Validation: a document as a model, and everything that is wrong with it as faults."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from flowjury.documents import Document
from flowjury.errors import Fault, InputError
from flowjury.json_values import type_name
from flowjury.pointer import join
from flowjury.validation.keys import Schema
from flowjury.validation.problem import Problem, problems
from flowjury.validation.sentence import sentence, shown
from flowjury.validation.union import without_other_branches

__all__ = ["refuse_newer", "validate"]

T = TypeVar("T")

_ARTICLES: Final = {"array": "an ", "integer": "an ", "object": "an ", "null": ""}


def validate(document: Document, model: type[T] | TypeAdapter[T]) -> T:
    """Return the value of a document as a model.

    Raises InputError with all its faults, in the order of the file.
    """
    adapter = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
    try:
        return adapter.validate_python(document.value)
    except ValidationError as error:
        raise InputError(_faults(document, adapter, error)) from error


def refuse_newer(document: Document, *, supported: int = 1) -> None:
    """Raise InputError, with that one fault, where a document's format is not one that is read."""
    value = document.value
    if not isinstance(value, dict):
        name = type_name(value)
        message = f"this must be an object, not {_ARTICLES.get(name, 'a ')}{name}"
        raise InputError(Fault(file=document.name, message=message, line=document.line("")))
    if "format" not in value:
        message = f"key 'format' is missing; add `format: {supported}`"
        raise InputError(Fault(file=document.name, message=message, line=document.line("")))
    if message := _wrong_format(value["format"], supported):
        line = document.line("/format")
        raise InputError(
            Fault(file=document.name, message=message, pointer="/format", line=line)
        )


def _wrong_format(number: object, supported: int) -> str:
    if type(number) is not int or number < 1:
        return f"{shown(number)} is not a number of a format; write `format: {supported}`"
    if number > supported:
        newer = f"format {shown(number)} is newer than this FlowJury reads ({supported})"
        return f"{newer}; upgrade flowjury"
    return ""


def _faults(document: Document, adapter: TypeAdapter[Any], error: ValidationError) -> list[Fault]:
    schema = Schema(adapter.core_schema, document.value)
    found = without_other_branches(problems(error, document.value))
    placed = [
        (document.line(join(map(str, problem.path))), problem.path, text)
        for problem in found
        if (text := sentence(problem, found, schema))
    ]
    return [
        Fault(file=document.name, message=text, pointer=join(map(str, path)), line=line)
        for line, path, text in sorted(placed, key=_order)
    ]
