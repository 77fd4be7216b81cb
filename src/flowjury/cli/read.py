"""The commands that only read: show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flowjury.cli.options import AsJson, Run, examples
from flowjury.cli.output import print_json, say, show_case

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


def show(
    case: Annotated[str, typer.Argument(metavar="CASE", help="Id of the case.")],
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
    """Show what a case did: its timeline and findings, or one value of it."""
    from flowjury.app import showing
    from flowjury.app.project import find_project

    project = find_project(Path.cwd())
    wanted = showing.Wanted(case=case, suites=tuple(suite or ()), run=run, trial=trial, step=step)
    if node is not None:
        at = showing.node_pointer(project, wanted, node) + (at or "")
    if at is not None:
        return _show_value(showing.show_value(project, wanted, at), as_json=as_json)
    shown = showing.show(project, wanted)
    if as_json:
        print_json(shown)
    else:
        _show_case(shown)
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
    from flowjury.formats._text import visible

    say(f"{visible(shown.case.id)}: {shown.case.status}  (run {shown.run}, trial {shown.trial})")
    if shown.status is not None:
        say(f"the workflow ended with {shown.status}")
    step: str | None = None
    for line in shown.timeline:
        if line.step != step:
            step = line.step
            say(f"step {visible(str(step))}")
        say(visible(_timed(line)))
    show_case(shown.case)


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
