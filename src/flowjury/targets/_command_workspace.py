"""The workspace of one case: a copied folder, what is in it, and what became of it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Final, TypeAlias

from flowjury.errors import TargetError
from flowjury.json_values import dumps, loads, opaque, paired
from flowjury.masking import masked, masked_text
from flowjury.model import Json
from flowjury.targets._command_copy import KINDS, copy_folder

MOST_FILES: Final = 1_000
"""How many files are captured."""
MOST_BYTES: Final = 2**20
"""The largest file whose content is captured."""
MOST_IN_ALL: Final = 16 * 2**20
"""How many bytes are captured in all."""
MOST_SEEN: Final = 100_000
"""How many names are looked at."""
_DEEPEST: Final = 100
"""How many folders in folders are looked into."""
_Mark: TypeAlias = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Which files are in a folder, and a mark of each that changes when it is written."""

    marks: Mapping[str, _Mark]
    whole: bool
    """Whether all could be seen."""

    def writes(self, before: Snapshot) -> list[str]:
        """Name the files that are new or were changed."""
        return sorted(name for name, mark in self.marks.items() if before.marks.get(name) != mark)

    def deletes(self, before: Snapshot) -> list[str]:
        """Name the files that are there no more."""
        return sorted(before.marks.keys() - self.marks.keys())


@dataclass(frozen=True, slots=True)
class Captured:
    """The files of a workspace with their contents, as far as they are captured."""

    files: dict[str, Json]
    whole: bool


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder of its own, for as long as a case lasts."""

    folder: Path

    @classmethod
    def made(cls, source: Path | None) -> Workspace:
        """Make one with a copy of what is in a folder. Raises TargetError."""
        try:
            workspace = cls(Path(mkdtemp(prefix="flowjury-")).resolve())
        except OSError as error:
            raise TargetError(f"no workspace can be made: {error}") from error
        try:
            if source is not None:
                copy_folder(source.resolve(), workspace.folder)
        except BaseException as error:
            workspace.remove()
            if isinstance(error, OSError):
                message = f"workspace {source} cannot be copied: {error}"
                raise TargetError(message) from error
            raise
        return workspace

    def seen(self) -> Snapshot:
        """Look at what is there; no link is followed."""
        walk = _Walk()
        marks = {name: _mark(state) for name, state, _ in walk.files(self.folder)}
        return Snapshot(marks, walk.whole and len(marks) < MOST_SEEN)

    def captured(
        self,
        seen: Snapshot,
        first: Collection[str],
        mask: tuple[str, ...],
        hide: Callable[[str], str],
    ) -> Captured:
        """Read the files that were seen, within limits, those named first before all others."""
        reader = _Reader(mask, hide)
        names = sorted(seen.marks, key=lambda name: (name not in first, name))[:MOST_FILES]
        wanted = frozenset(names)
        for name, state, folder in _Walk().files(self.folder):
            if name in wanted:
                reader.read(name, state, folder)
        return Captured(reader.files, seen.whole and len(names) == len(seen.marks))

    def remove(self) -> None:
        """Remove it with all that is in it, whatever its modes, and however deep it is."""
        with suppress(OSError):
            folders = [self.folder]
            while folders:
                emptied = folders.pop()
                folders += _emptied(emptied, self.folder)
                if emptied != self.folder:
                    emptied.rmdir()
            self.folder.rmdir()


def _emptied(folder: Path, top: Path) -> list[Path]:
    """Remove the files of a folder, and move those in it up, so that no path is too long."""
    moved = []
    folder.chmod(stat.S_IRWXU)
    for each in [*os.scandir(folder)]:
        if each.is_dir(follow_symlinks=False):
            Path(each.path).chmod(stat.S_IRWXU)
            moved.append(Path(each.path).rename(top / f"flowjury-{token_hex(8)}"))
        else:
            Path(each.path).unlink()
    return moved


@dataclass(slots=True)
class _Walk:
    """One way through a folder and those in it, by descriptors, so that no link leads out."""

    whole: bool = True

    def files(self, top: Path) -> Iterator[tuple[str, os.stat_result, int]]:
        """Yield each thing that is no folder: its path, its state, and its folder's descriptor."""
        return islice(self._files(top), MOST_SEEN)

    def _files(self, top: Path) -> Iterator[tuple[str, os.stat_result, int]]:
        for folder, inner, names, descriptor in os.fwalk(top, onerror=self._missed):
            place = Path(folder).relative_to(top)
            for name in [*names, *inner]:
                try:
                    state = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                except OSError as error:
                    self._missed(error)
                    continue
                if not stat.S_ISDIR(state.st_mode):
                    yield (place / name).as_posix(), state, descriptor
            if inner and len(place.parts) >= _DEEPEST:
                self.whole = False
                inner.clear()

    def _missed(self, _: OSError) -> None:
        self.whole = False


@dataclass(slots=True)
class _Reader:
    """Reads files one after the other until there are too many bytes of them."""

    mask: tuple[str, ...]
    hide: Callable[[str], str]
    files: dict[str, Json] = field(default_factory=dict)
    left: int = MOST_IN_ALL

    def read(self, path: str, state: os.stat_result, folder: int) -> None:
        """Capture one: its text, or what stands for what is not read."""
        self.files[shown(path)] = self._content(Path(path).name, state, folder)

    def _content(self, name: str, state: os.stat_result, folder: int) -> Json:
        if kind := KINDS.get(stat.S_IFMT(state.st_mode)):
            return opaque(kind, f"a {kind}, which is not followed")
        if state.st_nlink > 1:
            return opaque("hard link", "a file with another name elsewhere, which is not read")
        if state.st_size > min(MOST_BYTES, self.left):
            return opaque("file", f"{state.st_size} bytes, which are too many to capture")
        try:
            content = _bytes(name, folder)
        except OSError as error:
            return opaque("file", f"it cannot be read: {error.strerror}")
        self.left -= len(content)
        try:
            return _masked(self.hide(content.decode()), self.mask)
        except UnicodeDecodeError:
            return opaque("file", f"{len(content)} bytes, which are no text in UTF-8")


def shown(path: str) -> str:
    """Write a path so that it can be stored."""
    return masked_text(paired(path))


def _masked(text: str, mask: tuple[str, ...]) -> str:
    """Mask a text; one that is JSON by its keys, too."""
    if text.lstrip()[:1] in {"{", "["}:
        with suppress(ValueError):
            value = loads(text)
            hidden = masked(value, mask)
            return text if hidden is value else dumps(hidden, indent=2)
    return masked_text(text)


def _bytes(name: str, folder: int) -> bytes:
    """Read a regular file, and no more of it than there was; nothing is followed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        return file.read(MOST_BYTES)


def _mark(state: os.stat_result) -> _Mark:
    times = state.st_mtime_ns, state.st_ctime_ns
    return state.st_ino, state.st_mode, state.st_size, *times
