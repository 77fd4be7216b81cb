"""Validation: a document as a model, and everything that is wrong with it as faults."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from flowjury.documents import Document
from flowjury.documents.place import Path
from flowjury.errors import Fault, InputError
from flowjury.masking import MASK, hides
from flowjury.pointer import join
from flowjury.validation.format_number import refuse_newer
from flowjury.validation.keys import Schema
from flowjury.validation.problem import Problem, problems
from flowjury.validation.sentence import place, sentence
from flowjury.validation.union import without_other_branches

__all__ = ["refuse_newer", "validate"]

T = TypeVar("T")


def validate(document: Document, model: type[T] | TypeAdapter[T]) -> T:
    """Return the value of a document as a model.

    Raises InputError with all its faults, in the order of the file.
    """
    try:
        if isinstance(model, type) and issubclass(model, BaseModel):  # as fast as it can be
            return model.model_validate(document.value)
        return _adapter(model).validate_python(document.value)
    except ValidationError as error:
        raise InputError(_faults(document, _adapter(model), error)) from error


def _adapter(model: type[T] | TypeAdapter[T]) -> TypeAdapter[T]:
    return model if isinstance(model, TypeAdapter) else TypeAdapter(model)


def _faults(document: Document, adapter: TypeAdapter[Any], error: ValidationError) -> list[Fault]:
    schema = Schema(adapter.core_schema, document.value)
    found = [
        replace(problem, value=MASK) if _is_secret(problem) else problem
        for problem in without_other_branches(problems(error, document.value))
    ]
    homes: dict[Path, list[Problem]] = defaultdict(list)
    for problem in found:
        homes[problem.home].append(problem)
    faults = [
        _fault(document, place(problem), text)
        for problem in sorted(found, key=_order)
        if (text := sentence(problem, homes[problem.home], schema))
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)


def _fault(document: Document, path: Path, message: str) -> Fault:
    pointer = join(map(str, path))
    return Fault(file=document.name, message=message, pointer=pointer, line=document.line(pointer))


def _is_secret(problem: Problem) -> bool:
    return any(isinstance(part, str) and hides(part) for part in problem.path)


def _order(problem: Problem) -> list[tuple[bool, int, str]]:
    """Sort paths by their parts, indexes as numbers."""
    return [
        (isinstance(part, str), 0 if isinstance(part, str) else part, str(part))
        for part in problem.path
    ]
