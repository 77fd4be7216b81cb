"""The groups of commands: graph, suite, trace and runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flowjury.cli.foreign import trace_import
from flowjury.cli.merge import runs_merge
from flowjury.cli.options import AsJson, Suites, examples
from flowjury.cli.output import complain, print_json, print_list, say
from flowjury.cli.streams import prints_aside

Import = Annotated[
    bool, typer.Option("--import", help="Load user code where only that knows the graph.")
]


def register(app: typer.Typer) -> None:
    """Add the groups."""
    graph = typer.Typer(help="Ask questions of the workflow's graph.", no_args_is_help=True)
    graph.command("show", epilog=examples("flowjury graph show workflow.yaml"))(graph_show)
    suite = typer.Typer(help="Look after suite files.", no_args_is_help=True)
    suite.command("lint", epilog=examples("flowjury suite lint", "flowjury suite lint --import"))(
        suite_lint
    )
    trace = typer.Typer(help="Look after trace files.", no_args_is_help=True)
    trace.command(
        "import",
        epilog=examples(
            "flowjury trace import spans.jsonl --output traces/refund.json",
            "flowjury trace import spans.jsonl --trace-id 5b8efff7 -o traces/refund.json",
            "flowjury trace import spans.jsonl -o traces/refund.json --complete executions",
        ),
    )(trace_import)
    runs = typer.Typer(help="Look after stored runs.", no_args_is_help=True)
    runs.command(
        "merge",
        epilog=examples("flowjury runs merge shard-1 shard-2 shard-3"),
    )(runs_merge)
    runs.command("list", epilog=examples("flowjury runs list", "flowjury runs list --json"))(
        runs_list
    )
    for name, group in (("graph", graph), ("suite", suite), ("trace", trace), ("runs", runs)):
        app.add_typer(group, name=name)


def graph_show(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A workflow file, or a suite with one.")
    ],
    *,
    load: Import = False,
    as_json: AsJson = False,
) -> int:
    """Show the nodes and edges of a workflow; of a suite, those that its cases run on."""
    from flowjury.app import graphing
    from flowjury.app.project import find_project

    with prints_aside():
        workflow = graphing.graph_of(find_project(Path.cwd()), file, load=load)
    if as_json:
        print_json(workflow)
    else:
        for line in graphing.described(workflow):
            say(line)
    return 0


def suite_lint(suites: Suites = None, *, load: Import = False, as_json: AsJson = False) -> int:
    """Find what is wrong with suites, or could be, before anything runs."""
    from flowjury.app import linting
    from flowjury.app.project import find_project

    with prints_aside():
        project = find_project(Path.cwd())
        found = linting.lint(project, suites or (), load=load, tell=complain)
    if as_json:
        print_json(linting.said(found))
    else:
        if found.faults:
            complain("\n".join(map(str, found.faults)))
        for hint in found.hints:
            say(f"hint: {hint}")
        say(linting.summary(found))
    return 2 if found.faults else 0


def runs_list(*, as_json: AsJson = False) -> int:
    """List the stored runs, newest first."""
    from flowjury.app import listing
    from flowjury.app.project import find_project

    runs = listing.listed(find_project(Path.cwd()))
    if as_json:
        print_list(runs)
    elif not runs:
        say("no run is stored here; run a suite first: flowjury run SUITE")
    else:
        for run in runs:
            say(listing.line(run))
    return 0
