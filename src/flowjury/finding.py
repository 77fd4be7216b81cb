"""The finding: what came of one check, explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from flowjury.model import JsonField, Model
from flowjury.scalars import Flag
from flowjury.verdict import Verdict

Enforcement = Literal["fail", "warn", "report"]


class Actual(Model):
    """What was found: present or not, and if present its value."""

    present: Flag
    """Whether there was a value."""
    value: JsonField = None
    """The value; absent if there was none."""

    @classmethod
    def of(cls, value: object) -> Actual:
        """Wrap a value that was found."""
        return cls(present=True, value=value)


ABSENT = Actual(present=False)


class Finding(Model):
    """What came of one check."""

    kind: str
    """The kind of the check."""
    verdict: Verdict
    """Passed, failed, unknown or error."""
    message: str
    """What was observed, in a sentence."""
    id: str | None = None
    """The check's own id."""
    label: str | None = None
    """The check's own title."""
    rule: str | None = None
    """The rule that the check stands for."""
    critical: Flag = False
    """Whether a gate on critical failures counts it."""
    enforcement: Enforcement = "fail"
    """Whether it moves the status of its case."""
    expected: JsonField = None
    """What would have passed; absent where the message says all."""
    actual: Actual | None = None
    """What was found."""
    where: str | None = None
    """JSON Pointer into the evidence, or into the suite file."""
    children: tuple[Finding, ...] = ()
    """The findings that this one is made of."""

    def leaves(self) -> Iterator[Finding]:
        """Yield the findings that have no children, in order."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


def enforced(findings: Iterable[Finding]) -> Iterator[Verdict]:
    """Yield the verdicts that move a status: of `fail` checks, and errors of any check."""
    for finding in findings:
        if finding.enforcement == "fail" or finding.verdict is Verdict.ERROR:
            yield finding.verdict
