"""The check: one assertion of a suite, and the claims that it makes about the evidence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from flowjury.evidence import Evidence
from flowjury.finding import Actual, Enforcement, Finding
from flowjury.model import Json, Model
from flowjury.names import Names
from flowjury.operators import UNSET, Unset
from flowjury.scalars import Flag
from flowjury.verdict import Verdict, all_of, any_of

Want = Literal["holds", "fails"]
"""Whether a check asserts its claims or, under `not`, denies them."""


class Truth(Enum):
    """What the evidence says of one claim."""

    HOLDS = "holds"
    FAILS = "fails"
    MISSING = "missing"
    """What the claim speaks of is not there: asserting it fails, denying it is unknown."""
    UNKNOWN = "unknown"
    """It was not recorded, or not completely."""
    ERROR = "error"
    """It cannot be decided because something of the user's or ours is broken."""


_VERDICTS: Final[dict[Want, dict[Truth, Verdict]]] = {
    "holds": {
        Truth.HOLDS: Verdict.PASSED,
        Truth.FAILS: Verdict.FAILED,
        Truth.MISSING: Verdict.FAILED,
        Truth.UNKNOWN: Verdict.UNKNOWN,
        Truth.ERROR: Verdict.ERROR,
    },
    "fails": {
        Truth.HOLDS: Verdict.FAILED,
        Truth.FAILS: Verdict.PASSED,
        Truth.MISSING: Verdict.UNKNOWN,
        Truth.UNKNOWN: Verdict.UNKNOWN,
        Truth.ERROR: Verdict.ERROR,
    },
}
_SHOWN: Final = 3
_SIGNATURE: Final = ("id", "label", "rule", "critical", "enforcement")
"""What a check puts on its finding."""
OPPOSITE: Final[dict[Want, Want]] = {"holds": "fails", "fails": "holds"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement about the evidence, and whether it is true."""

    truth: Truth
    says: str
    """What was observed, as a sentence that is true whichever way the claim is wanted."""
    want: Want = "holds"
    """What the check wants of it; `not` turns it round."""
    expected: Json | Unset = UNSET
    """What would bear it out, where that can be shown."""
    actual: Actual | None = None
    where: str | None = None

    def finding(self, kind: str, want: Want) -> Finding:
        """Weigh the claim, wanted as its check wants it or, under `not`, the other way."""
        asked = self.want if want == "holds" else OPPOSITE[self.want]
        shown = {} if self.expected is UNSET else {"expected": self.expected}
        return Finding(
            kind=kind,
            verdict=_VERDICTS[asked][self.truth],
            message=self.says,
            actual=self.actual,
            where=self.where,
            **shown,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an evaluator answered when it ran."""

    passed: bool | None
    """None where it raised or answered something else."""
    evidence: Json = None
    """What it showed for its answer."""
    reason: str = ""
    """The type of what it raised, or what was wrong with its answer."""


@dataclass(frozen=True)
class Scope:
    """What a check may look at."""

    evidence: Evidence
    names: Names = field(default_factory=Names)
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """Recorded evaluator outcomes by digest."""
    evaluators: Mapping[str, str] = field(default_factory=dict)
    """Digest of the code of each evaluator, by `module:function`."""
    step: str | None = None
    """The turn of a conversation whose evidence this is."""
    history: tuple[Evidence, ...] = ()
    """Earlier turns of the conversation, in order; for the whole case, all of them."""
    cases: Json = None
    """All cases of the report, for checks of the whole suite; None for those of a case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A name in a check that the workflow must know."""

    kind: Literal["node", "tool"]
    name: str
    at: str
    """JSON Pointer to the name, inside the check."""
    caller: str | None = None


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong with a check that only the workflow can tell."""

    at: str
    """JSON Pointer inside the check."""
    message: str


class Check(Model):
    """One assertion. Each kind is a subclass in a file of its own, with a required tag `kind`."""

    of_one_run: ClassVar[bool] = False
    """Whether this kind asks about one run, and so says nothing of a whole suite."""

    kind: str
    """Names this kind."""
    id: str | None = None
    """Durable identity of the check in reports."""
    label: str | None = None
    """A title for reports."""
    rule: str | None = None
    """The rule or requirement that it stands for."""
    critical: Flag = False
    """Count its failure for the gate `critical`."""
    enforcement: Enforcement = "fail"
    """`fail` moves the status of the case; `warn` and `report` are counted and shown only."""

    @abstractmethod
    def claims(self, scope: Scope) -> Sequence[Claim]:
        """State what the check claims, and whether the evidence bears it out."""

    def references(self) -> Iterator[Reference]:
        """Yield the names that the workflow must know."""
        yield from ()

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield the pointers into the evidence that it reads, each after its place in the check."""
        yield from ()

    def flaws(self, names: Names) -> Iterator[Flaw]:  # noqa: ARG002 - for kinds that have some
        """Yield what is wrong with the check, given the workflow."""
        yield from ()

    def inner(self) -> Sequence[tuple[str, Check]]:
        """Return the checks that this one is made of, each with its pointer inside this one."""
        return ()

    def weigh(self, scope: Scope, want: Want = "holds") -> Finding:
        """Find out whether the check holds or, under `not`, whether it fails."""
        findings = [claim.finding(self.kind, want) for claim in self.claims(scope)]
        return self.signed(joined(self.kind, findings, want))

    def signed(self, finding: Finding) -> Finding:
        """Put the check's own name and enforcement on a finding."""
        own = {key: getattr(self, key) for key in _SIGNATURE}
        differs = any(value != getattr(finding, key) for key, value in own.items())
        return finding.model_copy(update=own) if differs else finding


def joined(kind: str, findings: Sequence[Finding], want: Want) -> Finding:
    """Make one finding of several: all must hold or, under `not`, any may fail (De Morgan)."""
    if len(findings) == 1:
        return findings[0]
    combine = all_of if want == "holds" else any_of
    verdict = combine(finding.verdict for finding in findings)
    message = _summary(findings, verdict)
    return Finding(kind=kind, verdict=verdict, message=message, children=tuple(findings))


def _summary(findings: Sequence[Finding], verdict: Verdict) -> str:
    """Give the reasons for a verdict: the messages of the findings that share it, three at most."""
    if not findings:
        return "it claims nothing"
    reasons = [finding.message for finding in findings if finding.verdict is verdict]
    if len(reasons) == len(findings) > _SHOWN and verdict is Verdict.PASSED:
        return f"all {len(findings)} claims hold: {reasons[0]}; …"
    more = f"; and {len(reasons) - _SHOWN} more" if len(reasons) > _SHOWN else ""
    return "; ".join(reasons[:_SHOWN]) + more


def walk(check: Check, at: str = "") -> Iterator[tuple[str, Check]]:
    """Yield a check and all checks inside it, each with its pointer."""
    yield at, check
    for pointer, inner in check.inner():
        yield from walk(inner, at + pointer)


def walk_all(checks: Iterable[Check], at: str) -> Iterator[tuple[str, Check]]:
    """Yield all checks of a list and inside them, each with its pointer."""
    for number, check in enumerate(checks):
        yield from walk(check, f"{at}/{number}")


if TYPE_CHECKING:
    AnyCheck = Check
