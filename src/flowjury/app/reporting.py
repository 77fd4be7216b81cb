"""Reporting: a report as text in a format, to where the user wants it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from flowjury import families
from flowjury.app.project import Loaded
from flowjury.app.refreshing import Refreshed
from flowjury.app.suite_files import is_suite
from flowjury.errors import UsageError
from flowjury.report.model import Report
from flowjury.store.files import resolved, stem
from flowjury.store.layout import FOLDER
from flowjury.store.outputs import is_stream, write_out

_PRECEDENCE: Final = (4, 1, 3, 0)
_SOURCES: Final = {".py", ".yaml", ".yml", ".toml", ".wf"}
"""Suffixes of files that people write."""
_STANDARD: Final = Path("-")


def rendered(result: Refreshed, name: str) -> str:
    """Return a report in a format. Raises UsageError for one that does not exist."""
    module = families.member("formats", name, "SUFFIX", "render")
    if not hasattr(module, "render_at"):
        text: str = module.render(result.report)
        return text
    file = _in_repository(result.loaded.path) or result.report.suite_file
    placed: str = module.render_at(result.report, file=file, line=result.loaded.document.line)
    return placed


def _in_repository(path: Path) -> str | None:
    """Return the path of a file from the root of its repository, as hosts of code name it."""
    place = resolved(path)
    for folder in place.parents:
        if (folder / ".git").exists():
            return place.relative_to(folder).as_posix()
    return None


def joined(results: Sequence[Refreshed], name: str) -> str:
    """Return reports as one text. Raises UsageError for a format that cannot hold several."""
    _refuse_several(name, [result.report.suite for result in results])
    return "".join(rendered(result, name) for result in results)


def _refuse_several(name: str, suites: Sequence[str]) -> None:
    module = families.member("formats", name, "SUFFIX", "render")
    if len(suites) > 1 and not getattr(module, "JOINABLE", False):
        raise UsageError(
            f"{name} holds one report, and there are {len(suites)} ({', '.join(suites)}): name one "
            "suite, or write each to a file of its own with --output FILE"
        )


def exit_of(reports: Iterable[Report]) -> int:
    """Return the exit code of several reports: 4 before 1, before 3, before 0."""
    return min((report.exit for report in reports), key=_PRECEDENCE.index, default=0)


def orders(wanted: Iterable[str]) -> list[tuple[str, Path]]:
    """Read each `FORMAT=FILE`, where `-` is standard output.

    Raises UsageError for one that is not, or an unknown format.
    """
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


def refuse_standard(wanted: Iterable[tuple[str, Path]]) -> None:
    """Refuse reports on standard output, where that holds JSON. Raises UsageError."""
    for name, path in wanted:
        if path == _STANDARD:
            raise UsageError(f"--report {name}=-: with --json, standard output holds that alone")


def refuse_inputs(wanted: Iterable[tuple[str, Path]], suites: Sequence[Loaded]) -> None:
    """Refuse reports that would take the place of what people wrote, or of each other.

    Raises UsageError.
    """
    wanted = list(wanted)
    if not wanted:
        return
    names = [loaded.suite.name for loaded in suites]
    _refuse_doubles(wanted, names)
    inputs = {resolved(file) for loaded in suites for file in _inputs(loaded)}
    for name, path in wanted:
        if _streams(path):
            _refuse_several(name, names)
        for file in (path, *_outputs(path, names)):
            place = resolved(file)
            if not inputs.isdisjoint(place.parents):
                raise UsageError(f"{file}: a report does not belong into this folder; name another")
            if file.is_file() and (place in inputs or _is_source(place)):
                raise UsageError(
                    f"{file}: a report would take the place of this file, which is no report; "
                    "name another"
                )


def _refuse_doubles(wanted: Sequence[tuple[str, Path]], suites: Sequence[str]) -> None:
    taken: dict[Path, str] = {}
    for name, path in wanted:
        for file in () if _streams(path) else _outputs(path, suites):
            place = resolved(file)
            if place in taken:
                raise UsageError(
                    f"--report {name}={path}: --report {taken[place]} writes {file}, too; "
                    "name another file"
                )
            taken[place] = f"{name}={path}"


def _inputs(loaded: Loaded) -> Iterator[Path]:
    """Yield the files, and folders of files, from which the report of a suite is made."""
    yield from (loaded.path, *loaded.files, loaded.fixtures, loaded.judgements)
    for case in loaded.suite.cases:
        if trace := loaded.suite.target.trace_file(case.id, case.trace):
            yield loaded.folder / trace


def _is_source(place: Path) -> bool:
    return place.suffix.lower() in _SOURCES or is_suite(place) or FOLDER in place.parts


def write_reports(results: Sequence[Refreshed], wanted: Iterable[tuple[str, Path]]) -> list[Path]:
    """Write reports in formats, each to its place, and name the files. Raises StoreError."""
    written: list[Path] = []
    for name, path in wanted:
        if _streams(path):
            stream = Path("/dev/stdout") if path == _STANDARD else path
            write_out(stream, _bytes(joined(results, name)))
            continue
        files = _outputs(path, [result.report.suite for result in results])
        for result, file in zip(results, files, strict=True):
            if write_out(file, _bytes(rendered(result, name))) == "file":
                written.append(file)
    return written


def _streams(path: Path) -> bool:
    """Tell whether what is written follows what was written before, as in a pipe."""
    return path == _STANDARD or is_stream(path)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")


def _outputs(path: Path, suites: Sequence[str]) -> list[Path]:
    """Return the file of each suite: of several, its name stands before the suffix."""
    if len(suites) == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{stem(suite)}{path.suffix}") for suite in suites]
