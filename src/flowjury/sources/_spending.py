"""The spending of a trace: what each node spent itself, where several spans tell the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from flowjury.sources._nesting import Inside
from flowjury.sources._roles import Role
from flowjury.sources._spans import Span, Tree
from flowjury.sources._values import spent
from flowjury.usage import as_number, exact

Amounts = dict[str, int | float]


def by_holder(
    tree: Tree, roles: Mapping[str, Role], inside: Mapping[str, Inside]
) -> dict[str | None, Amounts]:
    """Add up what was spent, by the id of the node that spent it; None where no node did.

    Calls of models count. What is around them says the same again, and counts where they are
    silent.
    """
    reported = {span.id: amounts for span in tree.spans if (amounts := spent(span))}
    models = {key for key in reported if key in roles and roles[key].kind == "model"}
    counted = _innermost(tree, [span for span in tree.spans if span.id in (models or reported)])
    sums: dict[str | None, dict[str, Decimal]] = {}
    for span in counted:
        place = inside[span.id]
        holder = span.id if place.node is not None else place.holder
        _add(sums.setdefault(holder, {}), reported[span.id])
    return {holder: _numbers(amounts) for holder, amounts in sums.items()}


def total(spending: Mapping[str | None, Amounts]) -> Amounts:
    """Return the sum of all."""
    sums: dict[str, Decimal] = {}
    for amounts in spending.values():
        _add(sums, amounts)
    return _numbers(sums)


def _innermost(tree: Tree, spans: Sequence[Span]) -> list[Span]:
    """Leave out those that are around another."""
    around: set[str] = set()
    for span in spans:
        outer = tree.parent(span)
        while outer is not None and outer.id not in around:
            around.add(outer.id)
            outer = tree.parent(outer)
    return [span for span in spans if span.id not in around]


def _add(sums: dict[str, Decimal], amounts: Amounts) -> None:
    for unit, number in amounts.items():
        sums[unit] = sums.get(unit, Decimal(0)) + exact(number)


def _numbers(sums: Mapping[str, Decimal]) -> Amounts:
    return {unit: as_number(amount) for unit, amount in sums.items()}
