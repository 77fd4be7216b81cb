"""The raising: an exception of the user's code as data, with the line of theirs that raised it."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from traceback import walk_tb
from types import CodeType

from flowjury.reason import text_of
from flowjury.trace import Raised

_OURS = str(Path(__file__).parents[1])
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
_INSTALLED = {"site-packages", "dist-packages"}


def told(error: BaseException) -> Raised:
    """Tell of an exception by its class, its text, and its place where that is known."""
    where = place(error)
    known = {"where": where} if where else {}
    return Raised(type=type(error).__name__, message=text_of(error), **known)


def place(error: BaseException) -> str | None:
    """Return the innermost line of the user's code on the way to an exception.

    What we raise ourselves, such as the error of a fixture, has no place in the user's code.
    """
    lines = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    if not lines or lines[-1][0].co_filename.startswith(_OURS):
        return None
    theirs = ((code, line) for code, line in reversed(lines) if not _foreign(code))
    return next((f"{_name(code)}:{line} in {code.co_name}" for code, line in theirs), None)


def _foreign(code: CodeType) -> bool:
    """Tell whether code is of Python, of an installed package, of ours, or of no file."""
    file = code.co_filename
    return file.startswith(("<", _OURS, *_libraries())) or bool(_INSTALLED & {*Path(file).parts})


@cache
def _libraries() -> tuple[str, ...]:
    return tuple(sysconfig.get_path(each) for each in _LIBRARIES)


def _name(code: CodeType) -> str:
    """Name a file by how it is found, which is the same on every machine."""
    file = Path(code.co_filename)
    return min((found.as_posix() for found in _below(file)), key=len, default=file.name)


def _below(file: Path) -> Iterator[Path]:
    return (file.relative_to(each) for each in sys.path if each and file.is_relative_to(each))
