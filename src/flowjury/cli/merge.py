"""The command `runs merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flowjury.cli.options import AsJson
from flowjury.cli.output import print_reports, say, show_overall, show_report
from flowjury.cli.streams import prints_aside


def runs_merge(
    stores: Annotated[
        list[Path],
        typer.Argument(metavar="STORE...", help="Projects, their folders .flowjury, or runs.db."),
    ],
    *,
    as_json: AsJson = False,
) -> int:
    """Join the newest runs of shards into one run of this project, and report it."""
    from flowjury.app.merging import merge
    from flowjury.app.project import find_project
    from flowjury.app.reporting import exit_of

    with prints_aside():
        merged = merge(find_project(Path.cwd()), stores)
    reports = [each.report for each in merged]
    code = exit_of(reports)
    if as_json:
        print_reports(reports)
        return code
    for each in merged:
        show_report(each.report)
        say(f"merged into run {each.report.run}")
    show_overall(code, len(reports))
    return code
