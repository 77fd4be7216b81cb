"""Runs the benchmarks and prints what was measured beside its limits.

Each benchmark is a file here that defines `figures(rounds)`. Times are processor time, the least of
several interleaved rounds. The exit code is 1 where a limit is not kept.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "src")]

from _measure import Figure  # noqa: E402 - found by the line before

KNOWN = sorted(
    path.stem for path in FOLDER.glob("*.py") if path.stem != "run" and path.stem[0] != "_"
)


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which of {', '.join(KNOWN)}; without any, all")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    chosen = parser.parse_args()
    if strange := set(chosen.names) - set(KNOWN):
        parser.error(f"no benchmark is named {', '.join(sorted(strange))}; known: {KNOWN}")
    figures: list[Figure] = []
    print(f"{machine()}\n{row('measured', 'beside', 'ratio', 'limit', '', 'what')}")
    for name in chosen.names or KNOWN:
        for figure in import_module(name).figures(chosen.rounds):
            figures.append(figure)
            print(shown(figure), flush=True)
    if chosen.json:
        chosen.json.write_text(as_json(figures), encoding="utf-8")
    return int(any(figure.verdict == "FAIL" for figure in figures))


def machine() -> str:
    """Say on what kind of machine this is."""
    return f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"


def shown(figure: Figure) -> str:
    """Write a figure as a row of the table."""
    beside = "" if figure.beside is None else amount(figure.beside, figure.unit)
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}x"
    limits = (
        "" if figure.ratio_limit is None else f"{figure.ratio_limit:g}x",
        "" if figure.limit is None else amount(figure.limit, figure.unit),
    )
    measured = amount(figure.measured, figure.unit)
    return row(measured, beside, ratio, "".join(limits), figure.verdict, figure.name)


def row(*cells: str) -> str:
    """Lay out a row; the last cell, which is the longest, is not padded."""
    *first, last = cells
    return "  ".join([*(f"{cell:>13}" for cell in first[:4]), f"{first[4]:4}", last])


def amount(number: float, unit: str) -> str:
    """Write a number with three digits or so, and its unit."""
    digits = 0 if number >= 100 else 1 if number >= 10 else 3  # noqa: PLR2004 - of a table
    return f"{number:,.{digits}f} {unit}"


def as_json(figures: Sequence[Figure] | Iterable[Figure]) -> str:
    """Write the figures for a program."""
    rows = [{**asdict(one), "ratio": one.ratio, "verdict": one.verdict} for one in figures]
    return json.dumps({"machine": machine(), "figures": rows}, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
