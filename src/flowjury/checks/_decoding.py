"""The decoding: a pointer that leads through a text which holds JSON."""

from __future__ import annotations

from dataclasses import dataclass

from flowjury import pointer
from flowjury.json_values import loads, type_name
from flowjury.model import Json
from flowjury.pointer import Found, Missing, Resolution


@dataclass(frozen=True, slots=True)
class Undecoded:
    """There is no text, or it is not JSON."""

    at: str
    """Where in the value the text is, or should be."""
    reason: str


def decoded(value: Json, at: str) -> Resolution | Undecoded:
    """Follow a pointer, reading the first text on its way, or at its end, as JSON."""
    found = pointer.resolve(value, at)
    text_at = found.resolved if isinstance(found, Missing) else at
    text = pointer.resolve(value, text_at)
    if not isinstance(text, Found):
        return text
    if not isinstance(text.value, str):
        reason = f"is no text but of type {type_name(text.value)}: there is nothing to decode"
        return found if isinstance(found, Missing) else Undecoded(text_at, reason)
    try:
        inner = loads(text.value)
    except ValueError as error:
        return Undecoded(text_at, f"is a text that is not JSON: {error}")
    return pointer.resolve(inner, at[len(text_at) :])
