"""The weighing of values: what an operator says of a value that a pointer leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from flowjury.check import Claim, Truth
from flowjury.evidence import Doubt, Resolution
from flowjury.finding import ABSENT, Actual
from flowjury.json_values import equal, short, type_name
from flowjury.model import Json
from flowjury.operators import NEGATIVE, OPERATORS, UNSET, Unset, fault, holds
from flowjury.pointer import Found, Missing, Opaque, nearest

_RISING: Final = frozenset({"exists", "contains", "min_length", "has_keys", "gt", "gte", "type"})
"""The operators that, holding for a part, hold for the whole."""
_FALLING: Final = frozenset({"not_contains", "max_length", "only_keys", "lt", "lte", "type"})
"""The operators that, failing for a part, fail for the whole."""

_PARTED: Final = frozenset({"contains", "not_contains"})
"""The operators that ask for a part, which only texts and arrays have."""
_EMPTY: Final[dict[str, Json]] = {
    **dict.fromkeys(["contains", "not_contains", "regex", "starts_with", "ends_with"], ""),
    "min_length": 0,
    "has_keys": [],
}
"""The expected values with which an operator holds for all that it is for, or for nothing."""


def _operator(name: str) -> str:
    if name in OPERATORS:
        return name
    near = nearest(name, OPERATORS)
    hint = f"; nearest is {near!r}" if near else f"; there are {', '.join(OPERATORS)}"
    raise ValueError(f"{name!r} is not an operator{hint}")


Op = Annotated[str, AfterValidator(_operator), Field(json_schema_extra={"enum": list(OPERATORS)})]
"""The name of an operator."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """An operator with its value: what a check expects of a value."""

    op: str
    value: Json | Unset
    ignore_case: bool

    def refuse(self) -> None:
        """Raise ValueError if the operator, the value and `ignore_case` do not fit together."""
        if problem := fault(self.op, self.value, self.ignore_case):
            raise ValueError(problem)
        if self.op in _EMPTY and equal(self.value, _EMPTY[self.op]):
            raise ValueError(f"{self} tells nothing apart; write what must be there, or must not")

    def claim(self, found: Resolution, at: str, doubt: Doubt | None = None) -> Claim:
        """Claim that the operator holds for what a pointer into the evidence leads to."""
        truth, says = self.truth(found), self.says(found, at)
        if isinstance(found, Found) and doubt is not None and not self._certain(truth, doubt):
            truth, says = Truth.UNKNOWN, f"{says}; {doubt.reason}"
        return Claim(
            truth=truth,
            says=says,
            expected=self.value,
            actual=shown(found),
            where=at,
        )

    def truth(self, found: Resolution) -> Truth:
        """Tell whether the operator holds for what a pointer leads to."""
        match found:
            case Found() if not _applies(self.op, found.value):
                return Truth.UNKNOWN if self.op in NEGATIVE else Truth.MISSING
            case Found():
                answer = holds(self.op, found.value, self.value, self.ignore_case)
                return _TRUTHS[answer]
            case Missing():
                return self._truth_of_nothing(found)
            case _:
                return Truth.UNKNOWN

    def says(self, found: Resolution, place: str, inside: str = "") -> str:
        """Say what was found, and whether the operator holds for it.

        `inside` is where the value stands in which the pointer was followed.
        """
        match found:
            case Found() if not _applies(self.op, found.value):
                kind = type_name(found.value)
                return f"{place or 'the document'} is {short(found.value)}: {kind} contains nothing"
            case Found():
                answer = holds(self.op, found.value, self.value, self.ignore_case)
                return f"{place or 'the document'} is {short(found.value)}: {self} {_SAID[answer]}"
            case Missing():
                return f"{(inside + found.resolved) or 'the document'} {found.reason}"
            case Opaque():
                return f"{place or 'the document'} holds what could not be recorded as JSON"
            case _:
                return found.reason

    def __str__(self) -> str:
        value = "" if self.value is UNSET else f" {short(self.value)}"
        return f"`{self.op}{value}`" + (" (ignoring case)" if self.ignore_case else "")

    def _truth_of_nothing(self, missing: Missing) -> Truth:
        """Tell whether it holds where the pointer leads nowhere."""
        if self.op == "absent":
            return Truth.HOLDS if missing.parent_resolved else Truth.UNKNOWN
        if self.op == "exists":
            return Truth.FAILS if missing.parent_resolved else Truth.MISSING
        return Truth.UNKNOWN if self.op in NEGATIVE else Truth.MISSING

    def _certain(self, truth: Truth, doubt: Doubt) -> bool:
        """Tell whether what holds or fails for what was recorded does so for all there was."""
        if truth is Truth.HOLDS:
            return doubt.kind == "more" and self.op in _RISING
        return truth is Truth.FAILS and doubt.kind == "more" and self.op in _FALLING | {"absent"}


def _applies(op: str, actual: Json) -> bool:
    """Tell whether an operator can say anything of a value."""
    return op not in _PARTED or isinstance(actual, str | list)


def shown(found: Resolution) -> Actual | None:
    """Return what was found for a report: a value, or that there was none."""
    if isinstance(found, Found):
        return Actual.of(found.value)
    return ABSENT if isinstance(found, Missing) else None


_TRUTHS: Final = {True: Truth.HOLDS, False: Truth.FAILS, None: Truth.UNKNOWN}
_SAID: Final = {True: "holds", False: "does not hold", None: "cannot be decided"}
