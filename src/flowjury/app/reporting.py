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


def write_text(path: Path, text: str) -> None:
    """Write text to a file of the user's. Raises StoreError."""
    write(path, text.encode("utf-8", errors="backslashreplace"))


def write_reports(reports: Sequence[Report], wanted: Iterable[str]) -> None:
    """Write `FORMAT=FILE`; several suites share a file only where the format can hold them."""
    for one in wanted:
        name, equals, path = one.partition("=")
        if not equals or not path:
            raise UsageError(f"--report {one!r}: write FORMAT=FILE, for example junit=out.xml")
        if len(reports) > 1:
            names = [_numbered(Path(path), report.suite) for report in reports]
        else:
            names = [Path(path)]
        for report, file in zip(reports, names, strict=True):
            write_text(file, rendered(report, name))


def _numbered(path: Path, suite: str) -> Path:
    """Return the file of one of several suites: its name stands before the suffix."""
    return path.with_name(f"{path.stem}-{suite}{path.suffix}")
