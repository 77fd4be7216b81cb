"""The commands that make traces and reports: run, record, refresh and report."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from flowjury.cli.output import complain, print_reports, progress, say, show_report

if TYPE_CHECKING:
    from flowjury.app.refreshing import Refreshed

Everything = Annotated[bool, typer.Option("--verbose", "-v", help="Name the passed cases, too.")]
Mode = Annotated[
    str | None, typer.Option("--data", help="replay, record or live; overrides the suite.")
]
PRECEDENCE = (4, 1, 3, 0)


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
    from flowjury.app.reporting import orders

    wanted = orders(reports or ())
    ran = _run(suites, case, tag, k, data=data)
    return _shown(ran, wanted, advisory=advisory, verbose=verbose, as_json=as_json)


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
    ran = _run(suites, case, tag, k, data="record")
    if not as_json:
        for path in ran.recorded:
            say(f"recorded: {path}")
    return _shown(ran, (), advisory=advisory, verbose=verbose, as_json=as_json)


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
    from flowjury.app.reporting import orders
    from flowjury.app.standing import refresh as refresh_all

    wanted = orders(reports or ())
    results = refresh_all(find_project(Path.cwd()), suites or (), run=run, evaluate=evaluate)
    return _shown(_Ran(results), wanted, advisory=advisory, verbose=verbose, as_json=as_json)


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
    as_json: AsJson = False,
) -> int:
    """Print or write the report of the newest run in one format; the exit tells nothing of it."""
    from flowjury.app.project import find_project
    from flowjury.app.reporting import orders, rendered, write_reports
    from flowjury.app.standing import refresh as refresh_all

    wanted = orders([f"{format}={output or '-'}"])
    results = refresh_all(find_project(Path.cwd()), suites or (), run=run)
    made = [result.report for result in results]
    if output is not None:
        for path in write_reports(made, wanted):
            say(f"written: {path}")
    elif as_json:
        print_reports(made)
    else:
        say("".join(rendered(one, format) for one in made).rstrip("\n"))
    return 0


@dataclass
class _Ran:
    """What a command came to."""

    results: list[Refreshed]
    recorded: list[Path] = field(default_factory=list)
    interrupted: bool = False


def _run(
    suites: Sequence[Path] | None,
    case: Sequence[str] | None,
    tag: Sequence[str] | None,
    words: str | None,
    *,
    data: str | None,
) -> _Ran:
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
    loaded = load_suites(suite_paths(project, suites or ()))
    gc.freeze()  # what is loaded stays to the end: looking through it for garbage is in vain
    whole = _Ran([])
    for ran in run_suites(project, loaded, orders):
        whole.results.append(ran.refreshed)
        whole.recorded.extend(ran.recorded)
        whole.interrupted = ran.interrupted
        if ran.interrupted:
            break
    return whole


def _shown(
    ran: _Ran,
    wanted: Sequence[tuple[str, Path]],
    *,
    advisory: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Print and write the reports, and return the exit code of all of them."""
    from flowjury.app.reporting import write_reports

    reports = [result.report for result in ran.results]
    if as_json:
        print_reports(reports)
    else:
        for result in ran.results:
            show_report(result.report, everything=verbose)
            _say_files(result)
    write_reports(reports, wanted)
    if ran.interrupted:
        raise KeyboardInterrupt
    code = min((report.exit for report in reports), key=PRECEDENCE.index, default=0)
    return _advised(code) if advisory else code


def _say_files(result: Refreshed) -> None:
    if result.files:
        names = ", ".join(path.name for path in result.files)
        say(f"reports: {result.files[0].parent} ({names})")


def _advised(code: int) -> int:
    if code not in {1, 3}:
        return code
    complain(f"advisory: exit 0 instead of {code}")
    return 0
