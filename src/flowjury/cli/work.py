"""The commands that make traces and reports: run, record and refresh."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flowjury.cli import completion
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
from flowjury.cli.output import (
    complain,
    print_reports,
    progress,
    say,
    show_overall,
    show_report,
)
from flowjury.cli.streams import prints_aside

if TYPE_CHECKING:
    from flowjury.app.refreshing import Refreshed
    from flowjury.app.running import Ran

Everything = Annotated[bool, typer.Option("--verbose", "-v", help="Name the passed cases, too.")]
Mode = Annotated[
    str | None,
    typer.Option(
        "--data",
        help="replay, record or live; overrides the suite.",
        autocompletion=completion.modes,
    ),
]


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
    ran = _run(suites, case, tag, k, data=data, wanted=wanted)
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
    """Run cases live; keep what boundary nodes answer as fixtures.

    A fixture file that is there is only replaced if its case ended as expected.
    """
    ran = _run(suites, case, tag, k, data="record")
    if not as_json:
        for path in ran.recorded:
            say(f"recorded: {path}")
    for path in ran.kept:
        complain(f"kept {path}: the case did not end as expected")
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
    """Build reports again, from stored traces and today's files."""
    from flowjury.app.project import find_project
    from flowjury.app.reporting import orders, refuse_inputs
    from flowjury.app.standing import refresh as refresh_all

    wanted = orders(reports or ())
    with prints_aside():
        results = refresh_all(find_project(Path.cwd()), suites or (), run=run, evaluate=evaluate)
    refuse_inputs(wanted, [result.loaded for result in results])
    return _shown(_Done(results), wanted, advisory=advisory, verbose=verbose, as_json=as_json)


@dataclass
class _Done:
    """What a command came to."""

    results: list[Refreshed]
    recorded: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)
    interrupted: bool = False


def _run(
    suites: Sequence[Path] | None,
    case: Sequence[str] | None,
    tag: Sequence[str] | None,
    words: str | None,
    *,
    data: str | None,
    wanted: Sequence[tuple[str, Path]] = (),
) -> _Done:
    from flowjury.app.choice import Choice
    from flowjury.app.moments import run_id, timestamp
    from flowjury.app.project import find_project, load_suites
    from flowjury.app.reporting import refuse_inputs
    from flowjury.app.running import Orders, data_mode
    from flowjury.app.running import run as run_suites
    from flowjury.app.suite_files import suite_paths

    project = find_project(Path.cwd())
    orders = Orders(
        run=run_id(),
        started=timestamp(),
        choice=Choice(ids=tuple(case or ()), tags=tuple(tag or ()), words=words),
        data=data_mode(data),
        tell=progress(),
    )
    loaded = load_suites(suite_paths(project, suites or (), tell=complain))
    refuse_inputs(wanted, loaded)
    gc.freeze()  # what is loaded stays to the end: looking through it for garbage is in vain
    with prints_aside():
        return _gathered(run_suites(project, loaded, orders))


def _gathered(runs: Iterable[Ran]) -> _Done:
    done = _Done([])
    for ran in runs:
        done.results.append(ran.refreshed)
        done.recorded.extend(ran.recorded)
        done.kept.extend(ran.kept)
        done.interrupted = ran.interrupted
        if ran.interrupted:
            break
    return done


def _shown(
    ran: _Done,
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
    for path in write_reports(reports, wanted):
        (complain if as_json else say)(f"written: {path}")
    if ran.interrupted:
        raise KeyboardInterrupt
    code = exit_of(reports)
    if not as_json:
        show_overall(code, len(reports))
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
