"""The captured files of a workspace: what is known of a path, and what is in a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from flowjury import pointer
from flowjury.check import Claim, Scope, Truth, Want
from flowjury.checks._decoding import Undecoded, decoded
from flowjury.evidence import Resolution, Unrecorded
from flowjury.finding import ABSENT, Actual
from flowjury.json_values import OPAQUE_KEY, OPAQUE_TEXT, is_opaque, loads_strict, short
from flowjury.model import Json
from flowjury.pointer import Missing, nearest

_FILE: Final = "file"
"""How a regular file is marked whose content was not captured."""


def known_paths(scope: Scope) -> frozenset[str]:
    """Return every path that is known to have been in the workspace."""
    trace = scope.evidence.trace
    effects = trace.effects if isinstance(trace.effects, dict) else {}
    lists = [effects.get(key) for key in ("writes", "deletes")]
    named = [path for each in lists if isinstance(each, list) for path in each]
    return frozenset([*(path for path in named if isinstance(path, str)), *(trace.files or ())])


class CapturedFiles:
    """The files of one run."""

    def __init__(self, scope: Scope) -> None:
        """Take the evidence of a run."""
        self._scope = scope
        self._files = scope.evidence.trace.files or {}
        self._gap = scope.evidence.gap("files")

    def there(self, path: str, want: Want) -> Claim:
        """Claim that a file is there; that it is not there is known only beside others."""
        if path in self._files:
            truth, says = self._present(path)
        elif self._inside(path):
            truth = Truth.MISSING if want == "holds" else Truth.HOLDS
            says = f"{short(path)} is a folder"
        else:
            truth, says = self._absent(path, want)
        actual = Actual.of(path) if path in self._files else ABSENT
        return Claim(truth=truth, says=says, want=want, actual=actual, where=_place(path))

    def valid(self, path: str) -> Claim:
        """Claim that a file is JSON."""
        found, place = self.content(path), _place(path)
        if not isinstance(found, pointer.Found):
            truth = Truth.MISSING if isinstance(found, Missing) else Truth.UNKNOWN
            return Claim(truth=truth, says=_why(found, path), where=place)
        try:
            value = loads_strict(found.value) if isinstance(found.value, str) else found.value
        except ValueError as error:
            says = f"{short(path)} is no JSON: {error}"
            return Claim(truth=Truth.FAILS, says=says, actual=Actual.of(found.value), where=place)
        return Claim(truth=Truth.HOLDS, says=f"{short(path)} is JSON: {short(value)}", where=place)

    def content(self, path: str) -> Resolution:
        """Find what is in a file: mostly its text."""
        if path in self._files:
            value = self._files[path]
            if is_opaque(value):
                return Unrecorded(_place(path), f"{short(path)}: {_opaque(value)}")
            return pointer.resolve(value, "")
        if self._gap is not None:
            return Unrecorded(_place(path), f"{short(path)} was not captured: {self._gap}")
        return Missing(pointer=_place(path), resolved="", token=path, reason=self._lacking(path))

    def value(self, path: str, at: str) -> Resolution | Undecoded:
        """Find a value in a file of JSON."""
        found = self.content(path)
        if not isinstance(found, pointer.Found):
            return found
        if isinstance(found.value, str):
            return decoded(found.value, at)
        return pointer.resolve(found.value, at)

    def _present(self, path: str) -> tuple[Truth, str]:
        value = self._files[path]
        if is_opaque(value) and value[OPAQUE_KEY] != _FILE:
            return Truth.UNKNOWN, f"{short(path)}: {_opaque(value)}"
        return Truth.HOLDS, f"{short(path)} is there"

    def _absent(self, path: str, want: Want) -> tuple[Truth, str]:
        if self._gap is not None:
            return Truth.UNKNOWN, f"{short(path)} was not captured: {self._gap}"
        if want == "holds":
            return Truth.MISSING, self._lacking(path)
        folder = path.rpartition("/")[0]
        if not folder or self._known(folder):
            return Truth.FAILS, f"{short(path)} is not there"
        says = f"{short(path)} is not there; nothing was ever in a folder {short(folder)}"
        return Truth.MISSING, says

    def _lacking(self, path: str) -> str:
        near = nearest(path, self._files)
        return f"{short(path)} is not there" + (f"; nearest is {short(near)}" if near else "")

    def _inside(self, path: str) -> bool:
        return any(self._under(path, self._files))

    def _known(self, folder: str) -> bool:
        return any(self._under(folder, self._paths))

    def _under(self, folder: str, paths: dict[str, Json] | frozenset[str]) -> Iterator[str]:
        return (path for path in paths if path.startswith(f"{folder}/"))

    @cached_property
    def _paths(self) -> frozenset[str]:
        return known_paths(self._scope)


def _opaque(value: dict[str, Json]) -> str:
    return str(value.get(OPAQUE_TEXT, value[OPAQUE_KEY]))


def _why(found: Resolution, path: str) -> str:
    return found.reason if isinstance(found, Missing | Unrecorded) else f"{short(path)} is opaque"


def _place(path: str) -> str:
    return pointer.join(["files", path])
