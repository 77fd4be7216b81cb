"""The format number that every file carries, so that a newer one is refused by name."""

from __future__ import annotations

from typing import Final

from flowjury.documents import Document
from flowjury.errors import Fault, InputError
from flowjury.json_values import type_name
from flowjury.model import Json
from flowjury.validation.sentence import shown

_ARTICLES: Final = {"array": "an ", "integer": "an ", "null": ""}


def refuse_newer(document: Document, *, supported: int = 1) -> None:
    """Raise InputError, with that one fault, where a document's format is not one that is read."""
    value = document.value
    if not isinstance(value, dict):
        name = type_name(value)
        raise _refusal(document, f"this must be an object, not {_ARTICLES.get(name, 'a ')}{name}")
    if "format" not in value:
        raise _refusal(document, f"key 'format' is missing; add `format: {supported}`")
    if message := _wrong(value["format"], supported):
        raise _refusal(document, message, pointer="/format")


def _refusal(document: Document, message: str, *, pointer: str = "") -> InputError:
    line = document.line(pointer)
    return InputError(Fault(file=document.name, message=message, pointer=pointer, line=line))


def _wrong(number: Json, supported: int) -> str:
    if type(number) is not int or number < 1:
        return f"{shown(number)} is not a format number; write `format: {supported}`"
    if number > supported:
        newer = f"format {shown(number)} is newer than this FlowJury reads ({supported})"
        return f"{newer}; upgrade flowjury"
    return ""
