"""How long the command takes to say what it can do."""

from __future__ import annotations

from collections.abc import Iterator

from _measure import Figure, least, python


def figures(rounds: int) -> Iterator[Figure]:
    """Measure `flowjury --help` beside `import typer`."""
    ours, typer = least(
        rounds * 2,
        [
            lambda: python("-m", "flowjury.cli.main", "--help").seconds,
            lambda: python("-c", "import typer").seconds,
        ],
    )
    yield Figure(
        name="flowjury --help, beside `import typer`",
        measured=ours * 1_000,
        unit="ms",
        beside=typer * 1_000,
        ratio_limit=1.5,
    )
