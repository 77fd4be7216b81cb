"""The visible: a text as one line that shows what it holds, and does nothing to who reads it."""

from __future__ import annotations

import re
from typing import Final

_HIDDEN: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f\xad"  # control characters, the soft hyphen
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # direction, breaks, no width
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"  # annotations, no characters, lone surrogates
    "\U000e0000-\U000e007f"  # tags
    "]"
)


def visible(text: str) -> str:
    """Escape what would be invisible or act: the text is one line that shows what it holds."""
    return _HIDDEN.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
