"""The quoting: whether the words that an answer rests on occur in the evidence it names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from flowjury import pointer
from flowjury.judging.fencing import Layout, readable
from flowjury.judging.projection import ABSENT
from flowjury.model import Json
from flowjury.pointer import Found
from flowjury.request import Quote

_LAYOUTS: Final[tuple[Layout, ...]] = ("spaced", "compact", "indented")


class Quotable:
    """The evidence of one request, as texts that can be quoted."""

    def __init__(self, evidence: Mapping[str, Json]) -> None:
        """Take what the judge saw, by pointer."""
        self._evidence = evidence
        self._texts: dict[str, tuple[str, ...]] = {}

    def holds(self, quote: Quote) -> bool:
        """Tell whether the words occur where the quote says, but for spacing.

        Blank ones never do, nor our own word for what is not there.
        """
        words = _folded(quote.text)
        return bool(words) and any(words in text for text in self._texts_at(quote.pointer))

    def _texts_at(self, at: str) -> tuple[str, ...]:
        """Return the texts of an item, or of a part of one, folded once."""
        if at not in self._texts:
            self._texts[at] = tuple(map(_folded, self._unfolded(at)))
        return self._texts[at]

    def _unfolded(self, at: str) -> Iterator[str]:
        for item, value in self._evidence.items():
            if value != ABSENT and (at == item or at.startswith(item + "/")):
                yield from _part(value, at.removeprefix(item))


def _part(value: Json, at: str) -> Iterator[str]:
    try:
        found = pointer.resolve(value, at)
    except ValueError:
        return
    if isinstance(found, Found):
        yield from _strings(found.value)
        if not isinstance(found.value, str):
            yield from (readable(found.value, layout) for layout in _LAYOUTS)


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
