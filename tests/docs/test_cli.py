"""The page of the command line is made of the help texts; `pytest --update` makes it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.main import get_command

from flowjury.cli.main import app

from .pages import DOCS

PAGE = DOCS / "cli.md"
HEAD = """\
# Command line

Made of the help texts of the commands.

Where a command takes suites, none given means those of the project: the patterns of `suites` in
the [configuration](suite.md#configuration), or every `*.suite.*` file. Exit codes are in
[verdicts](verdicts.md#exit-codes). With `--json` a command prints data; `flowjury schema` prints
the schema of each.
"""


def test_the_page_is_what_the_commands_say(pytestconfig: pytest.Config) -> None:
    text = HEAD + "".join(_sections(get_command(app), None, "flowjury"))
    if pytestconfig.getoption("update"):
        PAGE.write_text(text, encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == text


def _sections(command: Any, parent: typer.Context | None, name: str) -> Iterator[str]:
    """Yield a section for a command and, of a group, for each command in it."""
    context = typer.Context(command, info_name=name, parent=parent, terminal_width=80)
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines()).rstrip()
    yield f"\n## {context.command_path}\n\n```text\n{text}\n```\n"
    for inner, each in getattr(command, "commands", {}).items():
        yield from _sections(each, context, inner)
