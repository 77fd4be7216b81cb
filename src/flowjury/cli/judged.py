"""The commands about judges: judge, pending and attach."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flowjury.cli.options import AsJson, Cases, Host, Suites, examples
from flowjury.cli.output import (
    complain,
    is_terminal,
    mention,
    print_json,
    say,
    say_unwritten,
    show_overall,
    show_report,
)
from flowjury.cli.streams import prints_aside, standard_input
from flowjury.plural import numbered

if TYPE_CHECKING:
    from flowjury.app.attaching import Attached
    from flowjury.app.judging import Bench, Sitting
    from flowjury.app.pending import Pending, Rerun
    from flowjury.app.refreshing import Refreshed
    from flowjury.errors import JudgeFailure
    from flowjury.request import Judgement, Request

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE", help="Result files or folders, or - for standard input; none: all found."
    ),
]
ForSuites = Annotated[
    list[Path] | None, typer.Option("--suite", "-s", help="Only what this suite asks (repeat).")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen; do nothing.")]
Commit = Annotated[
    bool, typer.Option("--commit", help="Keep answers to live runs beside the suite, too.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog=examples(
            "flowjury judge --host openai_rubric --model gpt-5-mini",
            "flowjury judge --host judges/my_judge.py --votes 3 refunds.suite.yaml",
            "flowjury judge --host openai_rubric --dry-run",
        )
    )(judge)
    app.command(epilog=examples("flowjury pending", "flowjury pending --json"))(pending)
    app.command(
        epilog=examples(
            "flowjury attach                    (everything in .flowjury/results)",
            "flowjury attach answer.json more/",
            "cat answer.json | flowjury attach -",
        )
    )(attach)


def judge(
    suites: Suites = None,
    *,
    host: Host = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model it asks.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the judge, KEY=VALUE (repeat).")
    ] = None,
    votes: Annotated[int, typer.Option(min=1, help="Answers to ask of it per request.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests under way at once.")] = 4,
    case: Cases = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Ask a host judge every open request, and attach its answers."""
    from flowjury.app import judging
    from flowjury.app.moments import timestamp
    from flowjury.app.project import find_project

    project = find_project(Path.cwd())
    bench = judging.Bench(
        host=judging.host_of(project, host),
        settings=judging.settings_of(project, model, setting or ()),
        environment=os.environ,
        now=timestamp,
        votes=votes,
        concurrency=concurrency,
        cases=tuple(case or ()),
    )
    if dry_run:
        return _dry(bench, judging.open_requests(project, suites or (), bench.cases), as_json)
    with prints_aside():
        begin = partial(_begun, bench)
        sitting = judging.judge(project, suites or (), bench, begin=begin, tell=_told)
    return _judged(sitting, as_json)


def _judged(sitting: Sitting, as_json: bool) -> int:
    from flowjury.app import judging

    if sitting.spent:
        complain(f"spent: {' · '.join(f'{unit} {n}' for unit, n in sitting.spent.items())}")
    if as_json:
        print_json(judging.said(sitting))
    else:
        _show_reports(sitting.reports)
    return judging.exit_of(sitting)


def _dry(bench: Bench, requests: Sequence[Request], as_json: bool) -> int:
    from flowjury.app.judging import said_dry

    if as_json:
        print_json(said_dry(bench, requests))
        return 0
    say(f"{bench.host} would be asked {_asked(bench, requests)}")
    for request in requests:
        say(f"  {request.digest[:12]}  {_place(request)}")
    return 0


def _begun(bench: Bench, requests: Sequence[Request]) -> None:
    model = bench.settings.get("model")
    of = f" (model {model})" if model else ""
    complain(f"asking {bench.host}{of} {_asked(bench, requests)}")


def _asked(bench: Bench, requests: Sequence[Request]) -> str:
    times = f", {bench.votes} times each" if bench.votes > 1 else ""
    return f"{numbered(len(requests), 'request')}{times}"


def _told(request: Request, answer: Judgement | JudgeFailure) -> None:
    if isinstance(answer, Exception):
        complain(f"{_place(request)}: no answer ({answer.code}): {answer}")
    elif is_terminal(sys.stderr):
        typer.echo(f"answered: {_place(request)}", err=True)


def _place(request: Request) -> str:
    return f"{request.suite}: {request.case}" + (f", step {request.step}" if request.step else "")


def pending(suites: Suites = None, *, as_json: AsJson = False) -> int:
    """List what still needs a judge, or must run again before."""
    from flowjury.app import pending as use_case
    from flowjury.app.project import find_project

    found = use_case.pending(find_project(Path.cwd()), suites or ())
    if not found.written:
        say_unwritten()
    if as_json:
        print_json(use_case.said(found))
    else:
        _show_open(found.open)
        _show_rerun(found.rerun)
        if not (found.open or found.rerun):
            say("nothing needs a judge")
    return 3 if found.open or found.rerun else 0


def _show_open(found: Sequence[Pending]) -> None:
    from flowjury.visible import visible

    for one in found:
        say(f"{visible(_place(one.request))}")
        say(f"  request {one.request.digest}")
        say(f"  {visible(one.message)}")
        if one.changed:
            say(f"  since the last answer: {visible(', '.join(one.changed))}")
        say(f"  {one.file}")
    if found:
        say(f"{len(found)} open; have them answered by `flowjury judge`, or attach your answers")


def _show_rerun(found: Sequence[Rerun]) -> None:
    from flowjury.visible import visible

    if found:
        say(f"{numbered(len(found), 'case')} must be run again (flowjury run):")
    for one in found:
        say(visible(f"  {one.suite}: {one.case}: {one.reason}"))


def attach(
    files: Files = None,
    *,
    suite: ForSuites = None,
    dry_run: DryRun = False,
    commit: Commit = False,
    as_json: AsJson = False,
) -> int:
    """Attach results that anyone wrote, and refresh the reports.

    Exits as the reports do; 2 where an answer could not be used.
    """
    from flowjury.app import attaching
    from flowjury.app.project import find_project

    project = find_project(Path.cwd())
    answers = attaching.answers_in(project, files or (), read=standard_input)
    attachment = (
        attaching.rehearse(project, answers, suites=suite or ())
        if dry_run
        else attaching.attach(project, answers, suites=suite or (), commit=commit)
    )
    code = attaching.exit_of(attachment, named=bool(files))
    if as_json:
        print_json(attaching.said(attachment))
    else:
        _show_attached(attachment.answers, dry_run=dry_run)
        _show_reports(attachment.reports)
    if count := attaching.unusable(attachment, named=bool(files)):
        complain(f"exit {code}: {numbered(count, 'answer')} could not be used")
    return code


def _show_attached(answers: Sequence[Attached], *, dry_run: bool) -> None:
    from flowjury.visible import visible

    if not answers:
        mention("no results found; put them into .flowjury/results, or name files")
    for one in answers:
        fate = f"would be {one.fate}" if dry_run and one.fate == "attached" else one.fate
        case = f" ({one.case})" if one.case else ""
        why = f": {one.message}" if one.message else ""
        mention(visible(f"{one.place}: {fate}{case}{why}"))


def _show_reports(refreshed: Sequence[Refreshed]) -> None:
    from flowjury.app.reporting import exit_of

    reports = [one.report for one in refreshed]
    for report in reports:
        show_report(report)
    show_overall(exit_of(reports), len(reports))
