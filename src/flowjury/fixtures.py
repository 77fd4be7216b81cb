"""The fixtures of a job: which of them answers which visit of a boundary node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product
from threading import Lock
from typing import TypeAlias

from flowjury.case import Fixture
from flowjury.errors import FixtureMiss
from flowjury.job import Job
from flowjury.json_values import digest
from flowjury.model import Json
from flowjury.pointer import nearest, parse

Ignored: TypeAlias = Mapping[str, tuple[str, ...]]
"""Pointers into a node's input that do not matter for its fixtures, by node."""

_Keys: TypeAlias = tuple[str | None, str | None, tuple[int, ...] | None]
"""Caller, step and index of a fixture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One try of a boundary node that asks for its answer."""

    node: str
    caller: str | None = None
    step: str | None = None
    index: tuple[int, ...] = ()

    def answering(self) -> list[_Keys]:
        """Return the keys of the fixtures that may answer, those that say most first."""
        every = product({self.caller, None}, {self.step, None}, {self.index, None})
        return sorted(every, key=lambda keys: (keys.count(None), keys[1] is None, keys[2] is None))


@dataclass(frozen=True, slots=True)
class Served:
    """The fixture that answers a call."""

    fixture: Fixture
    other_input: bool
    """It was recorded for another input."""


class _Row:
    """The fixtures of one node, by their keys and in their order, and which were served."""

    def __init__(self, fixtures: tuple[Fixture, ...]) -> None:
        self.fixtures = fixtures
        self.node: str | None = None
        """The node that it answers, once it has answered one."""
        self.served: set[int] = set()
        self._chosen: dict[tuple[_Keys | int, ...], int] = {}
        """What was served by number."""
        # Lists run backwards, so that the first can be popped.
        self._places: dict[_Keys, list[int]] = {}
        self._unused: dict[tuple[_Keys, str | None], list[int]] = {}
        for place, fixture in reversed([*enumerate(fixtures)]):
            keys = (fixture.caller, fixture.step, fixture.index)
            self._places.setdefault(keys, []).append(place)
            for given in {fixture.input, None}:
                self._unused.setdefault((keys, given), []).append(place)

    def take(self, call: Call, wanted: str) -> Fixture | None:
        """Serve the fixture for a call: exact iteration, then same input, then most keys, first."""
        known = [keys for keys in call.answering() if keys in self._places]
        exact = [keys for keys in known if keys[2] is not None]
        if call.index and not exact:
            return self._numbered(known, call.index[-1])
        for given in (wanted, None):
            for keys in exact if call.index else known:
                place = self._next(keys, given)
                if place is not None:
                    return self._serve(place)
        return None

    def _numbered(self, known: list[_Keys], number: int) -> Fixture | None:
        """Serve by the number of an iteration or branch, whose order in time means nothing.

        Where there are fewer fixtures than that, the first that no other number took: a node of
        the second branch of a fork needs only one.
        """
        place = self._chosen.get((*known, number))
        if place is None:
            places = sorted(chain.from_iterable(self._places[keys] for keys in known))
            free = (one for one in (*places[number : number + 1], *places))
            place = next((one for one in free if one not in self._chosen.values()), None)
        if place is None:
            return None
        self._chosen[(*known, number)] = place
        return self._serve(place)

    def _next(self, keys: _Keys, given: str | None) -> int | None:
        """Find the first that was not served; those served under another index are passed."""
        unused = self._unused.get((keys, given), [])
        while unused and unused[-1] in self.served:
            unused.pop()
        return unused[-1] if unused else None

    def left(self, name: str) -> str | None:
        """Say in words how many answered nothing, if any."""
        known, left = len(self.fixtures), len(self.fixtures) - len(self.served)
        if not left:
            return None
        why = "" if self.served else " (no boundary node asked)"
        return f"{left} of {known} of {name!r}{why}"

    def _serve(self, place: int) -> Fixture:
        self.served.add(place)
        return self.fixtures[place]


