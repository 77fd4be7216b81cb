"""The problem: one item of pydantic's error, at its true place in the document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from flowjury.documents.place import Path
from flowjury.model import Json

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that a model refuses."""

    type: str
    """Pydantic's name for it, such as `int_parsing`."""
    path: Path
    """Where in the document it is; of a missing key, where the key should be added."""
    loc: Path
    """Where pydantic says it is: the path, with names of branches of unions in between."""
    branches: tuple[int, ...]
    """The indexes in `loc` of what is not in the path."""
    value: Json
    """What stands there."""
    message: str
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """Return the path of the object or value that is to be mended."""
        return self.path[:-1] if self.type == "extra_forbidden" else self.path

    @property
    def key(self) -> str:
        """Return the last name that pydantic gives: that of a missing or unknown key."""
        return str(self.loc[-1])


def problems(error: ValidationError, root: Json) -> list[Problem]:
    """Return the items of an error, placed in the document with this root."""
    items = error.errors(include_url=False)
    return [_placed(item, root) for item in items if not _is_consequence(item)]


def _is_consequence(item: ErrorDetails) -> bool:
    """Tell whether a list is called too short only because items that it has are wrong."""
    return item["type"] == "too_short" and len(item["input"]) >= item["ctx"]["min_length"]


def _placed(item: ErrorDetails, root: Json) -> Problem:
    loc: Path = item["loc"]
    inside = loc[:-1] if item["type"] == "missing" or loc[-1:] == ("[key]",) else loc
    path = _path(inside, root, item["input"])
    return Problem(
        type=item["type"],
        path=path,
        loc=loc,
        branches=_unused(inside, path),
        value=item["input"],
        message=item["msg"],
        context=item.get("ctx", {}),
    )


def _path(loc: Path, root: Json, value: Json) -> Path:
    """Drop from a loc what is not in the document, which pydantic does not mark as such.

    A tag may be called like a key (`kind: value` with a key `value`), so every way to read the loc
    is followed; the right one leads to the very object that pydantic complains about.
    """
    ways: dict[Path, Json] = {(): root}
    for part in loc:
        steps = {(*path, part): node[part] for path, node in ways.items() if _leads_on(node, part)}
        ways |= steps
    exact = [path for path, node in ways.items() if node is value]
    return max(exact or ways, key=lambda path: (len(path), path[-1:] == loc[-1:]))


def _leads_on(node: Json, part: str | int) -> bool:
    match node:
        case dict():
            return part in node
        case list():
            return isinstance(part, int) and part < len(node)
        case _:
            return False


def _unused(loc: Path, path: Path) -> tuple[int, ...]:
    """Return the indexes of a loc that its path does not use, taking the last of equal parts."""
    unused, rest = [], list(path)
    for index in range(len(loc) - 1, -1, -1):
        if rest and rest[-1] == loc[index]:
            rest.pop()
        else:
            unused.append(index)
    return tuple(reversed(unused))
