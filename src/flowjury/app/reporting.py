"""Reporting: a report as text in a format, to where the user wants it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from flowjury import families
from flowjury.app.project import Loaded
from flowjury.app.suite_files import is_suite
from flowjury.errors import UsageError
from flowjury.report.model import Report
from flowjury.store.files import resolved, stem
from flowjury.store.layout import FOLDER
from flowjury.store.outputs import write_out

_PRECEDENCE: Final = (4, 1, 3, 0)
_SOURCES: Final = {".py", ".yaml", ".yml", ".toml", ".wf"}
"""Suffixes of files that people write."""


def rendered(report: Report, name: str) -> str:
    """Return a report in a format. Raises UsageError for one that does not exist."""
    text: str = families.member("formats", name, "SUFFIX", "render").render(report)
    return text


def joined(reports: Sequence[Report], name: str) -> str:
    """Return reports as one text. Raises UsageError for a format that cannot hold several."""
    module = families.member("formats", name, "SUFFIX", "render")
    if len(reports) > 1 and not getattr(module, "JOINABLE", False):
        suites = ", ".join(report.suite for report in reports)
        raise UsageError(
            f"{name} holds one report, and there are {len(reports)} ({suites}): name one suite, or "
            "write each to a file of its own with --output FILE"
        )
    return "".join(rendered(report, name) for report in reports)


def exit_of(reports: Iterable[Report]) -> int:
    """Return the exit code of several reports: 4 before 1, before 3, before 0."""
    return min((report.exit for report in reports), key=_PRECEDENCE.index, default=0)


def orders(wanted: Iterable[str]) -> list[tuple[str, Path]]:
    """Read each `FORMAT=FILE`. Raises UsageError for one that is not, or an unknown format."""
    found: list[tuple[str, Path]] = []
    for one in wanted:
        name, equals, path = one.partition("=")
        if not equals or not path:
            raise UsageError(f"--report {one!r}: write FORMAT=FILE, for example junit=out.xml")
        families.member("formats", name, "SUFFIX", "render")
        if Path(path).is_dir():
            raise UsageError(f"--report {one!r}: {path} is a folder; name a file")
        found.append((name, Path(path)))
    return found


def refuse_inputs(wanted: Iterable[tuple[str, Path]], suites: Sequence[Loaded]) -> None:
    """Refuse reports that would take the place of what people wrote. Raises UsageError."""
    names = [loaded.suite.name for loaded in suites]
    inputs = {resolved(file) for loaded in suites for file in _inputs(loaded)}
    for _, path in wanted:
        for file in (path, *_outputs(path, names)):
            place = resolved(file)
            if not inputs.isdisjoint(place.parents):
                raise UsageError(f"{file}: a report does not belong into this folder; name another")
            if file.is_file() and (place in inputs or _is_source(place)):
                raise UsageError(
                    f"{file}: a report would take the place of this file, which is no report; "
                    "name another"
                )


def _inputs(loaded: Loaded) -> Iterator[Path]:
    """Yield the files, and folders of files, from which the report of a suite is made."""
    yield from (loaded.path, *loaded.files, loaded.fixtures, loaded.judgements)
    for case in loaded.suite.cases:
        if trace := loaded.suite.target.trace_file(case.id, case.trace):
            yield loaded.folder / trace


def _is_source(place: Path) -> bool:
    return place.suffix.lower() in _SOURCES or is_suite(place) or FOLDER in place.parts


def write_reports(reports: Sequence[Report], wanted: Iterable[tuple[str, Path]]) -> list[Path]:
    """Write reports in formats, each to its place, and name the files. Raises StoreError."""
    written: list[Path] = []
    for name, path in wanted:
        files = _outputs(path, [report.suite for report in reports])
        for report, file in zip(reports, files, strict=True):
            text = rendered(report, name).encode("utf-8", errors="backslashreplace")
            if write_out(file, text) == "file":
                written.append(file)
    return written


def _outputs(path: Path, suites: Sequence[str]) -> list[Path]:
    """Return the file of each suite: of several, its name stands before the suffix."""
    if len(suites) == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{stem(suite)}{path.suffix}") for suite in suites]
