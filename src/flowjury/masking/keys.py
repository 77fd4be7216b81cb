"""The keys: which of them have secrets under them, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from flowjury.masking.texts import masked_text

SECRET_KEYS: Final = (
    "authorization",
    "proxy-authorization",
    "http-authorization",
    "api_key",
    "apikey",
    "x-api-key",
    "password",
    "passwd",
    "pwd",
    "secret",
    "client_secret",
    "access_token",
    "refresh_token",
    "id_token",
    "private_key",
    "cookie",
    "set-cookie",
)

_SECRET_ENDS: Final = ("secret", "password", "passwd", "passphrase", "pwd", "cookie", "apikey")
"""How keys end whose values are secrets, also in words that run together."""

_KEY_OWNERS: Final = frozenset(
    ("api", "access", "auth", "encryption", "master", "private", "secret", "signing", "ssh")
)
"""Words before `key` that make it a secret: a `primary_key` is none."""

_TOKEN_OWNERS: Final = frozenset(
    ("access", "api", "auth", "bearer", "csrf", "id", "refresh", "secret", "session")
)
"""Words before `tokens` that make them secrets: `input_tokens` are counted."""

_PLURALS: Final = frozenset(
    ("secrets", "passwords", "passphrases", "cookies", "credentials", "apikeys")
)
_NOT_LAST: Final = frozenset(("value", "hash", "confirmation", "confirm"))
"""Words after the one that tells, as in `password_confirmation`."""

Hidden: TypeAlias = Literal["all", "texts"]
"""What is hidden under a key: texts and numbers, or texts only, as the numbers are counts."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONGEST_KEY = 100
_MOST_KEYS = 4096


class Rule(NamedTuple):
    """What becomes of a member by its key."""

    key: str
    """The key, without secrets in it."""
    hidden: Hidden | None


class Rules(dict[str, Rule | None]):
    """The rules of keys that were seen, None where only the value itself counts."""

    def __init__(self, extra: Iterable[str]) -> None:
        super().__init__()
        self._secret = frozenset(map(_folded, (*SECRET_KEYS, *extra)))

    def __missing__(self, key: str) -> Rule | None:
        hidden: Hidden | None = "all" if _folded(key) in self._secret else _by_words(key)
        shown = masked_text(key)
        rule = None if hidden is None and shown == key else Rule(shown, hidden)
        if len(key) > _LONGEST_KEY:
            return rule
        if len(self) >= _MOST_KEYS:
            self.clear()
        self[key] = rule
        return rule


@lru_cache(maxsize=64)
def rules_of(extra: tuple[str, ...]) -> Rules:
    """Return the rules with a suite's own secret keys."""
    return Rules(extra)


def _folded(key: str) -> str:
    return key.replace("-", "_").lower()


def _by_words(key: str) -> Hidden | None:
    """Tell what a key hides by its last words, however they are joined."""
    words = [word.lower() for word in _WORD.findall(key[-_LONGEST_KEY:])]
    while len(words) > 1 and (words[-1] in _NOT_LAST or words[-1].isdecimal()):
        words.pop()
    *_, owner, last = "", "", *words
    if "_".join(words) in _FOLDED_KEYS or _folded(key).endswith(_SECRET_ENDS):
        return "all"
    if last.endswith(_SECRET_ENDS):
        return "all"
    if last in _PLURALS or (last == "tokens" and owner in _TOKEN_OWNERS):
        return "texts"
    if owner in _KEY_OWNERS and last in ("key", "keys"):
        return "all" if last == "key" else "texts"
    return "texts" if last.endswith("token") or _folded(key).endswith("token") else None


_FOLDED_KEYS: Final = frozenset(map(_folded, SECRET_KEYS))
