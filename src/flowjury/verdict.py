"""The verdicts of checks and the statuses of cases, and how several become one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Verdict(StrEnum):
    """What came of one check."""

    PASSED = "passed"
    UNKNOWN = "unknown"
    FAILED = "failed"
    ERROR = "error"


class Status(StrEnum):
    """What came of one case."""

    PASSED = "passed"
    NEEDS_JUDGE = "needs-judge"
    UNKNOWN = "unknown"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    NOT_RUN = "not-run"


EXIT_WORDS: Final[Mapping[int, str]] = MappingProxyType(
    {0: "passed", 1: "failed", 3: "incomplete", 4: "error"}
)
"""What an exit code says of a report."""

_RANK = {
    Status.PASSED: 0,
    Status.NEEDS_JUDGE: 1,
    Status.UNKNOWN: 2,
    Status.FAILED: 3,
    Status.ERROR: 4,
}
_ALL = (Verdict.ERROR, Verdict.FAILED, Verdict.UNKNOWN, Verdict.PASSED)
_ANY = (Verdict.ERROR, Verdict.PASSED, Verdict.UNKNOWN, Verdict.FAILED)
_FLIPPED = {Verdict.PASSED: Verdict.FAILED, Verdict.FAILED: Verdict.PASSED}


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Combine as `all`: error > failed > unknown > passed. Empty is unknown: nothing was said."""
    present = set(verdicts)
    return next((verdict for verdict in _ALL if verdict in present), Verdict.UNKNOWN)


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Combine as `any`: error, else passed, else unknown, else failed. Empty is unknown."""
    present = set(verdicts)
    return next((verdict for verdict in _ANY if verdict in present), Verdict.UNKNOWN)


def flipped(verdict: Verdict) -> Verdict:
    """Negate: passed and failed swap; unknown and error stay what they are."""
    return _FLIPPED.get(verdict, verdict)


def worst(statuses: Iterable[Status]) -> Status:
    """Return the worst: error > failed > unknown > needs-judge > passed; empty is unknown."""
    return max(statuses, key=_RANK.__getitem__, default=Status.UNKNOWN)
