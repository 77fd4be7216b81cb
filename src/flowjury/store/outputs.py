"""Outputs: files that the user names to be written, which may be pipes, devices or streams."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from flowjury.store.files import store_error, write


def write_out(path: Path, content: bytes) -> Literal["file", "stream"]:
    """Write a file whole or not at all, or into a pipe, a device or standard output as it is.

    Returns which it was. Raises StoreError.
    """
    try:
        if not is_stream(path):
            write(path, content)
            return "file"
        with open(path, "wb", opener=_opened) as file:
            file.write(content)
    except OSError as error:
        raise store_error(error, path, "cannot be written") from error
    return "stream"


def is_stream(path: Path) -> bool:
    """Tell whether a path takes what is written without being replaced, as pipes and devices do."""
    if not path.exists() or path.is_dir():
        return False
    return not path.is_file() or _standard(path) is not None


def _standard(path: Path) -> int | None:
    """Return the descriptor of standard output or error, if a path leads to it."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(descriptor)):
                return descriptor
    return None


def _opened(path: str, flags: int) -> int:
    """Open a file; standard output as it is, for another opening would write over it."""
    ours = _standard(Path(path))
    return os.open(path, flags) if ours is None else os.dup(ours)
