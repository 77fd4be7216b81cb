"""The masking: which parts of a JSON value are secrets, and the value without them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here

MASK: Final = "***"

SECRET_KEYS: Final = (
    "authorization",
    "proxy-authorization",
    "api_key",
    "apikey",
    "x-api-key",
    "password",
    "passwd",
    "secret",
    "client_secret",
    "access_token",
    "refresh_token",
    "id_token",
    "private_key",
    "cookie",
    "set-cookie",
)

_SECRET_ENDS: Final = ("token", "secret", "password", "passwd", "apikey", "api_key")
"""How keys end whose texts are secrets; numbers under them are counts and limits."""

# Each shape starts at a word's edge and repeats one class of characters: linear time, and no
# `risk-…` is taken for a key. Its marker is searched first, as that is many times faster.
_SHAPES: Final = tuple(
    (marker, re.compile(shape), kept + MASK)
    for marker, shape, kept in (
        ("sk-", r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}", ""),
        ("earer", r"\b([Bb]earer[ \t]+)\S{8,}", r"\1"),
        ("AKIA", r"(?<![A-Za-z0-9])AKIA[A-Z0-9]{16}(?![A-Za-z0-9])", ""),
        ("ASIA", r"(?<![A-Za-z0-9])ASIA[A-Z0-9]{16}(?![A-Za-z0-9])", ""),
        ("gh", r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}", ""),
        ("github_pat_", r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}", ""),
        ("eyJ", r"(?<![\w-])eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?", ""),
    )
)
_SHORTEST_SHAPE = 15


def masked(value: Json, extra_keys: Iterable[str] = ()) -> Json:
    """Return the value with its secrets replaced; the same object if it holds none."""
    return _masked(value, _secret_keys(tuple(extra_keys)))


@lru_cache(maxsize=64)
def _secret_keys(extra: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(_folded, (*SECRET_KEYS, *extra)))


@lru_cache(maxsize=4096)
def _folded(key: str) -> str:
    return key.replace("-", "_").lower()


@lru_cache(maxsize=4096)
def _ends_secret(key: str) -> bool:
    return _folded(key).endswith(_SECRET_ENDS)


def _masked(value: Json, secret: frozenset[str]) -> Json:
    kind = type(value)
    if kind is str:
        return value if len(value) < _SHORTEST_SHAPE else _without_keys(value)
    if kind is dict:
        return _object(value, secret)
    return _array(value, secret) if kind is list else value


def _object(members: dict[str, Json], secret: frozenset[str]) -> Json:
    changed: dict[str, Json] = {}
    for key, item in members.items():
        new = _member(key, item, secret)
        if new is not item:
            changed[key] = new
    return {**members, **changed} if changed else members


def _member(key: str, item: Json, secret: frozenset[str]) -> Json:
    if _folded(key) in secret:
        return _blanked(item, secret, (str, int, float))
    return _blanked(item, secret, (str,)) if _ends_secret(key) else _masked(item, secret)


def _array(items: list[Json], secret: frozenset[str]) -> Json:
    return _kept(items, [_masked(item, secret) for item in items])


def _kept(items: list[Json], copied: list[Json]) -> list[Json]:
    same = all(new is item for new, item in zip(copied, items, strict=True))
    return items if same else copied


def _blanked(value: Json, secret: frozenset[str], kinds: tuple[type, ...]) -> Json:
    """Mask what of these kinds stands under a secret's key, also in a list."""
    if isinstance(value, list):
        return _kept(value, [_blanked(item, secret, kinds) for item in value])
    if isinstance(value, kinds) and not isinstance(value, bool):
        return MASK
    return _masked(value, secret)


def _without_keys(text: str) -> str:
    """Replace what has the shape of a well-known key."""
    for marker, shape, replacement in _SHAPES:
        if marker in text:
            text = shape.sub(replacement, text)
    return text
