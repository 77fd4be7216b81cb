"""The check `evaluator`: what host code says of the evidence, once it has run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, StringConstraints

from flowjury.check import Check, Claim, Outcome, Scope, Truth
from flowjury.finding import Actual
from flowjury.json_values import digest
from flowjury.model import JsonField

Use = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*:[A-Za-z_][A-Za-z0-9_]*$"
    ),
]
"""A function of a module, as `module:function`."""


_UNTRACED: Final = (
    "is in no file and of no version, so no answer can be told from one of other code; "
    "put it in a module beside the suite"
)


class EvaluatorCheck(Check):
    """Holds if a function of the user's, called with the evidence, says so.

    Weighing calls nothing: it reads what the function answered when it ran.
    """

    model_config = ConfigDict(title="evaluator")
    kind: Literal["evaluator"]
    """Names this kind."""
    use: Use
    """The function, as `module:function`."""
    with_: Mapping[str, JsonField] = Field(default_factory=dict, alias="with")
    """Its parameters."""

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim that it said yes to this very evidence."""
        if self.use not in scope.evaluators:
            return [Claim(truth=Truth.UNKNOWN, says=f"{self.use} {_UNTRACED}")]
        outcome = scope.outcomes.get(evaluator_digest(self, scope))
        if outcome is None:
            says = f"{self.use} was not evaluated yet (run, or refresh --evaluate)"
            return [Claim(truth=Truth.UNKNOWN, says=says)]
        return [_claim(self.use, outcome)]


def evaluator_digest(check: EvaluatorCheck, scope: Scope) -> str:
    """Return the digest under which an outcome is recorded: of code, parameters and evidence.

    The documents hold no times, so what runs again and finds the same need not be evaluated again.
    """
    return digest(
        {
            "use": check.use,
            "code": scope.evaluators.get(check.use),
            "parameters": dict(check.with_),
            "evidence": scope.evidence.digest,
            "history": [earlier.digest for earlier in scope.history],
            "cases": scope.cases,
        }
    )


def _claim(use: str, outcome: Outcome) -> Claim:
    """Claim what was answered; of what it raised, only the type is told."""
    if outcome.passed is None:
        return Claim(truth=Truth.ERROR, says=f"{use} broke: {outcome.reason}")
    return Claim(
        truth=Truth.HOLDS if outcome.passed else Truth.FAILS,
        says=f"{use} {'passed' if outcome.passed else 'did not pass'}",
        actual=Actual.of(outcome.evidence),
    )
