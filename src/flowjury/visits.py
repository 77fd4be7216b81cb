"""The visits: every arrival at a node with all its attempts, in an order that every run shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

from flowjury.json_values import canonical
from flowjury.trace import Execution

Moment: TypeAlias = tuple[int, int, int]
"""A point in time: number of the turn, nanoseconds on its clock, and place among equal times."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One arrival at a node, with all its attempts in order."""

    node: str
    attempts: tuple[Execution, ...]
    start: Moment
    """When the first attempt started."""
    end: Moment
    """When the last attempt ended."""

    @property
    def last(self) -> Execution:
        """The attempt whose values count."""
        return self.attempts[-1]

    @property
    def caller(self) -> str | None:
        """Static name of the node that called this one."""
        return self.last.caller

    @property
    def outcome(self) -> str | None:
        """The outcome by which it was left; `error` where it raised and names no other."""
        raised = "error" if self.last.status == "error" else None
        return self.last.outcome or raised


def in_time(turns: Iterable[Sequence[Execution]]) -> tuple[tuple[Execution, Moment, Moment], ...]:
    """Put the executions of all turns in order of start; each turn may have a clock of its own."""
    sorted_turns = [sorted(turn, key=lambda e: (e.start_ns, e.end_ns)) for turn in turns]
    places = enumerate(
        (turn, execution) for turn, tries in enumerate(sorted_turns) for execution in tries
    )
    return tuple(
        (execution, (turn, execution.start_ns, place), (turn, execution.end_ns, place))
        for place, (turn, execution) in places
    )


def arrivals(timed: Iterable[tuple[Execution, Moment, Moment]]) -> tuple[Visit, ...]:
    """Join the tries of each visit, by start of the first.

    A visit goes on in a later turn only where it was interrupted in an earlier one.
    """
    opened: dict[tuple[str, str], int] = {}
    tries: list[list[tuple[Execution, Moment, Moment]]] = []
    for each in timed:
        key = (each[0].node, each[0].visit)
        place = opened.get(key)
        if place is None or not _goes_on(tries[place][-1], each):
            opened[key] = place = len(tries)
            tries.append([])
        tries[place].append(each)
    return tuple(
        Visit(same[0][0].node, tuple(each[0] for each in same), same[0][1], same[-1][2])
        for same in tries
    )


def _goes_on(
    earlier: tuple[Execution, Moment, Moment], later: tuple[Execution, Moment, Moment]
) -> bool:
    return earlier[1][0] == later[1][0] or earlier[0].status == "interrupted"


def by_node(visits: Sequence[Visit], nodes: Iterable[str] = ()) -> Mapping[str, tuple[Visit, ...]]:
    """Group visits by node, in an order that is the same in every run; known nodes come first."""
    groups: dict[str, list[Visit]] = {node: [] for node in nodes}
    for visit in visits:
        groups.setdefault(visit.node, []).append(visit)
    inside = _Insides(visits)
    return {
        node: tuple(group if len(group) < 2 else _in_order(group, inside))  # noqa: PLR2004 - nothing to order
        for node, group in groups.items()
    }


class _Insides:
    """Inside which visit each was made, and the order of all: each before those inside it."""

    def __init__(self, visits: Sequence[Visit]) -> None:
        self._visits = visits

    @cached_property
    def _holders(self) -> dict[tuple[int, str], Visit]:
        return {
            (turn, each.id): visit
            for visit in self._visits
            for turn in range(visit.start[0], visit.end[0] + 1)
            for each in visit.attempts
        }

    def around(self, visit: Visit) -> Visit | None:
        """Return the visit inside which one was made; None if that is not known."""
        parent = visit.attempts[0].parent
        return None if parent is None else self._holders.get((visit.start[0], parent))

    @cached_property
    def places(self) -> Mapping[Moment, int]:
        """Map each visit, by its start, to its number; what is inside itself has none."""
        inside: dict[Moment | None, list[Visit]] = {}
        for visit in self._visits:
            around = self.around(visit)
            inside.setdefault(around.start if around else None, []).append(visit)
        places: dict[Moment, int] = {}
        ahead = _reversed(inside.get(None, ()))
        while ahead:
            visit = ahead.pop()
            places[visit.start] = len(places)
            ahead += _reversed(inside.get(visit.start, ()))
        return places


def _reversed(visits: Iterable[Visit]) -> list[Visit]:
    """Sort the visits inside one visit, and turn them round."""
    ordered = sorted(visits, key=lambda v: (v.node, *_key(v), v.start))
    siblings = groupby(ordered, key=lambda v: (v.node, *_key(v)))
    return [visit for _, same in siblings for visit in _among(list(same))][::-1]


def _key(visit: Visit) -> tuple[str, tuple[int, ...], int]:
    return (visit.caller or "", visit.last.index, visit.start[0])


def _in_order(visits: list[Visit], inside: _Insides) -> Iterator[Visit]:
    """Sort by caller, index and turn, then as those around; siblings as they were begun."""
    ordered = sorted(visits, key=lambda v: (*_key(v), v.start))
    for _, same in groupby(ordered, key=_key):
        group = list(same)
        around = {(v.node, v.start) if v else None for v in map(inside.around, group)}
        if len(around) == 1:
            yield from _among(group)
        elif len({each and each[0] for each in around}) == 1:
            yield from sorted(group, key=lambda v: inside.places.get(v.start, len(inside.places)))
        else:
            yield from _by_time(group)


def _among(siblings: list[Visit]) -> Iterator[Visit]:
    """Sort siblings by their places if all are known, where times mean nothing; else by start."""
    places = {v.start: v.attempts[0].place for v in siblings}
    if () in places.values() or len({*places.values()}) < len(places):
        yield from _by_time(siblings)
        return
    ordered = sorted(siblings, key=lambda v: (places[v.start], v.start))
    for _, same in groupby(ordered, key=lambda v: (places[v.start][0], len(places[v.start]) > 1)):
        forked = list(same)
        strands = {places[v.start][:-1] for v in forked}
        # Several in one strand may be what it took from a queue, so its number says nothing.
        yield from forked if len(strands) == len(forked) else _by_time(forked)


def _by_time(siblings: list[Visit]) -> Iterator[Visit]:
    """Sort siblings by start; those that overlap by canonical input."""
    cluster: list[Visit] = []
    end: Moment = (0, 0, 0)
    for visit in sorted(siblings, key=lambda v: v.start):
        if cluster and visit.start >= end:
            yield from _by_input(cluster)
            cluster = []
        end = max(end, visit.end) if cluster else visit.end
        cluster.append(visit)
    yield from _by_input(cluster)


def _by_input(cluster: list[Visit]) -> list[Visit]:
    if len(cluster) < 2:  # noqa: PLR2004 - nothing to order
        return cluster
    return sorted(cluster, key=lambda v: (canonical(v.attempts[0].input), _answers(v), v.start))


def _answers(visit: Visit) -> bytes:
    """Return what tells visits of one input apart, without times."""
    return canonical([[e.status, e.outcome, e.output] for e in visit.attempts])
