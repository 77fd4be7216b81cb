"""The check `node`: a value in the input or output of one node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, StrictInt, model_validator

from flowjury import pointer
from flowjury.check import Check, Claim, Reference, Scope, Truth
from flowjury.checks._decoding import Undecoded, decoded
from flowjury.checks._many import over
from flowjury.checks._values import Expectation, Op, shown
from flowjury.checks._visited import Name, Visited, look
from flowjury.evidence import Resolution, Unrecorded, Visit
from flowjury.finding import ABSENT
from flowjury.model import JsonField
from flowjury.operators import UNSET
from flowjury.pointer import Missing
from flowjury.rubric import Pointer
from flowjury.scalars import Flag


class NodeCheck(Check):
    """Holds if an operator holds for a value in what a node was given or answered."""

    model_config = ConfigDict(title="node")
    of_one_run = True
    kind: Literal["node"]
    """Names this kind."""
    node: Name
    """The node."""
    side: Literal["input", "output"]
    """Whether the value is in what the node was given, or in what it answered."""
    at: Pointer = ""
    """Where the value is in that side."""
    op: Op
    """The operator."""
    value: JsonField = None
    """What the operator compares with."""
    ignore_case: Flag = False
    """Whether case does not matter in texts."""
    visit: Literal["first", "last", "all", "any"] | Annotated[StrictInt, Field(ge=1)] = "last"
    """Which visits of the node count; a number counts from 1."""
    caller: Name | None = None
    """Only visits that this node made count."""
    decode: Literal["json"] | None = None
    """The first text on the way of the pointer is read as JSON."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        self._expectation.refuse()
        return self

    def references(self) -> Iterator[Reference]:
        """Yield the node and its caller."""
        if self.caller is not None:
            yield Reference(kind="node", name=self.caller, at="/caller")
        yield Reference(kind="node", name=self.node, at="/node", caller=self.caller)

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim that the operator holds in the visits that count."""
        visited = look(scope, self.node, caller=self.caller)
        if self.visit not in {"all", "any"}:
            return [self._of_one(visited)]
        if not visited.visits:
            return [self._unvisited(visited)]
        claims = [self._claim(visited, number + 1) for number in range(len(visited.visits))]
        return [over(claims, "every" if self.visit == "all" else "any", visited.gap)]

    @property
    def _expectation(self) -> Expectation:
        given = "value" in self.model_fields_set
        return Expectation(self.op, self.value if given else UNSET, self.ignore_case)

    def _of_one(self, visited: Visited) -> Claim:
        """Claim it of one visit, whose number says little if there may have been others."""
        count = len(visited.visits)
        number = {"first": 1, "last": count}.get(str(self.visit), self.visit)
        if not isinstance(number, int) or not 1 <= number <= count:
            return self._unvisited(visited)
        claim = self._claim(visited, number)
        if visited.gap is None:
            return claim
        says = f"{claim.says}; {visited.gap}"
        return Claim(truth=Truth.UNKNOWN, says=says, actual=claim.actual, where=claim.where)

    def _unvisited(self, visited: Visited) -> Claim:
        """Claim it of a visit that is not there: asserted it fails, denied it is unknown."""
        truth = Truth.UNKNOWN if visited.gap else Truth.MISSING
        says = visited.reason
        if visited.visits:
            plural = "" if len(visited.visits) == 1 else "s"
            known = f"; {visited.gap}" if visited.gap else ""
            says = (
                f"{visited.node} has {len(visited.visits)} visit{plural}, not {self.visit}{known}"
            )
        return Claim(
            truth=truth, says=says, actual=ABSENT, where=pointer.join(["nodes", visited.node])
        )

    def _claim(self, visited: Visited, number: int) -> Claim:
        """Claim it of one visit that was found."""
        place = f"{visited.at(number)}/{self.side}"
        found = self._found(visited.visits[number - 1])
        if isinstance(found, Undecoded):
            says = f"{place}{found.at} {found.reason}"
            return Claim(truth=Truth.MISSING, says=says, where=place + found.at)
        expectation = self._expectation
        sure = visited.surely_over(visited.visits[number - 1])
        return Claim(
            truth=expectation.truth(found) if sure else Truth.UNKNOWN,
            says=expectation.says(found, place + self.at, inside=place),
            expected=expectation.value,
            actual=shown(found),
            where=place + self.at,
        )

    def _found(self, visit: Visit) -> Resolution | Undecoded:
        """Find the value in the last attempt of a visit."""
        last = visit.last
        if last.recorded(self.side):
            side = getattr(last, self.side)
            return decoded(side, self.at) if self.decode else pointer.resolve(side, self.at)
        if self.side == "input" or last.status == "ok":
            return Unrecorded(self.at, f"the {self.side} of {visit.node} was not recorded")
        how = f" ({last.error.type})" if last.error else ""
        return Missing(
            pointer=self.at,
            resolved="",
            token=self.side,
            reason=f"is not there: the visit ended as {last.status}{how}",
            parent_resolved=not self.at,
        )
