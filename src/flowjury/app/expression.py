"""The expression of `-k`: words joined by `and`, `or` and `not`, with parentheses, as in pytest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from flowjury.errors import UsageError

Holds = Callable[[Sequence[str]], bool]
"""Tells whether an expression holds for texts, which are in folded case."""

_TOKEN = re.compile(r"""\s*([()]|"[^"]*"|'[^']*'|[^\s()"']+)""")
_OPERATORS: Final = frozenset({"and", "or", "not", "(", ")"})
_DEEPEST: Final = 50
_ADVICE: Final = "join words by `and` or `or`, and quote a text with spaces"


def parse(text: str) -> Holds:
    """Read an expression; an empty one holds always. Raises UsageError."""
    if not text.strip():
        return lambda _: True
    reader = _Reader(text, _tokens(text))
    holds = reader.either()
    if reader.tokens:
        reader.refuse_next()
    return holds


def _tokens(text: str) -> list[str]:
    """Return the tokens, the first one last."""
    found: list[str] = []
    rest = text.rstrip()
    at = 0
    while at < len(rest):
        match = _TOKEN.match(rest, at)
        if match is None:
            raise UsageError(f"-k {text!r}: a quote is never closed")
        found.append(match[1])
        at = match.end()
    return found[::-1]


@dataclass
class _Reader:
    """Reads the tokens of one expression, one level of precedence in each method."""

    text: str
    tokens: list[str]
    depth: int = 0

    def either(self) -> Holds:
        """Read what is joined by `or`."""
        parts = [self.both()]
        while self._takes("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda texts: any(part(texts) for part in parts)

    def both(self) -> Holds:
        """Read what is joined by `and`."""
        parts = [self.one()]
        while self._takes("and"):
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else lambda texts: all(part(texts) for part in parts)

    def one(self) -> Holds:
        """Read a word or what stands in parentheses, and how often it is denied."""
        wanted = True
        while self._takes("not"):
            wanted = not wanted
        part = self._inside() if self._takes("(") else self._word()
        return part if wanted else lambda texts: not part(texts)

    def refuse(self, what: str) -> NoReturn:
        """Raise UsageError."""
        raise UsageError(f"-k {self.text!r}: {what}; {_ADVICE}")

    def refuse_next(self) -> NoReturn:
        """Refuse what comes next, or that nothing does. Raises UsageError."""
        if self.tokens:
            self.refuse(f"{self.tokens[-1]!r} is not expected there")
        self.refuse("a parenthesis is never closed")

    def _takes(self, token: str) -> bool:
        if self.tokens and self.tokens[-1] == token:
            self.tokens.pop()
            return True
        return False

    def _inside(self) -> Holds:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.refuse(f"parentheses stand deeper than {_DEEPEST} levels")
        part = self.either()
        if not self._takes(")"):
            self.refuse_next()
        self.depth -= 1
        return part

    def _word(self) -> Holds:
        if not self.tokens:
            self.refuse("it ends where a word is expected")
        token = self.tokens.pop()
        if token in _OPERATORS:
            self.refuse(f"{token!r} stands where a word is expected")
        word = (token[1:-1] if token[0] in "\"'" else token).casefold()
        return lambda texts: any(word in text for text in texts)
