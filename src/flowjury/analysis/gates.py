"""The gates of a suite that bound nothing: no check of it can count for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flowjury.check import Check
from flowjury.suite import Suite

_CURES: Final = {
    "critical": "write `critical: true` on checks",
    "warnings": "write `enforcement: warn` on checks",
}


def gate_faults(suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield the pointer of each gate that nothing can count for, and what is wrong."""
    checks = [*suite.checks, *(check for case in suite.cases for check in case.all_checks)]
    counts = {
        "critical": any(check.critical for check in checks),
        "warnings": any(map(may_warn, checks)),
    }
    for name, cure in _CURES.items():
        if getattr(suite.gates, name, None) is not None and not counts[name]:
            yield f"/gates/{name}", f"no check counts for this gate: {cure}, or remove the gate"


def may_warn(check: Check) -> bool:
    """Tell whether a check is a warning, or becomes one where what it measures is missing."""
    return check.enforcement == "warn" or getattr(check, "on_missing", None) == "warn"
