"""The reason: what an exception says, whatever its class does when it is asked."""

from __future__ import annotations

from typing import Final

from flowjury.masking import masked_text

_LONGEST: Final = 300


def text_of(error: BaseException) -> str:
    """Return an exception's message."""
    try:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the class is the user's: its code may raise anything
        return f"<no message: str() of this {type(error).__name__} fails>"


def reason_of(error: BaseException) -> str:
    """Say what was raised, in one line and without the secrets in it."""
    text = masked_text(" ".join(text_of(error).split()))
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return ": ".join(part for part in (type(error).__name__, shown) if part)
