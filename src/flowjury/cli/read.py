"""The commands that read what is stored: show and report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flowjury.cli import completion
from flowjury.cli.options import AsJson, Run, Suites, examples
from flowjury.cli.output import mention, print_json, print_reports, say, say_unwritten, show_case

if TYPE_CHECKING:
    from flowjury.app.showing import Line, Shown, ValueShown

ForSuites = Annotated[
    list[Path] | None, typer.Option("--suite", "-s", help="The suite, where several have the case.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog=examples(
            "flowjury show over-limit-needs-approval",
            "flowjury show over-limit-needs-approval --node look_up_order",
            "flowjury show over-limit-needs-approval --at /output --json",
        )
    )(show)
    app.command(
        epilog=examples(
            "flowjury report --format markdown > summary.md",
            "flowjury report refunds.suite.yaml --format junit --output junit.xml",
        )
    )(report)


def show(
    case: Annotated[
        str, typer.Argument(metavar="CASE", help="Id of the case.", autocompletion=completion.cases)
    ],
    *,
    node: Annotated[
        str | None, typer.Option("--node", help="Print the visits of this node, with all values.")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", help="Print the value at this JSON Pointer, whole.")
    ] = None,
    step: Annotated[str | None, typer.Option("--step", help="Look at this turn only.")] = None,
    trial: Annotated[int, typer.Option("--trial", min=1, help="Number of the trial.")] = 1,
    suite: ForSuites = None,
    run: Run = None,
    as_json: AsJson = False,
) -> int:
    """Show a case: its timeline, findings and answers, or one value."""
    from flowjury.app import showing
    from flowjury.app.project import find_project

    project = find_project(Path.cwd())
    wanted = showing.Wanted(case=case, suites=tuple(suite or ()), run=run, trial=trial, step=step)
    if node is not None:
        return _show_value(showing.show_node(project, wanted, node, at or ""), as_json=as_json)
    if at is not None:
        return _show_value(showing.show_value(project, wanted, at), as_json=as_json)
    shown = showing.show(project, wanted)
    if as_json:
        print_json(shown)
    else:
        _show_case(shown)
    return 0


def report(
    suites: Suites = None,
    *,
    run: Run = None,
    format: Annotated[  # noqa: A002 - the name of the option
        str,
        typer.Option(
            "--format",
            "-f",
            help="console, github, json, junit, markdown, or a plugin's.",
            autocompletion=completion.formats,
        ),
    ] = "console",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Print or write the newest report in one format. The exit tells nothing of it."""
    from flowjury.app.project import find_project
    from flowjury.app.reporting import joined, orders, refuse_inputs, write_reports
    from flowjury.app.standing import current

    wanted = orders([f"{format}={output or '-'}"])
    results = current(find_project(Path.cwd()), suites or (), run=run)
    refuse_inputs(wanted, [result.loaded for result in results])
    if not all(result.files for result in results):
        say_unwritten()
    if output is not None:
        for path in write_reports(results, wanted):
            mention(f"written: {path}")
    elif as_json:
        print_reports(result.report for result in results)
    else:
        say(joined(results, format).rstrip("\n"))
    return 0


def _show_value(value: ValueShown, *, as_json: bool) -> int:
    from flowjury.json_values import dumps

    if as_json:
        print_json(value)
    elif value.present:
        say(dumps(value.value, indent=2))
    else:
        say(value.message)
    return 0 if value.present else 1


def _show_case(shown: Shown) -> None:
    from flowjury.visible import visible

    name = visible(f"{shown.suite}: {shown.case.id}")
    say(f"{name}: {shown.case.status}  (run {shown.run}, trial {shown.trial})")
    if shown.status is not None:
        say(f"the workflow ended with {shown.status}")
    if shown.timeline:
        say(f"  {'started at':>12} {'took':>12}  node")
    step: str | None = None
    for line in shown.timeline:
        if line.step != step:
            step = line.step
            say(f"step {visible(str(step))}")
        say(visible(_timed(line)))
    show_case(shown.case)
    for note in shown.notes:
        say(f"note: {visible(note)}")
    if shown.printed:
        say("printed:")
        for text in shown.printed.splitlines():
            say(f"  {visible(text)}")


def _timed(line: Line) -> str:
    marks = [line.status]
    marks += [f"outcome {line.outcome}"] if line.outcome else []
    marks += [f"attempt {line.attempt}"] if line.attempt > 1 else []
    marks += [f"index {'.'.join(map(str, line.index))}"] if line.index else []
    marks += ["replayed"] if line.replayed else []
    marks += [f"{unit} {number}" for unit, number in (line.usage or {}).items()]
    marks += [line.error] if line.error else []
    name = "  " * line.depth + line.node
    return f"  {line.start_ms:9.1f} ms {line.took_ms:9.1f} ms  {name:<32} {', '.join(marks)}"
