"""The check `tools`: which tools were called, how often, in which order, and with what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from flowjury import pointer
from flowjury.check import Check, Claim, Reference, Scope
from flowjury.checks._bounds import Times
from flowjury.checks._calls import Calls, calls
from flowjury.checks._schemas import Schema
from flowjury.checks._visited import Name
from flowjury.model import JsonField, Model
from flowjury.names import listed

_PARTS = ("called", "not_called", "order", "times", "status", "arguments")


class Arguments(Model):
    """What the arguments of a tool must be."""

    matches: JsonField = None
    """A pattern: its keys must be there and match."""
    schema_: Schema = Field(default=None, alias="schema")
    """A JSON Schema that they must fit."""
    calls: Literal["every", "any"] = "every"
    """Whether every call must have such arguments, or any."""

    @model_validator(mode="after")
    def _says_one(self) -> Self:
        if len(self.model_fields_set & {"matches", "schema_"}) != 1:
            raise ValueError("write either `matches` or `schema`")
        return self


class ToolsCheck(Check):
    """Holds if tools were called as is said."""

    model_config = ConfigDict(title="tools")
    of_one_run = True
    kind: Literal["tools"]
    """Names this kind."""
    called: tuple[Name, ...] = ()
    """Tools that must be called."""
    not_called: tuple[Name, ...] = ()
    """Tools that may not be called."""
    order: tuple[Name, ...] = ()
    """Tools of which each must be called before the next one."""
    times: Mapping[Name, Times] = Field(default_factory=dict)
    """How often each tool must be called."""
    status: Mapping[Name, Literal["ok", "error", "refused"]] = Field(default_factory=dict)
    """How every call of each tool must end."""
    arguments: Mapping[Name, Arguments] = Field(default_factory=dict)
    """What each tool must be called with."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if len(self.order) == 1:
            raise ValueError(f"`order` needs at least two tools, not only {self.order[0]!r}")
        if both := {*self.called, *self.order} & set(self.not_called):
            raise ValueError(f"{listed(map(repr, both))} must and must not be called")
        if not any(getattr(self, part) for part in _PARTS):
            raise ValueError(f"it asserts nothing: write at least one of {', '.join(_PARTS)}")
        return self

    def references(self) -> Iterator[Reference]:
        """Yield every tool."""
        for key in ("called", "not_called", "order"):
            for number, name in enumerate(getattr(self, key)):
                yield Reference(kind="tool", name=name, at=f"/{key}/{number}")
        for key in ("times", "status", "arguments"):
            for name in getattr(self, key):
                yield Reference(kind="tool", name=name, at=pointer.join([key, name]))

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim each name and each pair."""
        return list(self._claims(calls(scope)))

    def _claims(self, seen: Calls) -> Iterator[Claim]:
        for name in self.called:
            yield seen.called(name, "holds")
        for name in self.not_called:
            yield seen.called(name, "fails")
        if self.order:
            yield from seen.ordered(tuple(pairwise(self.order)))
        for name, bounds in self.times.items():
            yield from seen.counted(name, bounds)
        for name, status in self.status.items():
            yield seen.ended(name, status)
        for name, arguments in self.arguments.items():
            if "matches" in arguments.model_fields_set:
                yield seen.matching(name, arguments.matches, arguments.calls)
            else:
                yield seen.fits(name, arguments.schema_, arguments.calls)
