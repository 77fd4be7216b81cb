"""Starting: a small suite, its workflow and a judge file, which the user then owns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flowjury import hosts
from flowjury.errors import UsageError
from flowjury.model import Model
from flowjury.store.files import names_in, read_bytes, write

_SCAFFOLDS: Final = Path(__file__).parent.parent / "scaffolds"
JUDGE: Final = "openai_rubric"


@dataclass(frozen=True)
class Started:
    """The files that were written."""

    folder: Path
    files: tuple[Path, ...]


def templates() -> dict[str, Path]:
    """Map each file that is written to the file it is copied from."""
    folder = _SCAFFOLDS / "start"
    found = {name: folder / name for name in names_in(folder)}
    # What installs us may compile the nodes, and puts a folder for it beside them.
    start = {name: path for name, path in found.items() if path.is_file()}
    return start | {f"judges/{JUDGE}.py": hosts.file_of(JUDGE)}


def start(folder: Path) -> Started:
    """Write the files; nothing that is there is touched.

    Raises UsageError if one of them is there already, and StoreError.
    """
    files = templates()
    there = [name for name in files if (folder / name).exists()]
    if there:
        raise UsageError(
            f"{folder}: {', '.join(there)} is there already; name another folder: "
            "flowjury init FOLDER"
        )
    for name, source in files.items():
        write(folder / name, read_bytes(source))
    return Started(folder, tuple(folder / name for name in files))


class StartSaid(Model):
    """What was written, for programs."""

    files: tuple[str, ...]
    """The files."""


def said(started: Started) -> StartSaid:
    """Return what was written as data."""
    return StartSaid(files=tuple(str(path) for path in started.files))
