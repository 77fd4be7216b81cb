"""The spending of a run: exact sums by unit, who spent them, and whether they are all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from flowjury.trace import Execution


@dataclass(frozen=True, slots=True)
class Spending:
    """What was spent of one unit."""

    total: Decimal
    complete: bool
    """Whether nothing that was spent is known to be missing from the total."""
    by_node: Mapping[str, Decimal]
    silent: tuple[str, ...] = ()
    """Nodes that reported this unit on one visit and not on another."""

    @property
    def number(self) -> int | float:
        """The total as a JSON number."""
        return int(self.total) if self.total == self.total.to_integral_value() else float(self.total)

    def top(self, count: int = 3) -> list[tuple[str, Decimal]]:
        """Return the nodes that spent most, most first."""
        return sorted(self.by_node.items(), key=lambda pair: (-pair[1], pair[0]))[:count]


def exact(number: float) -> Decimal:
    """Return the decimal number that was written: 0.1 is a tenth, not its binary neighbour."""
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def spending(
    executions: Sequence[Execution],
    *,
    totals: Iterable[Mapping[str, int | float]] = (),
    complete: bool = True,
) -> dict[str, Spending]:
    """Add up what each execution itself spent; where the engine stated a total, that counts."""
    stated: dict[str, Decimal] = {}
    for total in totals:
        for unit, number in total.items():
            stated[unit] = stated.get(unit, Decimal(0)) + exact(number)
    reported = _by_unit(executions)
    units = sorted(reported.keys() | stated.keys())
    silent = {unit: _silent(executions, unit, reported.get(unit, {})) for unit in units}
    return {
        unit: Spending(
            total=stated.get(unit, sum(reported.get(unit, {}).values(), Decimal(0))),
            complete=complete and (unit in stated or not silent[unit]),
            by_node=reported.get(unit, {}),
            silent=silent[unit],
        )
        for unit in units
    }


def _by_unit(executions: Iterable[Execution]) -> dict[str, dict[str, Decimal]]:
    units: dict[str, dict[str, Decimal]] = {}
    for execution in executions:
        for unit, number in (execution.usage or {}).items():
            nodes = units.setdefault(unit, {})
            nodes[execution.node] = nodes.get(execution.node, Decimal(0)) + exact(number)
    return units


def _silent(
    executions: Iterable[Execution], unit: str, reporters: Mapping[str, Decimal]
) -> tuple[str, ...]:
    """Name the nodes that report a unit, but did not in some finished execution."""
    quiet = {
        execution.node
        for execution in executions
        if execution.node in reporters
        and execution.status == "ok"
        and unit not in (execution.usage or {})
    }
    return tuple(sorted(quiet))
