"""Looking: it waits until a file of the project changes, or somebody asks."""

# Polled with the standard library: which files matter is known, and unlike what an operating
# system tells of changes this also works in containers and on network disks.

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from flowjury.app.suite_files import is_passed_over

Wake: TypeAlias = Literal["changed", "asked", "all", "quit"]
"""Why a wait ended: files changed; a person asks for what changed, for all, or for the end."""
States: TypeAlias = Mapping[str, tuple[int, int, int] | None]
"""When each file was last written, its size and its number on the disk; None if it is missing."""

EVERY: Final = 0.3
SETTLED: Final = 0.1
"""Seconds without a change after which what was being written is whole."""
_SHARE: Final = 10
"""The wait is at least so many times as long as the look at a large project took."""
_SUFFIXES: Final = (".py", ".yaml", ".yml", ".json", ".jsonl", ".toml")


@dataclass(frozen=True)
class Woken:
    """The end of a wait."""

    why: Wake
    states: States
    """Of the files, as they were then."""
    changed: tuple[str, ...] = ()
    """The files that changed."""


def wait(seen: States, look: Callable[[], States], hear: Callable[[float], Wake | None]) -> Woken:
    """Wait until files are not as they were seen, and settled; or until something is heard.

    `hear` waits so many seconds, or less if there is something to hear.
    """
    pause = EVERY
    while True:
        if (heard := hear(pause)) is not None:
            return Woken(heard, look())
        began = time.monotonic()
        now = look()
        pause = max(EVERY, _SHARE * (time.monotonic() - began))
        if now != seen:
            while (heard := hear(SETTLED)) is None and (later := look()) != now:
                now = later
            return Woken(heard or "changed", now, _differing(seen, now))


def states(folders: Iterable[Path], files: Iterable[Path]) -> States:
    """Return the states of files, and of all in folders that may be read for a suite."""
    found: dict[str, tuple[int, int, int] | None] = {}
    for folder in folders:
        for entry in _inside(folder):
            found[entry.path] = _state(entry)
    for path in files:
        found.setdefault(os.path.abspath(path), _state(path))  # noqa: PTH100 - links stay
    return found


def _inside(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:  # it went meanwhile, or nobody may see it
        return
    for each in listed:
        if each.is_dir(follow_symlinks=False):
            yield from () if is_passed_over(Path(each.path)) else _inside(Path(each.path))
        elif each.name.endswith(_SUFFIXES):
            yield each


def _state(file: Path | os.DirEntry[str]) -> tuple[int, int, int] | None:
    try:
        state = file.stat()
    except (OSError, ValueError):  # the last where no file has such a name
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _differing(seen: States, now: States) -> tuple[str, ...]:
    return tuple(sorted(key for key in seen.keys() | now.keys() if seen.get(key) != now.get(key)))
