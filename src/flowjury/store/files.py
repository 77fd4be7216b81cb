"""Files: how bytes are read and written, and what is said where that fails."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import Final
from urllib.parse import quote

from flowjury.errors import Fault, FlowJuryError, InputError, StoreError
from flowjury.json_values import digest, dumps
from flowjury.model import Json
from flowjury.pointer import nearest

_LONGEST_STEM: Final = 180
"""Of the usual 255 bytes of a file name, so that a suffix and a temporary name have room."""

_LONGEST_SHOWN: Final = 200

_ADVICE: Final = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space, or ask for a larger quota",
    errno.EROFS: "use a folder that can be written to",
    errno.EACCES: "give this user the permission",
    errno.EPERM: "give this user the permission",
    errno.EFBIG: "raise the limit of this process (ulimit -f)",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENAMETOOLONG: "use a shorter name",
    errno.ENOTDIR: "move the file away that stands where a folder should",
    errno.EEXIST: "move the file away that stands where a folder should",
    errno.EISDIR: "move the folder away that stands where a file should",
    errno.ENOENT: "make the folder that is missing",
    errno.ELOOP: "mend the symbolic link, which leads to itself",
}
_WRONG_NAME: Final = {errno.ELOOP, errno.ENAMETOOLONG}
"""Errors of reading that are of the name, and so of the user."""


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that the user names.

    Raises InputError if there is no such file, and StoreError if it cannot be read.
    """
    try:
        mode = path.stat().st_mode
        if S_ISREG(mode):
            return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(Fault(file=str(path), message=_no_such_file(path))) from error
    except ValueError as error:  # a NUL, or a lone surrogate that the file system has no byte for
        raise InputError(Fault(file=ascii(str(path)), message="no file has such a name")) from error
    except OSError as error:
        raise _unread(error, path) from error
    raise InputError(Fault(file=str(path), message=_no_file(path, mode)))


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, even at a power failure; its folder is made, its mode kept.

    Raises StoreError.
    """
    _replace(path, content, os.fsync)


def write_view(path: Path, content: bytes) -> None:
    """Write a file that can be made again, whole or not at all, unless it is like that already.

    Raises StoreError.
    """
    try:
        same = read_bytes(path) == content
    except FlowJuryError:
        same = False
    if not same:
        _replace(path, content, lambda _file: None)


def resolved(path: Path) -> Path:
    """Return the path to which links lead; one that leads to itself, or can be none, stays."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return path


def make_folder(path: Path) -> Path:
    """Make a folder, and those above it, unless it is there.

    Raises StoreError.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(error, path, "cannot be made") from error
    return path


def remove(path: Path) -> None:
    """Remove a file, if it is there.

    Raises StoreError.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise store_error(error, path, "cannot be removed") from error


def names_in(folder: Path) -> list[str]:
    """List what is in a folder, sorted; nothing where there is none. Hidden files are left out.

    Raises StoreError.
    """
    try:
        return _listed(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise store_error(error, folder, "cannot be listed") from error


def stem(name: str) -> str:
    """Return a safe file name, without suffix, for a suite, a case or a run.

    Two share one only on a disk that ignores case.
    """
    safe = quote(name, safe="", errors="surrogatepass")
    safe = f"%2E{safe[1:]}" if safe.startswith(".") else safe
    if len(safe) <= _LONGEST_STEM:
        return safe
    mark = f"~{digest(name)[:16]}"
    return safe[: _LONGEST_STEM - len(mark)] + mark


def json_bytes(value: Json) -> bytes:
    """Write JSON for people to read: indented, and as UTF-8 where that can hold it."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        return f"{text}\n".encode()
    except ValueError:  # a lone surrogate, or an integer too long for json
        return f"{dumps(value, indent=2)}\n".encode()


def store_error(error: OSError, path: Path, what: str) -> StoreError:
    """Say what could not be done with a path, why, and what would help."""
    reason = os.strerror(error.errno) if error.errno else str(error)
    advice = _ADVICE.get(error.errno or 0)
    return StoreError(f"{path}: {what}: {reason}" + (f"; {advice}" if advice else ""))


def _unread(error: OSError, path: Path) -> InputError | StoreError:
    said = store_error(error, path, "cannot be read")
    if error.errno not in _WRONG_NAME:
        return said
    reason = str(said).removeprefix(f"{path}: ")
    return InputError(Fault(file=_shown(path), message=reason))


def _shown(path: Path) -> str:
    name = str(path)
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"


def _no_file(path: Path, mode: int) -> str:
    if S_ISDIR(mode):
        return f"this is a folder; name a file{_in_it(path)}"
    return "this is a pipe or a device, which may never end; name a file"


def _replace(path: Path, content: bytes, sync: Callable[[int], None]) -> None:
    place = Path(os.path.realpath(path))
    temporary = place.with_name(f".{token_hex(8)}.flowjury")
    make_folder(place.parent)
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            sync(file.fileno())
        _keep_mode(place, temporary)
        temporary.replace(place)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise store_error(error, path, "cannot be written") from error
        raise


def _keep_mode(old: Path, new: Path) -> None:
    with suppress(FileNotFoundError):
        new.chmod(S_IMODE(old.stat().st_mode))


def _no_such_file(path: Path) -> str:
    """Say how far the path leads, and which name there is nearest."""
    folder = path.parent
    if not folder.is_dir():
        return f"no such file: {_not_a_folder(folder)}"
    near = nearest(path.name, _listing(folder))
    return "no such file" + (f"; nearest is {str(folder / near)!r}" if near else "")


def _not_a_folder(folder: Path) -> str:
    first = next(
        (each for each in reversed([folder, *folder.parents]) if not each.is_dir()), folder
    )
    near = nearest(first.name, _listing(first.parent))
    state = "is a file" if first.exists() else "does not exist"
    return f"the folder {str(first)!r} {state}" + (
        f"; nearest is {str(first.parent / near)!r}" if near and near != first.name else ""
    )


def _in_it(folder: Path) -> str:
    names = [name for name in _listing(folder) if (folder / name).is_file()][:3]
    return f" in it, such as {str(folder / names[0])!r}" if names else ""


def _listing(folder: Path) -> list[str]:
    try:
        return _listed(folder)
    except OSError:
        return []


def _listed(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if not each.name.startswith("."))
