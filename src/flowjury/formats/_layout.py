"""The layout of an explanation as indented lines of plain or coloured text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flowjury.formats._explain import Row
from flowjury.formats._text import MARKS

Tone = Literal["good", "bad", "open", "faint", "strong"]

_WIDTH = 100
_DEEPEST = 12
_TONES: dict[str, Tone] = {
    "passed": "good",
    "failed": "bad",
    "error": "bad",
    "unknown": "open",
    "needs-judge": "open",
    "open": "open",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a text is coloured: for each tone a terminal's code, none for plain text."""

    good: str = ""
    bad: str = ""
    open: str = ""
    faint: str = ""
    strong: str = ""

    def paint(self, tone: Tone, text: str) -> str:
        """Colour a text."""
        code: str = getattr(self, tone)
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def judged(self, verdict: str, text: str) -> str:
        """Colour a text as its verdict or status asks."""
        return self.paint(_TONES.get(verdict, "faint"), text)


PLAIN = Style()
COLOUR = Style(good="32", bad="31", open="33", faint="2", strong="1")


def lines(row: Row, style: Style, indent: str) -> Iterator[str]:
    """Lay out one row: what it says, then its facts, beside each other where they fit."""
    margin = indent + "  " * min(row.depth, _DEEPEST)
    mark = [MARKS[row.verdict]] if row.verdict else []
    head = " ".join([*mark, *filter(None, (row.word, row.name))])
    painted = style.judged(row.verdict, head)
    yield f"{margin}{painted}  {row.text}" if row.text else margin + painted
    facts = [f"{word} {fact}" for word, fact in row.facts]
    if facts and len(beside := "   ".join(facts)) <= _WIDTH:
        facts = [beside]
    yield from (f"{margin}    {style.paint('faint', fact)}" for fact in facts)
