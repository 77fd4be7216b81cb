"""The commands that make traces and reports: run, record and refresh."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flowjury.cli import completion, watching
from flowjury.cli.ending import Done, shown
from flowjury.cli.options import (
    Advisory,
    AsJson,
    Cases,
    FailFast,
    LastFailed,
    Reports,
    Run,
    Share,
    Suites,
    Tags,
    Watch,
    Where,
    Words,
    Workers,
    examples,
)
from flowjury.cli.output import (
    complain,
    mention,
    progress,
)
from flowjury.cli.streams import prints_aside

if TYPE_CHECKING:
    from flowjury.app.running import Orders, Ran

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
            "flowjury run --watch --tag smoke",
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
    last_failed: LastFailed = False,
    shard: Share = None,
    data: Mode = None,
    workers: Workers = None,
    executor: Where = None,
    fail_fast: FailFast = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest run, where it was cut short.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --resume: run again what changed since.")
    ] = False,
    watch: Watch = False,
    reports: Reports = None,
    advisory: Advisory = False,
    verbose: Everything = False,
    as_json: AsJson = False,
) -> int:
    """Run the cases of suites, and report what they showed. Calls no judge."""
    wanted = _wanted(reports, as_json=as_json)
    orders = replace(
        _orders(case, tag, k, data=data, workers=workers, executor=executor, shard=shard),
        fail_fast=fail_fast,
        resume=resume,
        force=force,
    )
    if watch:
        watching.refuse_json(as_json=as_json)
        again = watching.Again(suites or (), orders, wanted, last_failed=last_failed)
        return watching.watch(again, advisory=advisory, verbose=verbose)
    ran = _run(suites, orders, wanted, last_failed=last_failed)
    return shown(ran, wanted, advisory=advisory, verbose=verbose, as_json=as_json)


def record(
    suites: Suites = None,
    *,
    case: Cases = None,
    tag: Tags = None,
    k: Words = None,
    workers: Workers = None,
    executor: Where = None,
    advisory: Advisory = False,
    verbose: Everything = False,
    as_json: AsJson = False,
) -> int:
    """Run cases live; keep what boundary nodes answer as fixtures.

    A fixture file that is there is only replaced if its case ended as expected.
    """
    ran = _run(suites, _orders(case, tag, k, data="record", workers=workers, executor=executor), ())
    if not as_json:
        for path in ran.recorded:
            mention(f"recorded: {path}")
    for path in ran.kept:
        complain(f"kept {path}: the case did not end as expected")
    for name in ran.unrecorded:
        complain(f"nothing is recorded of {name}: it was not observed to its end")
    return shown(ran, (), advisory=advisory, verbose=verbose, as_json=as_json)


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
    from flowjury.app.reporting import refuse_inputs
    from flowjury.app.standing import refresh as refresh_all

    wanted = _wanted(reports, as_json=as_json)
    with prints_aside():
        results = refresh_all(find_project(Path.cwd()), suites or (), run=run, evaluate=evaluate)
    refuse_inputs(wanted, [result.loaded for result in results])
    return shown(Done(results), wanted, advisory=advisory, verbose=verbose, as_json=as_json)


def _wanted(reports: Sequence[str] | None, *, as_json: bool) -> list[tuple[str, Path]]:
    from flowjury.app.reporting import orders, refuse_standard

    wanted = orders(reports or ())
    if as_json:
        refuse_standard(wanted)
    return wanted


def _orders(
    case: Sequence[str] | None,
    tag: Sequence[str] | None,
    words: str | None,
    *,
    data: str | None,
    workers: int | None,
    executor: str | None,
    shard: str | None = None,
) -> Orders:
    from flowjury.app.choice import Choice, shard_of
    from flowjury.app.moments import run_id, timestamp
    from flowjury.app.running import Orders, data_mode
    from flowjury.app.staffing import Staffing, workers_of

    return Orders(
        run=run_id(),
        started=timestamp(),
        choice=Choice(
            ids=tuple(case or ()), tags=tuple(tag or ()), words=words, shard=shard_of(shard)
        ),
        data=data_mode(data),
        staffing=Staffing(workers_of(workers), executor),
        tell=progress(),
    )


def _run(
    suites: Sequence[Path] | None,
    orders: Orders,
    wanted: Sequence[tuple[str, Path]],
    *,
    last_failed: bool = False,
) -> Done:
    from flowjury.app.failing import only_failing
    from flowjury.app.project import find_project, load_suites
    from flowjury.app.reporting import refuse_inputs
    from flowjury.app.running import run as run_suites
    from flowjury.app.suite_files import suite_paths

    project = find_project(Path.cwd())
    loaded = load_suites(suite_paths(project, suites or (), tell=complain))
    refuse_inputs(wanted, loaded)
    if last_failed:
        choice = only_failing(project, loaded, orders.choice, tell=complain)
        orders = replace(orders, choice=choice)
    gc.freeze()  # what is loaded stays to the end: looking through it for garbage is in vain
    with prints_aside():
        done = _gathered(run_suites(project, loaded, orders))
    if orders.choice.shard is not None and not done.results:
        complain(f"shard {orders.choice.shard} holds none of the chosen cases")
    return done


def _gathered(runs: Iterable[Ran]) -> Done:
    done = Done([])
    for ran in runs:
        done.results.append(ran.refreshed)
        done.recorded.extend(ran.recorded)
        done.kept.extend(ran.kept)
        done.unrecorded.extend(ran.unrecorded)
        done.interrupted = ran.interrupted
        if ran.interrupted:
            break
    return done
