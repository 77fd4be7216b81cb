"""The shell: runs the commands of a page in its folder, `flowjury` in this process."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

from flowjury.cli.main import main

SITE = ".site"
"""Where `pip install -e .` makes a page's plugin known."""

OTHERS = ("anyio", "asyncio", "cov", "hypothesispytest", "langsmith_plugin")
"""Plugins for pytest of this environment that have no part in a page."""


def _usual() -> dict[str, str]:
    """Return the environment without what makes programs print other than for a person."""
    unusual = {"CI", "BUILD_NUMBER", "COLUMNS", "GITHUB_ACTIONS"}
    return {name: value for name, value in os.environ.items() if name not in unusual}


class Shell:
    """One folder, where commands run one after the other and the last exit code is kept."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root
        self.code = 0

    def run(self, command: str) -> str:
        """Run a command; return what it prints on both streams."""
        if command == "echo $?":
            return f"{self.code}\n"
        words = shlex.split(command, comments=True)
        if words[0] == "cd":
            self.folder = (self.folder / words[1]).resolve()
            return ""
        if words == ["pip", "install", "-e", "."]:
            return self._install()
        if words[0] == "flowjury" and "|" not in words and not (self.root / SITE).exists():
            return self._flowjury(words)
        return self._process(command)

    def _flowjury(self, words: list[str]) -> str:
        """Run our command line here; the modules of the page are new to each command."""
        words, given, target = _redirected(words)
        said = StringIO()
        source = TextIOWrapper(BytesIO((self.folder / given).read_bytes() if given else b""))
        with _stage(self.folder, words, source):
            forget_modules(self.root)
            with redirect_stdout(said), redirect_stderr(said):
                self.code = _exit_code()
        if target is None:
            return said.getvalue()
        (self.folder / target).write_text(said.getvalue(), encoding="utf-8")
        return ""

    def _process(self, command: str) -> str:
        """Run what is not ours, or needs a plugin, as a process."""
        python = f"{shlex.quote(sys.executable)} -c 'from flowjury.cli.main import main; main()'"
        ours = f'flowjury() {{ {python} "$@"; }}\n'
        others = " ".join(f"-p no:{name}" for name in OTHERS)
        ours += f'pytest() {{ {shlex.quote(sys.executable)} -m pytest {others} "$@"; }}\n'
        paths = [str(self.root / SITE), str(self.root / "src"), *filter(None, sys.path)]
        ran = subprocess.run(
            ["bash", "-c", ours + command],
            cwd=self.folder,
            env=_usual() | {"PYTHONPATH": os.pathsep.join(paths)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        self.code = ran.returncode
        return ran.stdout.decode()

    def _install(self) -> str:
        """Make the project in this folder known as an editable install does, without a network."""
        text = (self.folder / "pyproject.toml").read_text(encoding="utf-8")
        project = tomllib.loads(text)["project"]
        name, version = project["name"], project["version"]
        info = self.root / SITE / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        groups = project.get("entry-points", {}).items()
        lines = [f"[{g}]\n" + "".join(f"{k} = {v}\n" for k, v in e.items()) for g, e in groups]
        (info / "entry_points.txt").write_text("\n".join(lines))
        self.code = 0
        return ""


def forget_modules(root: Path) -> None:
    """Forget the modules that were imported from a folder, as a new process does."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(f"{root}{os.sep}"):
            del sys.modules[name]


@contextmanager
def _stage(folder: Path, words: list[str], source: TextIOWrapper) -> Iterator[None]:
    """Be in a folder with these arguments and this standard input, and go back."""
    before = Path.cwd(), sys.argv, sys.stdin, sys.path[:]
    os.chdir(folder)
    sys.argv, sys.stdin = words, source
    try:
        yield
    finally:
        os.chdir(before[0])
        sys.argv, sys.stdin, sys.path[:] = before[1], before[2], before[3]


def _exit_code() -> int:
    try:
        main()
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def _redirected(words: list[str]) -> tuple[list[str], str | None, str | None]:
    """Take `< FILE` and `> FILE` out of a command."""
    found: dict[str, str] = {}
    for sign in ("<", ">"):
        if sign in words:
            place = words.index(sign)
            found[sign] = words[place + 1]
            words = words[:place] + words[place + 2 :]
    return words, found.get("<"), found.get(">")