class Shelf:
    """The fixtures of one job; each answers once, save where an iteration's number chooses it."""

    def __init__(
        self,
        fixtures: Mapping[str, tuple[Fixture, ...]] | None = None,
        *,
        steps: Mapping[str, Mapping[str, tuple[Fixture, ...]]] | None = None,
        ignore: Ignored | None = None,
        resolve: Callable[[str], str] | None = None,
        case: str = "",
    ) -> None:
        """Take the fixtures of the case and of its steps, and what resolves a node's short name.

        Without `resolve`, a last name part stands for the first node that asks for it.
        """
        self._resolve = resolve
        self._case = self._rows(fixtures or {})
        self._steps = {step: self._rows(inner) for step, inner in (steps or {}).items()}
        self._ignore = {self._named(node): pointers for node, pointers in (ignore or {}).items()}
        self._id = case
        self._lock = Lock()

    @classmethod
    def of(cls, job: Job, resolve: Callable[[str], str] | None = None) -> Shelf:
        """Put up the fixtures of a job."""
        steps = {turn.id: turn.fixtures for turn in job.turns if turn.id is not None}
        return cls(job.fixtures, steps=steps, ignore=job.ignore, resolve=resolve, case=job.case)

    def digest(self, node: str, value: Json) -> str:
        """Return the digest of a node's masked input, without what does not matter of it."""
        pointers = self._ignore.get(node) or self._ignore.get(_last(node), ())
        for at in pointers:
            value = _without(value, parse(at))
        return digest(value)

    def take(self, call: Call, value: Json) -> Served:
        """Serve the answer to a call with this masked input.

        Raises:
            FixtureMiss: no fixture is left that may answer it.
        """
        wanted = self.digest(call.node, value)
        with self._lock:
            for row in self._matching(call):
                fixture = row.take(call, wanted)
                if fixture is not None:
                    row.node = call.node
                    return Served(fixture, fixture.input not in (None, wanted))
            raise FixtureMiss(self._missing(call))

    def unused(self) -> tuple[str, ...]:
        """Say in words which fixtures answered nothing: those of the case, then of each step."""
        case = (row.left(name) for name, row in self._case.items())
        steps = (
            (step, row.left(name))
            for step, rows in self._steps.items()
            for name, row in rows.items()
        )
        return (*filter(None, case), *(f"{left} in step {step!r}" for step, left in steps if left))

    def _rows(self, fixtures: Mapping[str, tuple[Fixture, ...]]) -> dict[str, _Row]:
        joined: dict[str, tuple[Fixture, ...]] = {}
        for name, entries in fixtures.items():
            node = self._named(name)
            joined[node] = (*joined.get(node, ()), *entries)
        return {node: _Row(entries) for node, entries in joined.items()}

    def _named(self, name: str) -> str:
        return self._resolve(name) if self._resolve else name

    def _matching(self, call: Call) -> Iterator[_Row]:
        """Yield the rows that may answer a call: those of its step first."""
        for rows in (self._steps.get(call.step or "", {}), self._case):
            row = rows.get(call.node)
            if row is None and self._resolve is None:
                row = rows.get(_last(call.node))
            if row is not None and row.node in (None, call.node):
                yield row

    def _missing(self, call: Call) -> str:
        rows = list(self._matching(call))
        served = sum(len(row.served) for row in rows)
        known = sum(len(row.fixtures) for row in rows)
        what = f"{served} of its {known} fixtures were served before" if known else self._none(call)
        return (
            f"no fixture answers boundary node {call.node!r}{_where(call)}: {what}; record them"
            f" with `flowjury record SUITE --case {self._id or 'ID'}`, or write one by hand under"
            f" `fixtures: {{{call.node}: [{{output: …}}]}}`"
        )

    def _none(self, call: Call) -> str:
        """Say that a node has no fixtures, and which have a name like its own."""
        names = (*self._steps.get(call.step or "", {}), *self._case)
        free = [name for name in names if name != call.node]
        near = nearest(call.node, free) or nearest(_last(call.node), free)
        return f"it has none; nearest is {near!r}" if near else "it has none"


def _where(call: Call) -> str:
    parts = (
        f" called by {call.caller!r}" if call.caller else "",
        f" in iteration {list(call.index)}" if call.index else "",
        f" in step {call.step!r}" if call.step else "",
    )
    return "".join(parts)


def _last(name: str) -> str:
    return name.rpartition(":")[2]


def _without(value: Json, tokens: tuple[str, ...]) -> Json:
    """Return the value without the member at a pointer; an item of an array becomes null."""
    if not tokens:
        return None
    token, rest = tokens[0], tokens[1:]
    if isinstance(value, dict) and token in value:
        if not rest:
            return {key: item for key, item in value.items() if key != token}
        return {**value, token: _without(value[token], rest)}
    if isinstance(value, list) and token.isdecimal() and int(token) < len(value):
        place = int(token)
        return [*value[:place], _without(value[place], rest), *value[place + 1 :]]
    return value
