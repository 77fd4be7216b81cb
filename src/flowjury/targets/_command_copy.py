"""The copy of a folder into a workspace, from which no link leads out."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from flowjury.errors import TargetError

KINDS: Final = {
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}
"""What is neither a file nor a folder, by its type."""


def copy_folder(source: Path, target: Path) -> None:
    """Copy files and folders, and links that stay inside. Raises TargetError for all else."""
    links: list[Path] = []
    for folder, inner, names in os.walk(source, onerror=_raise):
        place = Path(folder).relative_to(source)
        for name in [*inner, *names]:
            links += _copy_one(source, place / name, target)
    for link in links:
        if not Path(os.path.realpath(target / link)).is_relative_to(target):
            leads = os.readlink(target / link)  # noqa: PTH115 - as it is written
            raise _refused(source, link, f"a link that leads out of it, to {leads!r}")


def _copy_one(source: Path, name: Path, target: Path) -> list[Path]:
    """Copy one thing; return it if it is a link."""
    path = source / name
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        (target / name).symlink_to(path.readlink())
        return [name]
    if stat.S_ISDIR(mode):
        (target / name).mkdir()
    elif stat.S_ISREG(mode):
        shutil.copy2(path, target / name, follow_symlinks=False)
    else:
        raise _refused(source, name, f"a {KINDS.get(stat.S_IFMT(mode), 'special file')}")
    return []


def _refused(source: Path, name: Path, what: str) -> TargetError:
    return TargetError(f"workspace {source}: {str(name)!r} is {what}; put a file in its place")


def _raise(error: OSError) -> None:
    raise error
