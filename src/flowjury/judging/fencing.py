"""The fence: how judged text, which may be hostile, is put before a judge as data."""

from __future__ import annotations

import json
import re
from typing import Any, Final, Literal, TypeAlias

from flowjury.json_values import dumps
from flowjury.model import Json

Layout: TypeAlias = Literal["spaced", "compact", "indented"]

_LAYOUTS: Final[dict[Layout, dict[str, Any]]] = {
    "spaced": {},
    "compact": {"separators": (",", ":")},
    "indented": {"indent": 2},
}
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_LOOK_ALIKE: Final = re.compile(r"<(?=\||[^a-z<]{0,9}evidence)", re.IGNORECASE)
"""What could pass for the fence, or for a marker of a chat template."""


def readable(value: Json, layout: Layout = "spaced") -> str:
    """Write JSON text with letters as they are; only lone surrogates are escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False, **_LAYOUTS[layout])
    except ValueError:  # an integer too long for json
        return dumps(value)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def fenced(evidence: Json, token: str) -> str:
    """Write evidence as JSON inside a fence that it cannot forge.

    The token is random and new for each call. Look-alikes of the fence are written with JSON
    escapes, so that what they say stays the same.
    """
    text = _LOOK_ALIKE.sub(r"\\u003c", readable(evidence))
    return f"<evidence-{token}>\n{text}\n</evidence-{token}>"
