"""The suite files: which of them there are in a project, and in folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath
from typing import Final, TypeAlias

from flowjury.app.project import Project
from flowjury.errors import UsageError
from flowjury.store.files import resolved

Tell: TypeAlias = Callable[[str], None]
"""Says to a person what was passed over."""
_SUITES: Final = (".suite.yaml", ".suite.yml", ".suite.json", ".suite.jsonl")


def suite_paths(
    project: Project, given: Iterable[Path], *, tell: Tell = lambda _: None
) -> list[Path]:
    """Return the suite files to use: those given (a folder means all in it), or the project's.

    Folders that cannot be read are passed over, and told of.
    """
    chosen = [found for path in given for found in _expanded(path, tell)]
    chosen = chosen or _configured(project) or sorted(_inside(project.root, tell))
    if not chosen:
        raise UsageError(
            f"no suite file given, and none named *.suite.yaml found under {project.root}; "
            "name one, or start with `flowjury init`"
        )
    once: dict[Path, Path] = {}
    for path in chosen:
        once.setdefault(resolved(path), path)
    return list(once.values())


def is_suite(path: Path) -> bool:
    """Tell whether a file is meant to be a suite, by its name."""
    return path.name.endswith(_SUITES)


def _expanded(path: Path, tell: Tell) -> list[Path]:
    if not os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for names that are too long
        return [path]
    found = sorted(_inside(path, tell))
    if not found:
        raise UsageError(f"{path}: no suite file (*.suite.yaml) in this folder")
    return found


def _configured(project: Project) -> list[Path]:
    found: list[Path] = []
    for pattern in project.config.suites:
        matching = _matching(project.root, pattern)
        if not matching:
            raise UsageError(f"suites = [{pattern!r}] in the configuration matches no file")
        found.extend(matching)
    return found


def _matching(root: Path, pattern: str) -> list[Path]:
    """Return the files in a folder that a pattern matches. Raises UsageError for a wrong one."""
    reason = _wrong(pattern)
    if reason is None:
        try:
            return sorted(root.glob(pattern))
        except (ValueError, OSError) as error:
            reason = str(error)
    raise UsageError(
        f"suites = [{pattern!r}] in the configuration: {reason}; write a pattern relative to the "
        "project, such as 'tests/**/*.suite.yaml'"
    )


def _wrong(pattern: str) -> str | None:
    """Say what is wrong with a pattern, alike in every Python: `glob` differs between them."""
    parts = PurePath(pattern).parts
    if PurePath(pattern).is_absolute() or ".." in parts:
        return "it leads out of the project"
    if not parts:
        return "it names nothing"
    if "\0" in pattern:
        return "no file name has a NUL in it"
    if any("**" in part and part != "**" for part in parts):
        return "'**' must be a whole part of the path"
    return None


def _inside(folder: Path, tell: Tell) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [(folder / each.name, each.is_dir(follow_symlinks=False)) for each in entries]
    except OSError as error:
        tell(f"{folder}: passed over, as it cannot be read: {error.strerror}")
        return
    for path, is_folder in found:
        if is_folder:
            yield from () if is_passed_over(path) else _inside(path, tell)
        elif is_suite(path):
            yield path


def is_passed_over(folder: Path) -> bool:
    """Tell whether a folder is hidden, an environment, or made by a tool."""
    return (
        folder.name.startswith(".")
        or folder.name in {"node_modules", "__pycache__"}
        or os.path.exists(folder / "pyvenv.cfg")  # noqa: PTH110
    )
