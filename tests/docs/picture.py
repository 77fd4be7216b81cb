"""The picture of the README: the console report of a real run, drawn as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from flowjury.app.choice import Choice
from flowjury.app.project import find_project, load_suites
from flowjury.app.running import Orders, run
from flowjury.formats import console

CASES: Final = ("small-order-is-refunded", "over-the-limit-waits", "reply-states-the-refund")
COMMAND: Final = "$ flowjury run refunds.suite.yaml " + " ".join(f"-c {case}" for case in CASES)
MISTAKE: Final = (
    ("to: manager_approval, outcome: over", "to: no_order, outcome: over"),
    ("to: no_order, outcome: none", "to: manager_approval, outcome: none"),
)
"""What someone got wrong in the workflow: two ways that were mixed up."""

_COLUMNS: Final = 112
_ROW: Final = 19
_COLUMN: Final = 7.8
_MARGIN: Final = 20
_COLOURS: Final = {"31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "2": "#8b949e", "1": "#fff"}
_FONT: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
_AS_IT_IS: Final = 'style="white-space: pre" xml:space="preserve"'
_PAINT: Final = re.compile(r"\x1b\[(\d+)m(.*?)\x1b\[0m")
_TOKEN: Final = re.compile(r"\x1b\[\d+m.*?\x1b\[0m|[^\x1b]+")


def report(folder: Path) -> str:
    """Make the mistake in a copy of the sample, run three of its cases and return the report."""
    workflow = folder / "workflow.yaml"
    text = workflow.read_text(encoding="utf-8")
    for right, wrong in MISTAKE:
        assert right in text, right
        text = text.replace(right, wrong)
    workflow.write_text(text, encoding="utf-8")
    orders = Orders(
        run="20261001-090000-5c1e0b",
        started="2026-10-01T09:00:00+00:00",
        choice=Choice(ids=CASES),
    )
    [ran] = run(find_project(folder), load_suites([folder / "refunds.suite.yaml"]), orders)
    return console.render(ran.refreshed.report, console.COLOUR)


def svg(report: str) -> str:
    """Draw a text with a terminal's colours."""
    rows = [row for line in [COMMAND, *report.splitlines()] for row in _wrapped(line)]
    width = _MARGIN * 2 + round(_COLUMNS * _COLUMN)
    height = _MARGIN * 2 + len(rows) * _ROW
    size = f'width="{width}" height="{height}"'
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}'
    return "\n".join(
        [
            f'{root} role="img" aria-label="A console report">',
            f'<rect {size} rx="8" fill="#161b22"/>',
            f'<g font-family="{_FONT}" font-size="13" fill="#e6edf3" {_AS_IT_IS}>',
            *(_drawn(number, row) for number, row in enumerate(rows)),
            "</g>",
            "</svg>\n",
        ]
    )


def _drawn(number: int, row: list[tuple[str, str]]) -> str:
    y = _MARGIN + _ROW * number + 14
    runs = ((code, "".join(text for _, text in some)) for code, some in groupby(row, itemgetter(0)))
    spans = (
        f'<tspan fill="{_COLOURS[code]}">{escape(text)}</tspan>' if code else escape(text)
        for code, text in runs
    )
    return f'<text x="{_MARGIN}" y="{y}">{"".join(spans)}</text>'


def _wrapped(line: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the rows of a line, broken between words; each is a list of colours and texts."""
    plain = _PAINT.sub(r"\2", line)
    indent = " " * (len(plain) - len(plain.lstrip()) + 4)
    row: list[tuple[str, str]] = []
    column = 0
    for code, word in _words(line):
        if column + len(word.rstrip()) > _COLUMNS and column > len(indent):
            yield row
            row, column = [("", indent)], len(indent)
        row.append((code, word))
        column += len(word)
    yield row


def _words(line: str) -> Iterator[tuple[str, str]]:
    for token in _TOKEN.findall(line):
        painted = _PAINT.fullmatch(token)
        code, text = (painted[1], painted[2]) if painted else ("", token)
        yield from ((code, word) for word in re.findall(r"\s*\S+\s?|\s+", text))
