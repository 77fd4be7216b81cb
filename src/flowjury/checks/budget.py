"""The check `budget`: how much of a unit may be spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, StrictFloat, StrictInt

from flowjury import pointer
from flowjury.check import Check, Claim, Reference, Scope, Truth, Want
from flowjury.checks._visited import Name
from flowjury.evidence import Evidence
from flowjury.finding import ABSENT, Actual, Enforcement, Finding
from flowjury.usage import Spending, as_number, exact
from flowjury.verdict import Verdict

_SECONDS: Final = "seconds"
_NS: Final = Decimal(1_000_000_000)
_WEAKEST: Final[tuple[Enforcement, ...]] = ("report", "warn", "fail")
_MISSING: Final[dict[str, Enforcement]] = {"warn": "warn", "skip": "report"}
_Limit = Annotated[StrictInt | StrictFloat, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class _Unmeasured:
    """Nothing is known of what was spent."""

    reason: str


class BudgetCheck(Check):
    """Holds if no more than the maximum of a unit was spent."""

    model_config = ConfigDict(title="budget")
    of_one_run = True
    kind: Literal["budget"]
    """Names this kind."""
    unit: str = Field(min_length=1)
    """What is spent: ai_units, input_tokens, output_tokens, cost_usd, seconds, or any other."""
    max: _Limit
    """How much of it may be spent."""
    node: Name | None = None
    """Only what this node spends, with everything inside it, counts."""
    step: Name | None = None
    """Only what is spent in this turn of the conversation counts."""
    on_missing: Literal["fail", "warn", "skip"] | None = None
    """What it means that not all was measured: absent, the check is unknown; `fail`, it fails;
    `warn` and `skip`, it is unknown and no more than a warning or a remark."""

    def references(self) -> Iterator[Reference]:
        """Yield the node."""
        if self.node is not None:
            yield Reference(kind="node", name=self.node, at="/node")

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield the turn."""
        if self.step is not None:
            yield "/step", pointer.join(["steps", self.step])

    def weigh(self, scope: Scope, want: Want = "holds") -> Finding:
        """Weigh as every check; what was not measured may weigh less."""
        finding = super().weigh(scope, want)
        weaker = _MISSING.get(self.on_missing or "")
        if weaker is None or finding.verdict is not Verdict.UNKNOWN:
            return finding
        enforcement = min(weaker, self.enforcement, key=_WEAKEST.index)
        return finding.model_copy(update={"enforcement": enforcement})

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim that no more was spent."""
        spent = self._spent(scope)
        if isinstance(spent, _Unmeasured):
            says = f"{self._named(scope)}: {spent.reason}"
            return [Claim(truth=self._missing, says=says, expected=self.max, actual=ABSENT)]
        over = spent.total - exact(self.max)
        truth = Truth.FAILS if over > 0 else Truth.HOLDS if spent.complete else self._missing
        return [
            Claim(
                truth=truth,
                says=f"{self._named(scope)}: {self._says(spent, over)}",
                expected=self.max,
                actual=Actual.of(spent.number),
                where=None if self.node or self.unit == _SECONDS else self._where,
            )
        ]

    @property
    def _missing(self) -> Truth:
        return Truth.MISSING if self.on_missing == "fail" else Truth.UNKNOWN

    @property
    def _where(self) -> str:
        step = [] if self.step is None else ["steps", self.step]
        return pointer.join([*step, "usage", self.unit])

    def _named(self, scope: Scope) -> str:
        node = f" of {scope.names.node(self.node)}" if self.node else ""
        return f"{self.unit}{node}" + (f" in step {self.step}" if self.step else "")

    def _says(self, spent: Spending, over: Decimal) -> str:
        if over > 0:
            most = ", ".join(f"{name} {as_number(amount)}" for name, amount in spent.top())
            hint = f"; most by {most}" if most else ""
            return f"{spent.number} spent, {as_number(over)} over the max of {self.max}{hint}"
        known = f"{spent.number} spent of at most {self.max}"
        if spent.complete:
            return known
        silent = f": {', '.join(spent.silent[:3])} did not always report it" if spent.silent else ""
        return f"{known} as far as is known, but not all was recorded{silent}"

    def _spent(self, scope: Scope) -> Spending | _Unmeasured:
        evidence = scope.evidence if self.step is None else scope.evidence.steps.get(self.step)
        node = None if self.node is None else scope.names.node(self.node)
        if evidence is None:
            return _Unmeasured(f"there is no step {self.step!r}")
        spent = evidence.spending.get(self.unit)
        if spent is None and self.unit == _SECONDS:
            return _elapsed(evidence, node)
        if spent is None:
            near = pointer.nearest(self.unit, evidence.spending)
            return _Unmeasured("no node reported any" + (f"; nearest is {near!r}" if near else ""))
        inside = spent if node is None else spent.inside(node)
        return inside or _Unmeasured(f"{node} reported none")


def _elapsed(evidence: Evidence, node: str | None) -> Spending | _Unmeasured:
    """Measure seconds by the times of executions: of a node each, or of every turn as a whole."""
    tries = [each for each in evidence.executions if node in {None, each.node}]
    if not tries:
        return _Unmeasured("no times were recorded")
    if any(each.replayed for each in tries):
        return _Unmeasured("answers came from fixtures, so times measure nothing")
    by_node: dict[str, Decimal] = {}
    for each in tries:
        spent = Decimal(each.end_ns - each.start_ns) / _NS
        by_node[each.node] = by_node.get(each.node, Decimal(0)) + spent
    return Spending(
        total=_of_turns(evidence) if node is None else by_node[node],
        complete=evidence.complete("executions"),
        by_node=by_node,
    )


def _of_turns(evidence: Evidence) -> Decimal:
    """Add up each turn from its first start to its last end."""
    turns = [turn.executions for turn in evidence.steps.values()] or [evidence.executions]
    spans = (max(e.end_ns for e in turn) - min(e.start_ns for e in turn) for turn in turns if turn)
    return Decimal(sum(spans)) / _NS
