"""The texts: what has the shape of a key in them, or is called a secret, masked."""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "***"

SHORTEST: Final = 8
"""No shorter text holds a secret that its shape gives away."""

_CUT = r"(?:…|\.\.\.)"
"""What marks a text that was cut: before it a key has less than its length."""


def _shape(start: str, body: str, least: int) -> re.Pattern[str]:
    """Return the shape of a key: whole, or cut so that a part of it is left."""
    cut = f"{body}{{0,{least}}}{_CUT}{body}*"
    return re.compile(rf"(?<![A-Za-z0-9]){start}(?:{body}{{{least},}}|{cut})")


# Each shape starts at a word's edge and repeats one class of characters: linear time, and no
# `risk-…` is taken for a key. Its marker is searched first, as that is many times faster.
_SHAPES: Final = tuple(
    (marker, tuple(shapes), kept + MASK)
    for marker, kept, *shapes in (
        ("sk-", "", _shape("sk-", "[A-Za-z0-9_-]", 16)),
        ("earer", r"\1", re.compile(rf"\b([Bb]earer[ \t]+)(?:\S{{8,}}|\S{{1,7}}{_CUT}\S*)")),
        (
            "IA",
            "",
            re.compile(
                r"(?<![A-Za-z0-9])A[KS]IA"
                rf"(?:[A-Z0-9]{{16}}(?![A-Za-z0-9])|[A-Z0-9]{{0,16}}{_CUT}[A-Z0-9]*)"
            ),
        ),
        (
            "_",
            "",
            _shape("gh[pousr]_", "[A-Za-z0-9]", 20),
            _shape("github_pat_", "[A-Za-z0-9_]", 20),
            _shape("[rs]k_(?:live|test)_", "[A-Za-z0-9]", 16),
        ),
        (
            "eyJ",
            "",
            re.compile(
                r"(?<![\w-])eyJ[A-Za-z0-9_-]++(?:\.eyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){0,3}…?"
                rf"|(?:\.[A-Za-z0-9_-]*+){{0,2}}{_CUT}[A-Za-z0-9_.-]*)"
            ),
        ),
        (
            "-----BEGIN ",
            r"\1",
            re.compile(r"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----)(?s:.+?)(?:(?=-----END )|\Z)"),
        ),
    )
)

_URL = re.compile(r"""(://[^\s/?#@:"'<>\\]*:)[^\s/?#"'<>\\]+(?=@)""")
_SCHEME = re.compile(
    r"""(?i)(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|digest|token|apikey)\s+)\S+"""
)
_COOKIES = re.compile(r"(?im)^((?:set-)?cookie:[ \t]*)(?=[\w.-]+=).+")
_NAME = (
    r"(?:password|passwd|passphrase|pwd|secret|token|cookie|authorization"
    r"|(?:api|access|private|secret)[ _-]?key)"
)
_QUOTED = re.compile(
    rf"""(?i)({_NAME}(?:["']\s{{0,3}}:|["']?\s{{0,3}}=)\s{{0,3}}b?(["']))(?:\\.|(?!\2).)+"""
)
_BARE = re.compile(
    rf"(?i)({_NAME}=)(?!(?:none|null|true|false|[\d.]+)(?![\w+/~%=-]))[\w+/~%.=-]{{4,}}+(?![(\[])"
    rf"|({_NAME}:[ \t]?)(?=[\w+/~%.=-]*\d)(?=[\w+/~%.=-]*[a-z])[\w+/~%.=-]{{6,}}+(?![(\[])"
)
_NAMES: Final = ("assw", "assphrase", "pwd", "secret", "token", "cookie", "authorization", "key")
"""What a name has in it, in lower case."""


def masked_text(text: str) -> str:
    """Return a text, such as an error's message, without the secrets in it."""
    return text if len(text) < SHORTEST else _without_keys(text)


def _without_keys(text: str) -> str:
    """Replace what has the shape of a well-known key, or stands in the text as a secret."""
    before = text
    for marker, shapes, replacement in _SHAPES:
        if marker in text:
            for shape in shapes:
                text = shape.sub(replacement, text)
    if ":" in text or "=" in text:
        text = _without_named(text)
    return before if text == before else text


def _without_named(text: str) -> str:
    """Replace what a text calls a secret: in an address, a header, JSON or a call."""
    if "://" in text:
        text = _URL.sub(rf"\1{MASK}", text)
    lower = text.lower()
    if any(name in lower for name in _NAMES):
        text = _SCHEME.sub(rf"\1{MASK}", text)
        text = _COOKIES.sub(rf"\1{MASK}", text)
        text = _QUOTED.sub(rf"\1{MASK}", text)
        text = _BARE.sub(rf"\1\2{MASK}", text)
    return text
