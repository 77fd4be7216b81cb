"""The calls: what the evidence says of the tools that a check names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, TypeAlias

from flowjury import pointer
from flowjury.check import Claim, Scope, Truth, Want
from flowjury.checks._bounds import Bounds, Counted
from flowjury.checks._many import over
from flowjury.checks._schemas import fitting
from flowjury.checks._values import Expectation
from flowjury.evidence import Resolution, Unrecorded
from flowjury.finding import ABSENT, Actual
from flowjury.model import Json
from flowjury.names import Names
from flowjury.trace import ToolCall

_Which = Literal["every", "any"]
_Places: TypeAlias = Sequence[tuple[int, ToolCall]]
_ByName: TypeAlias = Mapping[str, _Places]


def calls(scope: Scope) -> Calls:
    """Group the calls of a run by tool."""
    by_name: dict[str, list[tuple[int, ToolCall]]] = {}
    for place, call in enumerate(scope.evidence.tools):
        by_name.setdefault(call.name, []).append((place, call))
    return Calls(by_name, scope.evidence.gap("tools"), scope.names)


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of each tool with their places, and how much their absence would mean."""

    by_name: _ByName
    gap: str | None
    names: Names

    def called(self, name: str, want: Want) -> Claim:
        """Claim that a tool was called, or that it was not."""
        places = self.by_name.get(name, ())
        if not places:
            absence = self._absence(name)
            return Claim(truth=absence, says=self._reason(name), want=want, actual=ABSENT)
        if not self._made(name):
            return self._refused(name, want)
        often = "" if len(places) == 1 else f" {len(places)} times"
        where = f"/tools/{places[0][0]}"
        return Claim(truth=Truth.HOLDS, says=f"{name} was called{often}", want=want, where=where)

    def _refused(self, name: str, want: Want) -> Claim:
        """Claim of a tool that was only asked for: neither a call nor none bears anything out."""
        says = f"{name} was asked for, and refused: it did not run"
        if want == "holds":
            return Claim(truth=Truth.UNKNOWN, says=says, where="/tools")
        return Claim(truth=Truth.MISSING, says=says, where="/tools")

    def ordered(self, pairs: Sequence[tuple[str, str]]) -> list[Claim]:
        """Claim of each pair in turn that one was called before the other."""
        every, made = self._together(pairs, self.by_name), self._together(pairs, self._by_made)
        return [
            self._pair(*pair, together=after, made=really)
            for pair, after, really in zip(pairs, every, made, strict=True)
        ]

    def counted(self, name: str, bounds: Bounds) -> list[Claim]:
        """Claim how often a tool was called."""
        places = self.by_name.get(name, ())
        counted = Counted(
            what=f"calls of {name}",
            count=len(places),
            gap=self.gap,
            unverified=None if places else self._unverified(name),
            where="/tools",
            refused=len(places) - len(self._made(name)),
        )
        return counted.claims(bounds)

    def ended(self, name: str, status: str) -> Claim:
        """Claim that every call of a tool ended as said."""

        def claim(place: int, call: ToolCall) -> Claim:
            return Claim(
                truth=Truth.HOLDS if call.status == status else Truth.FAILS,
                says=f"/tools/{place}: {name} ended as {call.status}",
                expected=status,
                actual=Actual.of(call.status),
                where=f"/tools/{place}/status",
            )

        return self._over(name, claim, "every")

    def matching(self, name: str, pattern: Json, which: _Which) -> Claim:
        """Claim that the arguments of every call, or of any, match a pattern."""
        expectation = Expectation("matches", pattern, ignore_case=False)

        def claim(place: int, call: ToolCall) -> Claim:
            return expectation.claim(_arguments(place, call), f"/tools/{place}/arguments")

        return self._over(name, claim, which)

    def fits(self, name: str, schema: Json, which: _Which) -> Claim:
        """Claim that the arguments of every call, or of any, fit a schema."""
        fit = fitting(schema)

        def claim(place: int, call: ToolCall) -> Claim:
            return fit(_arguments(place, call), f"/tools/{place}/arguments")

        return self._over(name, claim, which)

    def _over(self, name: str, claim: Callable[[int, ToolCall], Claim], which: _Which) -> Claim:
        places = self.by_name.get(name, ())
        if not places:
            truth = Truth.MISSING if self.gap is None else Truth.UNKNOWN
            return Claim(truth=truth, says=self._reason(name), actual=ABSENT, where="/tools")
        return over([claim(place, call) for place, call in places], which, self.gap)

    @property
    def _by_made(self) -> _ByName:
        return {name: self._made(name) for name in self.by_name}

    def _made(self, name: str) -> _Places:
        return [place for place in self.by_name.get(name, ()) if place[1].status != "refused"]

    @staticmethod
    def _together(pairs: Sequence[tuple[str, str]], by_name: _ByName) -> Iterator[bool]:
        """Tell of each pair in turn whether the second comes after what the first was met with."""
        before = _first(by_name, pairs[0][0], 0)
        for _, other in pairs:
            after = None if before is None else _first(by_name, other, before + 1)
            yield after is not None
            before = _first(by_name, other, 0) if after is None else after

    def _pair(self, one: str, other: str, *, together: bool, made: bool) -> Claim:
        says = f"{other} was called after {one}"
        if made:
            return Claim(truth=Truth.HOLDS, says=says, where="/tools")
        if together:
            says = f"{says} only if calls that were refused count, which did not run"
            return Claim(truth=Truth.UNKNOWN, says=says, where="/tools")
        missing = next((name for name in (one, other) if name not in self.by_name), None)
        if missing is not None:
            truth, says = self._absence(missing), self._reason(missing)
        else:
            truth = Truth.FAILS if self.gap is None else Truth.UNKNOWN
            says = f"no call of {other} came after one of {one}"
        return Claim(truth=truth, says=says, where="/tools")

    def _absence(self, name: str) -> Truth:
        if self.gap is not None:
            return Truth.UNKNOWN
        return Truth.FAILS if self._unverified(name) is None else Truth.MISSING

    def _unverified(self, name: str) -> str | None:
        if self.names.tools is None:
            return "no workflow and no `declares.tools` shows that there is such a tool"
        return self.names.tool_fault(name)

    def _reason(self, name: str) -> str:
        reason = self.gap or self._unverified(name)
        return f"{name} was not called" + (f": {reason}" if reason else "")


def _arguments(place: int, call: ToolCall) -> Resolution:
    if "arguments" not in call.model_fields_set:
        return Unrecorded("", f"the arguments of /tools/{place} were not recorded")
    return pointer.resolve(call.arguments, "")


def _first(by_name: _ByName, name: str, start: int) -> int | None:
    places = by_name.get(name, ())
    number = bisect_left(places, start, key=itemgetter(0))
    return places[number][0] if number < len(places) else None
