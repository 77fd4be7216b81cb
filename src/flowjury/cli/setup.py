"""The commands to set up: init and schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flowjury.cli import completion
from flowjury.cli.options import AsJson, examples
from flowjury.cli.output import mention, print_json, say


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog=examples("flowjury init", "flowjury init tests/agents"))(init)
    app.command(
        epilog=examples(
            "flowjury schema                     (lists the names)",
            "flowjury schema suite > suite.schema.json",
        )
    )(schema)


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write; made if it is not there.")
    ] = Path("flowjury-start"),
    *,
    as_json: AsJson = False,
) -> int:
    """Write a small suite, its workflow and a judge file to start from."""
    from flowjury.app.starting import said, start

    started = start(folder)
    if as_json:
        print_json(said(started))
        return 0
    for path in started.files:
        mention(f"written: {path}")
    suite = next(path for path in started.files if path.name.endswith(".suite.yaml"))
    mention(f"next: flowjury run {suite}")
    return 0


def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A format; without one, all are listed.",
            autocompletion=completion.schemas,
        ),
    ] = None,
) -> int:
    """Print the JSON Schema of a format."""
    from flowjury.app import schemas
    from flowjury.json_values import dumps

    if name is None:
        for known in schemas.NAMES:
            say(known)
    else:
        say(dumps(schemas.schema(name), indent=2))
    return 0
