"""The moments: the time of day and the names of runs, read from the clock in one place."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def timestamp() -> str:
    """Return now in ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def run_id() -> str:
    """Return a new name for a run: sorted by time, unique by chance."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
