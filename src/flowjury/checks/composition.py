"""The checks that are made of checks: all, any and not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from pydantic import ConfigDict, Field

from flowjury.check import OPPOSITE, Check, Claim, Scope, Want
from flowjury.finding import Finding
from flowjury.verdict import Verdict, all_of, any_of

if TYPE_CHECKING:
    from flowjury.check import AnyCheck

_SHOWN: Final = 3


class AllOf(Check):
    """Holds if all its checks hold."""

    model_config = ConfigDict(title="all")
    kind: Literal["all"]
    """Names this kind."""
    checks: tuple[AnyCheck, ...] = Field(min_length=1)
    """The checks that must all hold."""

    def claims(self, scope: Scope) -> Sequence[Claim]:  # noqa: ARG002 - its checks claim
        """Claim nothing itself."""
        return ()

    def inner(self) -> Sequence[tuple[str, Check]]:
        """Return its checks."""
        return _listed(self.checks)

    def weigh(self, scope: Scope, want: Want = "holds") -> Finding:
        """Weigh every check; under `not`, one that fails is enough."""
        return self.signed(_combined("all", self.checks, scope, want))


class AnyOf(Check):
    """Holds if any of its checks holds."""

    model_config = ConfigDict(title="any")
    kind: Literal["any"]
    """Names this kind."""
    checks: tuple[AnyCheck, ...] = Field(min_length=1)
    """The checks of which one must hold."""

    def claims(self, scope: Scope) -> Sequence[Claim]:  # noqa: ARG002 - its checks claim
        """Claim nothing itself."""
        return ()

    def inner(self) -> Sequence[tuple[str, Check]]:
        """Return its checks."""
        return _listed(self.checks)

    def weigh(self, scope: Scope, want: Want = "holds") -> Finding:
        """Weigh every check; under `not`, all must fail."""
        return self.signed(_combined("any", self.checks, scope, want))


class Negation(Check):
    """Holds if its check fails on evidence that was recorded."""

    model_config = ConfigDict(title="not")
    kind: Literal["not"]
    """Names this kind."""
    check: AnyCheck
    """The check that must fail."""

    def claims(self, scope: Scope) -> Sequence[Claim]:  # noqa: ARG002 - its checks claim
        """Claim nothing itself."""
        return ()

    def inner(self) -> Sequence[tuple[str, Check]]:
        """Return its check."""
        return (("/check", self.check),)

    def weigh(self, scope: Scope, want: Want = "holds") -> Finding:
        """Push the negation down to the claims."""
        child = self.check.weigh(scope, OPPOSITE[want])
        message = f"not {self.check.kind}: {child.message}"
        return self.signed(
            Finding(kind="not", verdict=child.verdict, message=message, children=(child,))
        )


def _listed(checks: Sequence[Check]) -> Sequence[tuple[str, Check]]:
    return [(f"/checks/{number}", check) for number, check in enumerate(checks)]


def _combined(
    kind: Literal["all", "any"], checks: Sequence[Check], scope: Scope, want: Want
) -> Finding:
    """Weigh all checks; under `not`, `all` combines as `any` does and the other way round."""
    children = tuple(check.weigh(scope, want) for check in checks)
    combine = all_of if (kind == "all") == (want == "holds") else any_of
    verdict = combine(child.verdict for child in children)
    return Finding(
        kind=kind, verdict=verdict, message=_tally(kind, children, verdict), children=children
    )


def _tally(kind: str, children: Sequence[Finding], verdict: Verdict) -> str:
    """Count the children that share the verdict, and where it is not green say why."""
    agreeing = [child.message for child in children if child.verdict is verdict]
    counted = f"{kind}: {len(agreeing)} of {len(children)} {verdict}"
    if verdict is Verdict.PASSED:
        return counted
    more = f"; and {len(agreeing) - _SHOWN} more" if len(agreeing) > _SHOWN else ""
    return f"{counted}: {'; '.join(agreeing[:_SHOWN])}{more}"
