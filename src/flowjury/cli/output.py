"""The output: text, JSON and progress for people and programs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import typer

from flowjury.cli.streams import silence
from flowjury.errors import StoreError

if TYPE_CHECKING:
    from flowjury.app.recording import Told
    from flowjury.model import Json, Model
    from flowjury.report.model import CaseReport, Report

_MOST_LINES: Final = 50
_WORTH_SAYING: Final = 3
"""Seconds from which on it is said how long the rest will take."""


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
    """Print what was asked for, on standard output. Raises StoreError also where that is closed."""
    if sys.stdout is None:
        raise StoreError(
            "standard output is closed, so what you asked for went nowhere; leave it open, or send"
            " it to a file"
        )
    _put(text)


def mention(text: str) -> None:
    """Print what else there is to say of something that was done."""
    _put(text)


def complain(text: str) -> None:
    """Print an error on standard error, each line marked; of very many lines, the first."""
    from flowjury.masking import masked_text
    from flowjury.visible import visible

    lines = masked_text(text).splitlines() or [""]
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
    say(f"[{','.join(texts)}]")


def _print(value: Json) -> None:
    from flowjury.json_values import dumps

    say(dumps(value, indent=2))


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
    mention(render(report, style).rstrip("\n"))


def show_overall(code: int, suites: int) -> None:
    """Print what several reports come to; one has said so itself."""
    from flowjury.verdict import EXIT_WORDS

    if suites > 1:
        mention(f"exit {code}: {EXIT_WORDS[code]} ({suites} suites)")


def progress() -> Callable[[Told], None]:
    """Return what shows progress: one line that is written over, on a terminal only.

    What happened to the one that did a case, such as a worker that was lost, is always told.
    """
    terminal, began = is_terminal(sys.stderr), time.monotonic()

    def show(told: Told) -> None:
        for note in told.notes:
            complain(f"case {told.case}: {note}")
        if terminal:
            left = remaining(told.done, told.total, time.monotonic() - began)
            end = "\r\x1b[K" if told.done == told.total else ""
            text = f"\r\x1b[K{told.suite}: {told.done} of {told.total}{left}  {told.case}"[:120]
            _put(text + end, err=True, nl=False)

    return show


def remaining(done: int, total: int, seconds: float) -> str:
    """Say how long the rest will take, going by what is done; nothing where that is not long."""
    left = seconds / done * (total - done) if done else 0
    if left < _WORTH_SAYING:
        return ""
    minutes, rest = divmod(round(left), 60)
    return f", {minutes}:{rest:02} left" if minutes else f", {rest} s left"


def show_case(case: CaseReport) -> None:
    """Print what came of one case, everything explained."""
    from flowjury.formats import console

    style = console.COLOUR if coloured() else console.PLAIN
    say(console.render_case(case, style).rstrip("\n"))
