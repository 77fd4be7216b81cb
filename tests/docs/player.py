"""The player: plays the blocks of one page in order, and tells where the page is wrong."""

from __future__ import annotations

import re
import sys
import tomllib
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from flowjury.documents import parse

from .pages import LANGUAGES, ROOT, Block, Page
from .shell import Shell

VOLATILE = (
    (re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{6}\b"), "…"),
    (re.compile(r"\b([0-9a-f]{8})[0-9a-f]{56}\b"), r"\1…"),
    (re.compile(r" *\d+\.\d ms"), " … ms"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"), "…"),
)
"""What differs from run to run, or is too long to read, and what a page shows instead."""


class Player:
    """Plays the blocks of one page in order."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.shell = Shell(folder)
        self.differences: list[str] = []
        self.outputs: list[tuple[Block, list[str]]] = []
        self._namespace: dict[str, Any] = {"__name__": "__main__"}
        self._printed: str | None = None

    def play(self) -> None:
        sys.path.insert(0, str(self.folder))
        for block in self.page.blocks():
            assert block.language in LANGUAGES, f"{self._at(block)}: which language is this?"
            printed, self._printed = self._printed, None
            if block.file is not None:
                self._write(block)
            elif block.language == "text" and printed:
                self._compare(self._at(block), "(the Python above)", block.text, printed)
            else:
                getattr(self, f"_{block.language}", self._parse)(block)

    def rewrite(self) -> None:
        """Put into the page what its commands really printed."""
        lines = self.page.text.splitlines()
        for block, output in reversed(self.outputs):
            lines[block.start : block.start + len(block.lines)] = output
        self.page.path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _write(self, block: Block) -> None:
        path = self.shell.folder / str(block.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def _console(self, block: Block) -> None:
        output: list[str] = []
        commands = _commands(block)
        for number, (command, expected) in enumerate(commands):
            said = self.shell.run(command)
            same = not expected or self._compare(self._at(block), command, expected, said)
            output += [f"$ {command}", *(expected if same else self._shown(said)).splitlines()]
            shown = number + 1 < len(commands) and commands[number + 1][0] == "echo $?"
            if self.shell.code and not shown and command != "echo $?":
                code, at = self.shell.code, self._at(block)
                self.differences.append(f"{at}: {command}: exit {code}; show it: $ echo $?\n{said}")
        self.outputs.append((block, output))

    def _python(self, block: Block) -> None:
        printed = StringIO()
        code = compile(block.text, self._at(block), "exec")
        with chdir(self.shell.folder), redirect_stdout(printed):
            exec(code, self._namespace)  # noqa: S102 - the page is ours
        self._printed = printed.getvalue()

    def _parse(self, block: Block) -> None:
        """Data that is no file is at least well-formed."""
        parse(block.text.encode(), name=f"{self._at(block)}.{block.language}")

    def _text(self, block: Block) -> None:
        """Do nothing: it is a drawing or an excerpt."""

    def _sh(self, block: Block) -> None:
        """Commands that no test runs name what is there."""
        named = set(re.findall(r"^make (\w+)", block.text, re.MULTILINE))
        targets = set(re.findall(r"^(\w+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
        assert named <= targets, f"{self._at(block)}: no such target"
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        extras = set(re.findall(r"flowjury\[(\w+)\]", block.text))
        assert extras <= set(project["optional-dependencies"]), f"{self._at(block)}: no such extra"

    def _compare(self, at: str, command: str, expected: str, said: str) -> bool:
        if _matches(expected, said):
            return True
        shown = self._shown(said)
        self.differences.append(f"{at}: {command} prints\n{shown}\nnot\n{expected}")
        return False

    def _shown(self, said: str) -> str:
        text = said.replace(str(self.folder), "…")
        for volatile, shown in VOLATILE:
            text = volatile.sub(shown, text)
        return "".join(f"{line.rstrip()}\n" for line in text.splitlines())

    def _at(self, block: Block) -> str:
        return f"{self.page.name}:{block.start + 1}"


def _commands(block: Block) -> list[tuple[str, str]]:
    """Take a console block apart: each command with what it is shown to print."""
    commands: list[tuple[str, str]] = []
    for line in block.lines:
        if line.startswith("$ "):
            commands.append((line[2:], ""))
        else:
            command, output = commands.pop()
            commands.append((command, f"{output}{line}\n"))
    return commands


def _matches(expected: str, said: str) -> bool:
    """Compare line by line: `…` stands for any text in a line, alone in one for any lines."""
    lines = [
        r"(?:.*\n)*" if line.strip() == "…" else r".*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in expected.splitlines()
    ]
    shown = "".join(f"{line.rstrip()}\n" for line in said.splitlines())
    return re.fullmatch("".join(lines), shown) is not None
