"""The output: text, JSON and progress for people and programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from flowjury.app.running import Told
    from flowjury.model import Json, Model
    from flowjury.report.model import CaseReport, Report


def say(text: str) -> None:
    """Print a line for a person, on standard output."""
    typer.echo(text)


def complain(text: str) -> None:
    """Print an error on standard error, each line marked."""
    from flowjury.formats._text import visible

    for line in text.splitlines() or [""]:
        typer.echo(f"flowjury: {visible(line)}", err=True)


def print_json(value: Model) -> None:
    """Print data for a program, whole and deterministic."""
    _print(value.model_dump())


def print_list(values: Iterable[Model]) -> None:
    """Print a list of data for a program."""
    _print([value.model_dump() for value in values])


def print_reports(reports: Iterable[Report]) -> None:
    """Print reports for a program: a list of what their files have."""
    from flowjury.formats import json

    texts = (json.render(report).rstrip("\n") for report in reports)
    typer.echo(f"[{','.join(texts)}]")


def _print(value: Json) -> None:
    from flowjury.json_values import dumps

    typer.echo(dumps(value, indent=2))


def coloured() -> bool:
    """Tell whether to use colours: on a terminal, unless NO_COLOR says no."""
    refused = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not refused


def show_report(report: Report, *, everything: bool = False) -> None:
    """Print the console report."""
    from flowjury.formats import console

    style = console.COLOUR if coloured() else console.PLAIN
    render = console.render_all if everything else console.render
    typer.echo(render(report, style).rstrip("\n"))


def progress() -> Callable[[Told], None]:
    """Return what shows progress: one line that is written over, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda _: None

    def show(told: Told) -> None:
        end = "\r\x1b[K" if told.done == told.total else ""
        text = f"\r\x1b[K{told.suite}: {told.done} of {told.total}  {told.case}"[:120]
        typer.echo(text + end, err=True, nl=False)

    return show


def show_case(case: CaseReport) -> None:
    """Print what came of one case, everything explained."""
    from flowjury.formats import console

    style = console.COLOUR if coloured() else console.PLAIN
    typer.echo(console.render_case(case, style).rstrip("\n"))
