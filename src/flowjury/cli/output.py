"""The output: text, JSON and progress for people and programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import typer

from flowjury.cli.streams import silence

if TYPE_CHECKING:
    from flowjury.app.running import Told
    from flowjury.model import Json, Model
    from flowjury.report.model import CaseReport, Report

_MOST_LINES: Final = 50


def _put(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Write text to standard output or error. Raises StoreError if that takes none."""
    try:
        typer.echo(text, err=err, nl=nl)
    except BrokenPipeError:
        raise
    except OSError as error:
        from flowjury.store.files import store_error

        silence(2 if err else 1)
        name = Path("standard error" if err else "standard output")
        raise store_error(error, name, "cannot be written") from error


def say(text: str) -> None:
    """Print a line for a person, on standard output."""
    _put(text)


def complain(text: str) -> None:
    """Print an error on standard error, each line marked; of very many lines, the first."""
    from flowjury.formats._text import visible

    lines = text.splitlines() or [""]
    more = len(lines) - _MOST_LINES
    for line in [*lines[:_MOST_LINES], *([f"and {more:,} more"] if more > 0 else [])]:
        _put(f"flowjury: {visible(line)}", err=True)


def say_unwritten() -> None:
    """Say that the store can only be read, so that the files in it may be old."""
    complain("the store cannot be written to: the files in .flowjury stay as they are")


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
    _put(f"[{','.join(texts)}]")


def _print(value: Json) -> None:
    from flowjury.json_values import dumps

    _put(dumps(value, indent=2))


def coloured() -> bool:
    """Tell whether to use colours: on a terminal, unless NO_COLOR says no."""
    refused = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return is_terminal(sys.stdout) and not refused


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether somebody looks at a stream, which is None where it is closed."""
    return stream is not None and stream.isatty()


def show_report(report: Report, *, everything: bool = False) -> None:
    """Print the console report."""
    from flowjury.formats import console

    style = console.COLOUR if coloured() else console.PLAIN
    render = console.render_all if everything else console.render
    _put(render(report, style).rstrip("\n"))


def show_overall(code: int, suites: int) -> None:
    """Print what several reports come to; one has said so itself."""
    from flowjury.formats._text import EXIT_WORDS

    if suites > 1:
        say(f"exit {code}: {EXIT_WORDS[code]} ({suites} suites)")


def progress() -> Callable[[Told], None]:
    """Return what shows progress: one line that is written over, on a terminal only."""
    if not is_terminal(sys.stderr):
        return lambda _: None

    def show(told: Told) -> None:
        end = "\r\x1b[K" if told.done == told.total else ""
        text = f"\r\x1b[K{told.suite}: {told.done} of {told.total}  {told.case}"[:120]
        _put(text + end, err=True, nl=False)

    return show


def show_case(case: CaseReport) -> None:
    """Print what came of one case, everything explained."""
    from flowjury.formats import console

    style = console.COLOUR if coloured() else console.PLAIN
    _put(console.render_case(case, style).rstrip("\n"))
