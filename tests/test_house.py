"""The rules of the house that no linter knows: what stands where, why, and how long it may be."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "action.yml",
    "benchmarks",
    "docs",
    "examples",
    "judges",
    "pyproject.toml",
    "src",
    "tests",
    "workflows",
}
LONGEST_FUNCTION = 40
LONGEST_FILE = 250
# Split, so that this file does not name them itself.
PLACES_OF_ONE_MACHINE = ("/" + "work/", "/" + "root/")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture(scope="module")
def ours() -> list[Path]:
    """List every file that git tracks or would track."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: there is no list of our files")
    command = [git, "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    files = (Path(name) for name in listed.split("\0") if name)
    return sorted(path for path in files if (ROOT / path).is_file())


def test_the_top_level_holds_only_what_belongs_there(ours: list[Path]) -> None:
    strangers = {path.parts[0] for path in ours} - TOP_LEVEL

    assert strangers == set()


def test_no_file_names_a_place_of_one_machine(ours: list[Path]) -> None:
    named = [f"{path}: {place}" for path in ours for place in _places_named_in(ROOT / path)]

    assert named == []


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    extras = chain.from_iterable(project["optional-dependencies"].values())
    unexplained = [
        requirement
        for requirement in chain(project["dependencies"], extras)
        if not re.search(rf'"{re.escape(requirement)}", +# [A-Z].+\.$', text, re.MULTILINE)
    ]

    assert unexplained == []


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}: {_length(function)} lines"
        for path in _sources()
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, Function) and _length(function) > LONGEST_FUNCTION
    ]

    assert long == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in _sources()}
    long = [
        f"{path.relative_to(ROOT)}: {length} lines"
        for path, length in lengths.items()
        if length > LONGEST_FILE
    ]

    assert long == []


def _sources() -> list[Path]:
    return sorted(path for folder in ("src", "judges") for path in (ROOT / folder).rglob("*.py"))


def _length(function: Function) -> int:
    """Count the lines from `def` to the end, without the docstring's."""
    end = function.end_lineno or function.lineno
    lines = end - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def _places_named_in(path: Path) -> list[str]:
    """Search a text file; what is not UTF-8 is not text."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    return [place for place in PLACES_OF_ONE_MACHINE if place in text]
