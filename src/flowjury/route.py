"""The route of one run: its visits in time, what came before and after each, the edges taken."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal, TypeAlias

from flowjury.reach import Reach
from flowjury.visits import Moment, Visit
from flowjury.workflow import Edge

Taken = Literal["taken", "likely", "unsure", "not-taken"]
"""Whether an edge was taken: `likely`, it was if no visit in between is missing."""
_Inside: TypeAlias = tuple[str | None, str | None]
"""Caller and parent: inside which execution a visit was made."""
_BEST: tuple[Taken, ...] = ("taken", "likely", "unsure", "not-taken")
_START = attrgetter("start")
_END = attrgetter("end")


class Route:
    """The visits of one run in the order of time."""

    def __init__(self, visits: Sequence[Visit]) -> None:
        """Take the visits, sorted by start."""
        self.visits = visits

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The visited nodes in order of start, one for each visit."""
        return tuple(visit.node for visit in self.visits)

    @cached_property
    def _of(self) -> Mapping[str, list[Visit]]:
        visits: dict[str, list[Visit]] = {}
        for visit in self.visits:
            visits.setdefault(visit.node, []).append(visit)
        return visits

    @cached_property
    def _soonest(self) -> Mapping[str, list[Visit]]:
        return {node: _ending_soonest(visits) for node, visits in self._of.items()}

    @cached_property
    def _beside(self) -> Mapping[_Inside, tuple[list[Visit], list[Visit]]]:
        """Map where visits were made to those made there, by start, and to the soonest to end."""
        siblings: dict[_Inside, list[Visit]] = {}
        for visit in self.visits:
            siblings.setdefault(_inside(visit), []).append(visit)
        return {where: (visits, _ending_soonest(visits)) for where, visits in siblings.items()}

    @cached_property
    def _ended(self) -> list[Visit]:
        return sorted(self.visits, key=_END)

    def of(self, node: str) -> Sequence[Visit]:
        """Return the visits of a node by start."""
        return self._of.get(node, ())

    def first_after(self, node: str, moment: Moment) -> Visit | None:
        """Return, of the visits of a node that start after a moment, the one that ends first."""
        visits = self.of(node)
        place = bisect_right(visits, moment, key=_START)
        return self._soonest[node][place] if place < len(visits) else None

    def before(self, visit: Visit, among: Collection[str] | None = None) -> Visit | None:
        """Return what ended last before a visit of the same turn, of some nodes or of siblings."""
        for place in range(bisect_right(self._ended, visit.start, key=_END) - 1, -1, -1):
            earlier = self._ended[place]
            if earlier.end[0] != visit.start[0]:
                return None
            wanted = _siblings(earlier, visit) if among is None else earlier.node in among
            if wanted and earlier is not visit:
                return earlier
        return None

    def after(self, visit: Visit, among: Collection[str] | None = None) -> Visit | None:
        """Return what started first after a visit in the same turn, of some nodes or siblings."""
        for place in range(bisect_left(self.visits, visit.end, key=_START), len(self.visits)):
            later = self.visits[place]
            if later.start[0] != visit.end[0]:
                return None
            wanted = _siblings(visit, later) if among is None else later.node in among
            if wanted and later is not visit:
                return later
        return None

    def taken(self, source: str, target: str, graph: Reach | None = None) -> Taken:
        """Tell whether the run went from a node straight to another.

        Where the graph shows no such edge, what followed at once among siblings counts, and what
        followed later is unsure.
        """
        ways = graph.ways(source, target) if graph else ()
        if target.startswith(f"{source}:") and (ways or graph is None):
            return "taken" if self.of(source) and self.of(target) else "not-taken"
        best: Taken = "not-taken"
        nearest = self._nearest(graph.predecessors.get(target, ()) if graph else (), source)
        for left, reached in self._pairs(source, target):
            answer = (
                self._by_edges(left, reached, ways, nearest)
                if ways
                else self._by_place(left, reached)
            )
            if answer == "taken":
                return answer
            best = min(answer, best, key=_BEST.index)
        return best

    def _pairs(self, source: str, target: str) -> Iterator[tuple[Visit, Visit]]:
        """Yield each visit of the source with the visit of the target that came next."""
        targets = self.of(target)
        for left in self.of(source) if targets else ():
            place = bisect_right(targets, left.end, key=_START)
            if place < len(targets) and targets[place].start[0] == left.end[0]:
                yield left, targets[place]

    def _nearest(self, others: Collection[str], source: str) -> Callable[[Visit], Visit | None]:
        """Return what finds the visit by which a node was likely reached; each is looked for once.

        Many visits of the source may have come before the same visit of the target.
        """
        rivals = {*others, source}
        found: dict[Moment, Visit | None] = {}

        def nearest(reached: Visit) -> Visit | None:
            if reached.start not in found:
                found[reached.start] = self.before(reached, rivals)
            return found[reached.start]

        return nearest

    def _by_edges(
        self,
        left: Visit,
        reached: Visit,
        ways: Sequence[Edge],
        before: Callable[[Visit], Visit | None],
    ) -> Taken:
        outcomes = {way.outcome for way in ways}
        if left.outcome is not None and None not in outcomes:
            sure: Taken = "taken" if left.last.status == "ok" else "likely"
            return sure if left.outcome in outcomes else "not-taken"
        if not all(way.conditional for way in ways):
            return "taken" if left.last.status == "ok" else "not-taken"
        nearest = before(reached)
        if nearest is None or nearest is left:
            return "likely"
        return "not-taken" if nearest.start >= left.end else "unsure"

    def _by_place(self, left: Visit, reached: Visit) -> Taken:
        near = _siblings(left, reached) and self._adjacent(left, reached)
        return "likely" if near else "unsure"

    def _adjacent(self, left: Visit, reached: Visit) -> bool:
        """Tell whether no sibling ran entirely between two visits."""
        visits, soonest = self._beside[_inside(left)]
        first = soonest[bisect_right(visits, left.end, key=_START)]
        return first is reached or first.end > reached.start


def _ending_soonest(visits: Sequence[Visit]) -> list[Visit]:
    """Return for each place the visit that ends first from there on."""
    soonest = list(visits)
    for place in range(len(visits) - 2, -1, -1):
        soonest[place] = min(soonest[place], soonest[place + 1], key=_END)
    return soonest


def _siblings(one: Visit, other: Visit) -> bool:
    """Tell whether two visits were made inside the same execution."""
    return _inside(one) == _inside(other)


def _inside(visit: Visit) -> _Inside:
    return visit.caller, visit.last.parent
