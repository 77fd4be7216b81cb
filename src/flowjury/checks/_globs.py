"""The globs: patterns of paths in a workspace, judged alike on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, Field

_DEEP: Final = "**"


def _inside(path: str) -> str:
    """Refuse what names nothing in a workspace, as it would be found to be absent."""
    parts = path.rstrip("/").split("/")
    if not path or path.startswith("/") or "\\" in path or {"", ".", ".."} & set(parts):
        raise ValueError(
            f"{path!r} is no path in a workspace: write it from there with '/', such as out/a.json,"
            " without '.' and '..'"
        )
    return path


WorkspacePath: TypeAlias = Annotated[str, Field(min_length=1), AfterValidator(_inside)]
"""The path of a file from the workspace, with `/`."""
Glob: TypeAlias = Annotated[str, Field(min_length=1), AfterValidator(_inside)]
"""A pattern of paths: `*` and `?` stay in one folder, `**` stands for any folders."""


def matches(path: str, glob: str) -> bool:
    """Tell whether a path fits a glob; one that ends with `/` is for all in the folder."""
    whole = f"{glob}{_DEEP}" if glob.endswith("/") else glob
    return _fits(path.split("/"), whole.split("/"))


def _fits(parts: Sequence[str], glob: Sequence[str]) -> bool:
    """Go through the glob and keep all places in the path to which it leads so far."""
    places = {0}
    for number, word in enumerate(glob, 1):
        if word == _DEEP and places:
            least = int(number == len(glob))  # at the end it stands for what is inside
            places = set(range(min(places) + least, len(parts) + 1))
        else:
            places = {n + 1 for n in places if n < len(parts) and fnmatchcase(parts[n], word)}
    return len(parts) in places
