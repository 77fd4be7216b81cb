"""Reporting: a report as text in a format, to where the user wants it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from flowjury import families
from flowjury.errors import UsageError
from flowjury.report.model import Report
from flowjury.store.files import write


def rendered(report: Report, name: str) -> str:
    """Return a report in a format. Raises UsageError for one that does not exist."""
    text: str = families.member("formats", name, "SUFFIX", "render").render(report)
    return text


def orders(wanted: Iterable[str]) -> list[tuple[str, Path]]:
    """Read each `FORMAT=FILE`. Raises UsageError for one that is not, or an unknown format."""
    found: list[tuple[str, Path]] = []
    for one in wanted:
        name, equals, path = one.partition("=")
        if not equals or not path:
            raise UsageError(f"--report {one!r}: write FORMAT=FILE, for example junit=out.xml")
        families.member("formats", name, "SUFFIX", "render")
        found.append((name, Path(path)))
    return found


def write_reports(reports: Sequence[Report], wanted: Iterable[tuple[str, Path]]) -> list[Path]:
    """Write reports in formats, each to a file of its own, and name these. Raises StoreError."""
    written: list[Path] = []
    for name, path in wanted:
        for report in reports:
            file = path if len(reports) == 1 else _numbered(path, report.suite)
            write(file, rendered(report, name).encode("utf-8", errors="backslashreplace"))
            written.append(file)
    return written


def _numbered(path: Path, suite: str) -> Path:
    """Return the file of one of several suites: its name stands before the suffix."""
    return path.with_name(f"{path.stem}-{suite}{path.suffix}")
