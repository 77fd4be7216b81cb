"""The references of a suite to the environment: how they are written, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

from flowjury.json_values import dumps
from flowjury.masking import MASK, masked_text
from flowjury.model import Json

_REFERENCE: Final = re.compile(r"\$(?:(\w+)|\{(\w+)\}|(\$)|)")
_SCHEMES: Final = ("http", "https")
_SHORTEST: Final = 4
"""What is shorter is no secret, and stands in texts that have nothing to do with it."""
_SHORTEST_WORD: Final = 8
"""A word of a value is hidden alone if it is as long as this, which `Bearer` is not."""
_SHOWN: Final = 200
"""Characters of a path in a message."""
_LONGEST: Final = 512
"""The bits of a number that is looked at as a text."""
_UNSENT: Final = re.compile(r"[^\t\x20-\x7e]")


class UnusableError(ValueError):
    """What a text refers to is not there, or cannot stand where it does. Shows no value."""


def refuse_reference(text: str) -> str:
    """Return a text whose references are well written. Raises ValueError."""
    for match in _REFERENCE.finditer(text):
        if match[0] == "$":
            raise ValueError(
                "a `$` begins the name of an environment variable, as in $NAME or ${NAME};"
                " write $$ for the sign itself"
            )
    return text


def refuse_value(value: str) -> None:
    """Raise UnusableError for what no header can carry."""
    if not value.strip():
        raise UnusableError("is empty")
    if value != value.strip():
        raise UnusableError("begins or ends with white space, such as the end of a line")
    if _UNSENT.search(value):
        raise UnusableError("holds a character that no header can carry, such as a line feed")


def refuse_url(text: str) -> str:
    """Return an address that could be one. Raises ValueError."""
    refuse_reference(text)
    if _UNSENT.search(text) or text != text.strip():
        raise ValueError(f"{text!a} holds a character that no URL has; write it as %-escapes")
    before, mark, after = text.partition("?")
    if mark and "$" in after.replace("$$", ""):
        raise ValueError("a secret does not go behind the `?` of a URL, but in `headers`")
    if masked_text(text) != text:
        raise ValueError("the URL holds a secret; it goes in `headers`, as $NAME")
    if not before.startswith("$"):
        try:
            _refuse_split(_split(text))
        except ValueError as error:
            raise ValueError(f"{masked_text(text)!r} {error}") from error
    return text


def expanded(text: str, environment: Mapping[str, str]) -> str:
    """Return a text with the values of its references. Raises UnusableError."""
    names = [*dict.fromkeys(referred(text))]
    if missing := [name for name in names if name not in environment]:
        raise UnusableError(f"not set in this environment: {', '.join(missing)}")
    for name in names:
        try:
            refuse_value(environment[name])
        except UnusableError as error:
            raise UnusableError(f"the value of {name} {error}") from error
    return _REFERENCE.sub(lambda match: _value(match, environment), text)


def expanded_url(text: str, environment: Mapping[str, str]) -> str:
    """Return an address with the values of its references. Raises UnusableError."""
    url = expanded(text, environment)
    try:
        split = _split(url)
        _refuse_split(split)
    except ValueError as error:
        raise UnusableError(str(error)) from error
    if split.query != _split(text).query.replace("$$", "$"):
        raise UnusableError("the value of a variable in a URL has a `?`; that goes behind it")
    return url


def referred(text: str) -> Iterator[str]:
    """Yield the names that a text refers to."""
    yield from (
        name for name, braced, _ in _REFERENCE.findall(text) for name in (name or braced,) if name
    )


@dataclass(frozen=True, slots=True)
class Secrets:
    """The values that were sent, and must be found nowhere else."""

    _values: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str], environment: Mapping[str, str]) -> Secrets:
        """Hide the values to which texts refer, and the words in them, such as a token."""
        values = {environment[name] for text in texts for name in referred(text)}
        words = {word for value in values for word in value.split() if len(word) >= _SHORTEST_WORD}
        secrets = {value for value in values if len(value) >= _SHORTEST} | words
        hidden = {form for secret in secrets for form in _forms(secret)}
        return cls(tuple(sorted(hidden, key=lambda value: (-len(value), value))))

    def shown(self, url: str) -> str:
        """Return an address for messages: without what stands behind its path."""
        split = _split(url)
        plain = unquote(split.path)
        path = split.path if self.without(plain) == plain else self.without(plain)
        cut = path if len(path) <= _SHOWN else f"{path[:_SHOWN]}…"
        return self.without(f"{split.scheme}://{split.netloc.rpartition('@')[2]}") + cut

    def without(self, text: str) -> str:
        """Return a text without them."""
        for value in self._values:
            text = text.replace(value, MASK)
        return text

    def within(self, value: Json) -> Json:
        """Return a value without them, in its texts and its keys."""
        match value:
            case str():
                return self.without(value)
            case int() if value.bit_length() < _LONGEST and str(value) in self._values:
                return MASK
            case list():
                return [self.within(item) for item in value]
            case dict():
                return {self.without(key): self.within(item) for key, item in value.items()}
        return value


def _forms(secret: str) -> Iterator[str]:
    """Yield how a value may be written: as it is, in a URL, in JSON, in HTML."""
    yield from (secret, quote(secret), quote(secret, safe=""), dumps(secret)[1:-1], escape(secret))


def _value(match: re.Match[str], environment: Mapping[str, str]) -> str:
    name = match[1] or match[2]
    return environment[name] if name else "$"


def _split(url: str) -> SplitResult:
    try:
        split = urlsplit(url)
        split.port  # noqa: B018 - it is read, and refused, when it is asked for
    except ValueError as error:
        raise ValueError("is no URL: its host or its port cannot be read") from error
    return split


def _refuse_split(split: SplitResult) -> None:
    if split.scheme not in _SCHEMES or not split.hostname:
        raise ValueError("is no URL such as https://host/path, or $NAME/path")
    if "@" in split.netloc:
        raise ValueError("has a user before its host; a secret goes in `headers`, as $NAME")
    if split.fragment:
        raise ValueError("has a `#`, and what stands behind it is never sent")
