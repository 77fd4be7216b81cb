"""Views: files that show what the store knows, written where they changed, made again at will."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from flowjury.errors import FlowJuryError
from flowjury.request import Request
from flowjury.store.files import (
    json_bytes,
    make_folder,
    names_in,
    read_bytes,
    remove,
    stem,
    store_error,
    write_view,
)

LATEST: Final = "latest"
_REQUEST: Final = re.compile(r"[0-9a-f]{64}\.json")


def write_requests(folder: Path, suite: str, requests: Iterable[Request]) -> None:
    """Write the open requests of a suite, one file each, and remove those no longer open.

    Raises StoreError.
    """
    make_folder(folder)
    open_now = {f"{request.digest}.json": request for request in requests}
    for name in names_in(folder):
        if name not in open_now and _is_request_of(suite, folder / name):
            remove(folder / name)
    for name, request in open_now.items():
        write_view(folder / name, json_bytes(request.model_dump(exclude_none=True)))


def write_report(folder: Path, suite: str, run: str, files: Mapping[str, bytes]) -> Path:
    """Write the files of the report on a run of a suite, and return their folder.

    Raises StoreError.
    """
    place = folder / stem(suite) / stem(run)
    for name, content in files.items():
        write_view(place / name, content)
    return place


def point_latest(
    folder: Path, suite: str, run: str, *, link: Callable[[Path, str], None] = Path.symlink_to
) -> None:
    """Let `latest` lead to the report of a run: a link, or a text where links cannot be made.

    Raises StoreError.
    """
    place, target = folder / stem(suite) / LATEST, stem(run)
    if place.is_symlink() and str(place.readlink()) == target:
        return
    make_folder(place.parent)
    temporary = place.with_name(f".{token_hex(8)}.flowjury")
    try:
        link(temporary, target)
    except OSError:
        write_view(place, f"{target}\n".encode())
        return
    try:
        temporary.replace(place)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise store_error(error, place, "cannot be written") from error


def _is_request_of(suite: str, path: Path) -> bool:
    """Tell whether a file is the view of a request of a suite; a broken one is anybody's."""
    if not _REQUEST.fullmatch(path.name):
        return False
    try:
        value = json.loads(read_bytes(path))
    except (FlowJuryError, ValueError):
        return True
    return not isinstance(value, dict) or value.get("suite") == suite
