"""The check `files`: which files a program left in its workspace, and what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from flowjury import pointer
from flowjury.check import Check, Claim, Scope, Truth
from flowjury.checks._captured import CapturedFiles
from flowjury.checks._decoding import Undecoded
from flowjury.checks._globs import WorkspacePath
from flowjury.checks._schemas import Schema, fitting
from flowjury.checks._values import Expectation, Op, shown
from flowjury.finding import Actual
from flowjury.json_values import short
from flowjury.model import JsonField, Model
from flowjury.names import listed
from flowjury.operators import UNSET
from flowjury.pointer import Missing
from flowjury.rubric import Pointer
from flowjury.scalars import Flag

_PARTS: Final = ("exist", "absent", "valid", "match", "schema_")


class Matching(Model):
    """What an operator must hold for in a file."""

    file: WorkspacePath
    """The file."""
    at: Pointer | None = None
    """Where the value is in the file's JSON; without it, the value is the file's text."""
    op: Op
    """The operator."""
    value: JsonField = None
    """What the operator compares with."""
    ignore_case: Flag = False
    """Whether case does not matter in texts."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        self.expectation.refuse()
        return self

    @property
    def expectation(self) -> Expectation:
        """The operator with its value."""
        given = "value" in self.model_fields_set
        return Expectation(self.op, self.value if given else UNSET, self.ignore_case)

    def claim(self, files: CapturedFiles) -> Claim:
        """Claim that the operator holds."""
        file = pointer.join(["files", self.file])
        place = file + (self.at or "")
        found = files.content(self.file) if self.at is None else files.value(self.file, self.at)
        if isinstance(found, Undecoded):
            return _undecoded(self.file, found, place)
        if isinstance(found, Missing) and found.pointer == file:
            says = found.reason
        else:
            says = self.expectation.says(found, place, inside=file)
        return Claim(
            truth=self.expectation.truth(found),
            says=says,
            expected=self.expectation.value,
            actual=shown(found),
            where=place,
        )


class FilesCheck(Check):
    """Holds if the files of the workspace are as is said."""

    model_config = ConfigDict(title="files")
    of_one_run = True
    kind: Literal["files"]
    """Names this kind."""
    exist: tuple[WorkspacePath, ...] = ()
    """Files that must be there."""
    absent: tuple[WorkspacePath, ...] = ()
    """Files that may not be there."""
    valid: tuple[WorkspacePath, ...] = ()
    """Files that must be JSON."""
    match: tuple[Matching, ...] = ()
    """Operators that must hold for the text, or for a value in the JSON, of a file."""
    schema_: Mapping[WorkspacePath, Schema] = Field(default_factory=dict, alias="schema")
    """JSON Schemas that the JSON of files must fit, by file."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if both := set(self.absent) & {*self.exist, *self.valid, *self.schema_}:
            raise ValueError(f"{listed(map(repr, both))} must and must not be there")
        if not any(getattr(self, part) for part in _PARTS):
            names = ", ".join(part.rstrip("_") for part in _PARTS)
            raise ValueError(f"it asserts nothing: write at least one of {names}")
        return self

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim each file."""
        return list(self._claims(CapturedFiles(scope)))

    def _claims(self, files: CapturedFiles) -> Iterator[Claim]:
        for path in self.exist:
            yield files.there(path, "holds")
        for path in self.absent:
            yield files.there(path, "fails")
        for path in self.valid:
            yield files.valid(path)
        for each in self.match:
            yield each.claim(files)
        for path, schema in self.schema_.items():
            yield _fits(files, path, schema)


def _fits(files: CapturedFiles, path: str, schema: Schema) -> Claim:
    place = pointer.join(["files", path])
    found = files.value(path, "")
    if isinstance(found, Undecoded):
        return _undecoded(path, found, place)
    if isinstance(found, Missing):
        return Claim(truth=Truth.MISSING, says=found.reason, expected=schema)
    return fitting(schema)(found, place)


def _undecoded(path: str, found: Undecoded, place: str) -> Claim:
    """Claim nothing of a file that is no JSON: asserted it fails, denied it is unknown."""
    says = f"{short(path)} {found.reason}"
    return Claim(truth=Truth.MISSING, says=says, actual=Actual(present=False), where=place)
