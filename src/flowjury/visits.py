"""The visits: every arrival at a node with all its attempts, in an order that every run shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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


def by_node(visits: Iterable[Visit], nodes: Iterable[str] = ()) -> Mapping[str, tuple[Visit, ...]]:
    """Group visits by node, in an order that is the same in every run; known nodes come first."""
    groups: dict[str, list[Visit]] = {node: [] for node in nodes}
    for visit in visits:
        groups.setdefault(visit.node, []).append(visit)
    return {
        node: tuple(group if len(group) < 2 else _in_order(group))  # noqa: PLR2004 - nothing to order
        for node, group in groups.items()
    }


def _in_order(visits: list[Visit]) -> Iterator[Visit]:
    """Sort by caller, index and start; overlapping siblings of one index by canonical input."""
    ordered = sorted(visits, key=lambda v: (v.caller or "", v.last.index, v.start))
    for _, siblings in groupby(ordered, key=lambda v: (v.caller, v.last.index)):
        cluster: list[Visit] = []
        end: Moment = (0, 0, 0)
        for visit in siblings:
            if cluster and visit.start >= end:
                yield from _by_input(cluster)
                cluster = []
            end = max(end, visit.end) if cluster else visit.end
            cluster.append(visit)
        yield from _by_input(cluster)


def _by_input(cluster: list[Visit]) -> list[Visit]:
    if len(cluster) < 2:  # noqa: PLR2004 - nothing to order
        return cluster
    return sorted(cluster, key=lambda v: (canonical(v.attempts[0].input), v.start))
