"""The options that several commands share, so that one word means one thing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flowjury.cli import completion

Suites = Annotated[
    list[Path] | None,
    typer.Argument(metavar="SUITE", help="Suite files or folders; without any, the project's."),
]
Cases = Annotated[
    list[str] | None,
    typer.Option("--case", "-c", help="Only this case (repeat).", autocompletion=completion.cases),
]
Host = Annotated[
    str | None,
    typer.Option(
        "--host",
        help="A host judge: its name, or a .py file.",
        autocompletion=completion.hosts,
    ),
]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", "-t", help="Only cases with this tag (repeat: any); a,b: with both."),
]
Words = Annotated[
    str | None,
    typer.Option(
        "-k", help="Only cases with this in id, title or tag; and, or, not, ( ) join words."
    ),
]
LastFailed = Annotated[
    bool,
    typer.Option("--last-failed", help="Only cases that did not pass when their suite ran last."),
]
Share = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="Only part I of N equal parts, by hash of the id."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-n",
        envvar="FLOWJURY_WORKERS",
        show_envvar=True,
        help="How many cases run at a time, each in a process; 0: in this one, for a debugger. "
        "Without it: as many as there are processors.",
    ),
]
Where = Annotated[
    str | None,
    typer.Option(
        "--executor",
        help="Where cases run: inline, processes, threads, or one with an address, such as "
        "dask://host:8786.",
    ),
]
FailFast = Annotated[
    bool, typer.Option("--fail-fast", "-x", help="Begin no case after one has failed or erred.")
]
Watch = Annotated[
    bool,
    typer.Option("--watch", "-w", help="Then run again what a changed file touches, until Ctrl-C."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON (see `flowjury schema`).")]
Run = Annotated[str | None, typer.Option("--run", help="A run, or the start of its id.")]
Advisory = Annotated[
    bool, typer.Option("--advisory", help="Exit 0 where it would be 1 or 3, and say so.")
]
Reports = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        autocompletion=completion.reports,
        help="Also write FORMAT=FILE, such as junit=out.xml, or FORMAT=- on standard output; of "
        "several suites out-SUITE.xml.",
    ),
]


def examples(*lines: str) -> str:
    """Return the end of a help text: examples, each on its own line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
