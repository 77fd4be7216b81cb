"""The end of a command that made reports: they are shown and written, and the exit is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flowjury.cli.output import complain, mention, print_reports, show_overall, show_report

if TYPE_CHECKING:
    from flowjury.app.refreshing import Refreshed
    from flowjury.report.model import Report


@dataclass
class Done:
    """What a command came to."""

    results: list[Refreshed]
    recorded: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)
    unrecorded: list[str] = field(default_factory=list)
    interrupted: bool = False


def shown(
    ran: Done,
    wanted: Sequence[tuple[str, Path]],
    *,
    advisory: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Print and write the reports, and return the exit code of all of them."""
    from flowjury.app.reporting import exit_of, write_reports

    reports = [result.report for result in ran.results]
    if as_json:
        print_reports(reports)
    else:
        for result in ran.results:
            show_report(result.report, everything=verbose)
            _say_files(result)
    for path in write_reports(ran.results, wanted):
        (complain if as_json else mention)(f"written: {path}")
    if ran.interrupted:
        if not as_json:
            _say_how_to_go_on(reports)
        raise KeyboardInterrupt
    code = exit_of(reports)
    if not as_json:
        show_overall(code, len(reports))
    return _advised(code) if advisory else code


def _say_how_to_go_on(reports: Sequence[Report]) -> None:
    """Say that the exit is not that of the reports, as they are of what had finished."""
    data = " --data record" if any(report.data == "record" for report in reports) else ""
    mention(f"exit 130 instead: interrupted; to go on: flowjury run --resume{data}")


def _say_files(result: Refreshed) -> None:
    if result.files:
        names = ", ".join(path.name for path in result.files)
        mention(f"reports: {result.files[0].parent} ({names})")


def _advised(code: int) -> int:
    if code not in {1, 3}:
        return code
    complain(f"advisory: exit 0 instead of {code}")
    return 0
