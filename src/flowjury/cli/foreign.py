"""The command `trace import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flowjury.cli import completion
from flowjury.cli.options import AsJson
from flowjury.cli.output import print_json, say
from flowjury.cli.streams import prints_aside

File = Annotated[Path, typer.Argument(metavar="FILE", help="A trace file of another tool.")]
Output = Annotated[
    Path, typer.Option("--output", "-o", help="The trace file to write, such as trace.json.")
]
From = Annotated[
    str | None,
    typer.Option(
        "--source",
        help="What wrote the file; without it, its content tells.",
        autocompletion=completion.sources,
    ),
]
Which = Annotated[
    str | None,
    typer.Option("--trace-id", help="Which trace of the file, or the start of its id."),
]
Complete = Annotated[
    list[str] | None,
    typer.Option(
        "--complete",
        metavar="CHANNEL",
        help="You know that all of it is in the file: executions, tools, messages or usage "
        "(repeat).",
    ),
]


def trace_import(
    file: File,
    *,
    output: Output,
    source: From = None,
    trace_id: Which = None,
    complete: Complete = None,
    as_json: AsJson = False,
) -> int:
    """Write a trace of another tool as one that suites can name, without its secrets."""
    from flowjury.app import importing

    with prints_aside():
        said = importing.import_trace(
            file, output, source=source, trace_id=trace_id, complete=complete or ()
        )
    if as_json:
        print_json(said)
    else:
        for line in importing.described(said):
            say(line)
    return 0
