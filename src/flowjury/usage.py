"""The spending of a run: exact sums by unit, who spent them, and whether they are all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from flowjury.trace import Execution


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What was spent of one unit."""

    total: Decimal
    complete: bool
    """Whether nothing that was spent is known to be missing from the total."""
    by_node: Mapping[str, Decimal]
    attributed: bool = True
    """Whether nothing that a node spent is known to be missing, save for the silent ones."""
    silent: tuple[str, ...] = ()
    """Nodes that reported this unit on one visit and not on another."""

    @property
    def number(self) -> int | float:
        """The total as a JSON number."""
        return as_number(self.total)

    def top(self, count: int = 3) -> list[tuple[str, Decimal]]:
        """Return the nodes that spent most, most first."""
        return sorted(self.by_node.items(), key=lambda pair: (-pair[1], pair[0]))[:count]

    def inside(self, node: str) -> Spending | None:
        """Return what a node spent with everything inside it; None if it reported nothing."""
        mine = {name: spent for name, spent in self.by_node.items() if _within(name, node)}
        if not mine:
            return None
        silent = tuple(name for name in self.silent if _within(name, node))
        return Spending(
            total=sum(mine.values(), Decimal(0)),
            complete=self.attributed and not silent,
            by_node=mine,
            attributed=self.attributed,
            silent=silent,
        )


def exact(number: float) -> Decimal:
    """Return the decimal number that was written: 0.1 is a tenth, not its binary neighbour."""
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def as_number(amount: Decimal) -> int | float:
    """Return a decimal as a JSON number."""
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def spending(
    executions: Sequence[Execution],
    *,
    stated: Mapping[str, int | float] | None = None,
    complete: bool = True,
    all_ran: bool = True,
) -> dict[str, Spending]:
    """Add up what each execution itself spent; where the engine stated a total, that counts.

    `complete` says that all spending was recorded, `all_ran` that all executions were.
    """
    totals = {unit: exact(number) for unit, number in (stated or {}).items()}
    reported = spent_by_node(executions)
    return {
        unit: _of_unit(
            totals.get(unit),
            reported.get(unit, {}),
            silent=_silent(executions, unit, reported.get(unit, {})),
            complete=complete,
            attributed=complete and all_ran,
        )
        for unit in sorted(reported.keys() | totals.keys())
    }


def added(turns: Sequence[tuple[Mapping[str, Spending], bool]]) -> dict[str, Spending]:
    """Add up turns; where one does not report a unit, it must be known to be complete."""
    units = sorted({unit for spent, _ in turns for unit in spent})
    return {unit: _joined([(spent.get(unit), whole) for spent, whole in turns]) for unit in units}


def _joined(parts: Sequence[tuple[Spending | None, bool]]) -> Spending:
    reported = [part for part, _ in parts if part is not None]
    unreported_whole = all(whole for part, whole in parts if part is None)
    return Spending(
        total=sum((part.total for part in reported), Decimal(0)),
        complete=unreported_whole and all(part.complete for part in reported),
        by_node=_summed(pair for part in reported for pair in part.by_node.items()),
        attributed=unreported_whole and all(part.attributed for part in reported),
        silent=tuple(sorted({name for part in reported for name in part.silent})),
    )


def _of_unit(
    stated: Decimal | None,
    by_node: Mapping[str, Decimal],
    *,
    silent: tuple[str, ...],
    complete: bool,
    attributed: bool,
) -> Spending:
    return Spending(
        total=sum(by_node.values(), Decimal(0)) if stated is None else stated,
        complete=attributed and not silent if stated is None else complete,
        by_node=by_node,
        attributed=attributed,
        silent=silent,
    )


def _within(name: str, node: str) -> bool:
    return name == node or name.startswith(f"{node}:")


def _summed(pairs: Iterable[tuple[str, Decimal]]) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = {}
    for name, amount in pairs:
        sums[name] = sums[name] + amount if name in sums else amount
    return sums


def spent_by_node(executions: Iterable[Execution]) -> dict[str, dict[str, Decimal]]:
    """Add up, for each unit, what each node spent."""
    units: dict[str, dict[str, Decimal]] = {}
    for execution in executions:
        node = execution.node
        for unit, number in (execution.usage or {}).items():
            nodes = units.setdefault(unit, {})
            amount = exact(number)
            nodes[node] = nodes[node] + amount if node in nodes else amount
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
