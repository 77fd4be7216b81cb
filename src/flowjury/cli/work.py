"""The commands that make traces and reports: run, record, refresh and report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flowjury.cli.options import (
    Advisory,
    AsJson,
    Cases,
    Reports,
    Run,
    Suites,
    Tags,
    Words,
    examples,
)
from flowjury.cli.output import print_json, progress, say, show_report

if TYPE_CHECKING:
    from flowjury.app.refreshing import Refreshed

Everything = Annotated[bool, typer.Option("--verbose", "-v", help="Name the passed cases, too.")]
Mode = Annotated[
    str | None, typer.Option("--data", help="replay, record or live; overrides the suite.")
]
PRECEDENCE = (130, 2, 4, 1, 3)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog=examples(
            "flowjury run refunds.suite.yaml",
            "flowjury run --tag smoke --report junit=junit.xml",
            "flowjury run -k approval --json",
        )
    )(run)
    app.command(
        epilog=examples("flowjury record refunds.suite.yaml --case over-limit-needs-approval")
    )(record)
    app.command(
        epilog=examples("flowjury refresh", "flowjury refresh refunds.suite.yaml --evaluate")
    )(refresh)
    app.command(
        epilog=examples(
            "flowjury report --format markdown > summary.md",
            "flowjury report refunds.suite.yaml --format junit --output junit.xml",
        )
    )(report)


def run(
    suites: Suites = None,
    *,
    case: Cases = None,
    tag: Tags = None,
    k: Words = None,
    data: Mode = None,
    reports: Reports = None,
    advisory: Advisory = False,
    verbose: Everything = False,
    as_json: AsJson = False,
) -> int:
    """Run the cases of suites, and report what they showed. Calls no judge."""
    results = _run(suites, case, tag, k, data=data)
    return _shown(results, reports, advisory=advisory, verbose=verbose, as_json=as_json)


def record(
    suites: Suites = None,
    *,
    case: Cases = None,
    tag: Tags = None,
    k: Words = None,
    advisory: Advisory = False,
    verbose: Everything = False,
    as_json: AsJson = False,
) -> int:
    """Run cases live and keep the answers of boundary nodes as fixtures, for replay."""
    results = _run(suites, case, tag, k, data="record", told=not as_json)
    return _shown(results, None, advisory=advisory, verbose=verbose, as_json=as_json)


def refresh(
    suites: Suites = None,
    *,
    run: Run = None,
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="Run evaluators that have not answered yet.")
    ] = False,
    reports: Reports = None,
    advisory: Advisory = False,
    verbose: Everything = False,
    as_json: AsJson = False,
) -> int:
    """Build the reports again from stored traces and today's suites and answers."""
    from flowjury.app.project import find_project
    from flowjury.app.standing import refresh as refresh_all

    project = find_project(Path.cwd())
    results = refresh_all(project, suites or (), run=run, evaluate=evaluate)
    return _shown(results, reports, advisory=advisory, verbose=verbose, as_json=as_json)


def report(
    suites: Suites = None,
    *,
    run: Run = None,
    format: Annotated[  # noqa: A002 - the name of the option
        str, typer.Option("--format", "-f", help="console, json, junit, markdown, or a plugin's.")
    ] = "console",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
) -> int:
    """Print or write the report of the newest run in one format; the exit tells nothing of it."""
    from flowjury.app.project import find_project
    from flowjury.app.reporting import rendered, write_text
    from flowjury.app.standing import refresh as refresh_all

    results = refresh_all(find_project(Path.cwd()), suites or (), run=run)
    text = "".join(rendered(result.report, format) for result in results)
    if output is None:
        say(text.rstrip("\n"))
    else:
        write_text(output, text)
        say(f"written: {output}")
    return 0


def _run(
    suites: Sequence[Path] | None,
    case: Sequence[str] | None,
    tag: Sequence[str] | None,
    words: str | None,
    *,
    data: str | None,
    told: bool = False,
) -> list[Refreshed]:
    from flowjury.app.choice import Choice
    from flowjury.app.moments import run_id, timestamp
    from flowjury.app.project import find_project, load_suites, suite_paths
    from flowjury.app.running import Orders, data_mode
    from flowjury.app.running import run as run_suites

    project = find_project(Path.cwd())
    orders = Orders(
        run=run_id(),
        started=timestamp(),
        choice=Choice(ids=tuple(case or ()), tags=tuple(tag or ()), words=words),
        data=data_mode(data),
        tell=progress(),
    )
    results: list[Refreshed] = []
    for ran in run_suites(project, load_suites(suite_paths(project, suites or ())), orders):
        results.append(ran.refreshed)
        if told:
            for path in ran.recorded:
                say(f"recorded: {path}")
        if ran.interrupted:
            raise KeyboardInterrupt
    return results


def _shown(
    results: Sequence[Refreshed],
    reports: Sequence[str] | None,
    *,
    advisory: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    from flowjury.app.reporting import write_reports

    if as_json:
        print_json([result.report for result in results])
    else:
        for result in results:
            show_report(result.report, everything=verbose)
            _say_files(result)
    write_reports([result.report for result in results], reports or ())
    code = min((r.report.exit for r in results), key=_rank, default=0)
    return _advised(code, as_json=as_json) if advisory else code


def _say_files(result: Refreshed) -> None:
    if result.files:
        names = ", ".join(path.name for path in result.files)
        say(f"reports: {result.files[0].parent} ({names})")


def _rank(code: int) -> int:
    return PRECEDENCE.index(code) if code in PRECEDENCE else len(PRECEDENCE)


def _advised(code: Literal[0, 1, 3, 4] | int, *, as_json: bool) -> int:
    if code not in {1, 3}:
        return code
    if not as_json:
        say(f"advisory: exit 0 instead of {code}")
    return 0
