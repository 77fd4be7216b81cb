"""The check `effects`: what a program wrote and deleted in its workspace, and whom it called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from flowjury.check import Check, Claim, Scope, Truth
from flowjury.checks._captured import known_paths
from flowjury.checks._globs import Glob, matches
from flowjury.finding import Actual
from flowjury.json_values import short
from flowjury.model import Json

_SHOWN: Final = 5
_PARTS: Final = ("writes_within", "deletes_within", "network")


class EffectsCheck(Check):
    """Holds if a program did no more than is allowed."""

    model_config = ConfigDict(title="effects")
    of_one_run = True
    kind: Literal["effects"]
    """Names this kind."""
    writes_within: tuple[Glob, ...] | None = None
    """Patterns of which every file that was written must fit one; empty: nothing is written."""
    deletes_within: tuple[Glob, ...] | None = None
    """Patterns of which every file that was deleted must fit one; empty: nothing is deleted."""
    network: Literal["none"] | None = Field(default=None)
    """`none`: it connected to nothing."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if all(getattr(self, part) is None for part in _PARTS):
            raise ValueError(f"it asserts nothing: write at least one of {', '.join(_PARTS)}")
        return self

    def claims(self, scope: Scope) -> Sequence[Claim]:
        """Claim each part."""
        return list(self._claims(scope))

    def _claims(self, scope: Scope) -> Iterator[Claim]:
        if self.writes_within is not None:
            yield _within(scope, "writes", self.writes_within)
        if self.deletes_within is not None:
            yield _within(scope, "deletes", self.deletes_within)
        if self.network is not None:
            yield _silent(scope)


def _within(scope: Scope, what: str, globs: Sequence[str]) -> Claim:
    """Claim that all paths are allowed; denied, that some is not, as far as the globs are right."""
    paths = _recorded(scope, what)
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return Claim(
            truth=Truth.UNKNOWN, says=f"{what} were not recorded", where=f"/effects/{what}"
        )
    gap = scope.evidence.gap("effects")
    outside = [path for path in paths if not any(matches(path, glob) for glob in globs)]
    astray = [glob for glob in globs if not any(matches(path, glob) for path in known_paths(scope))]
    if outside:
        truth = Truth.MISSING if astray else Truth.FAILS
        hint = f"; nothing at all fits {', '.join(map(repr, astray))}" if astray else ""
        says = f"{what} outside of what is allowed: {_listed(outside)}{hint}"
    else:
        truth = Truth.HOLDS if gap is None else Truth.UNKNOWN
        says = f"{what}: {_listed(paths) or 'none'}" + (f"; {gap}" if gap else "")
    return Claim(
        truth=truth,
        says=says,
        expected=list(globs),
        actual=Actual.of(paths),
        where=f"/effects/{what}",
    )


def _silent(scope: Scope) -> Claim:
    """Claim that it connected to nothing, which few can see."""
    seen, gap = _recorded(scope, "network"), scope.evidence.gap("effects")
    truth, says = Truth.UNKNOWN, "nobody watched for network"
    if seen is False or seen == []:
        truth = Truth.HOLDS if gap is None else Truth.UNKNOWN
        says = "it connected to nothing" + (f"; {gap}" if gap else "")
    elif seen is True or (isinstance(seen, list) and seen):
        truth = Truth.FAILS
        says = "it connected to " + (
            _listed([*map(str, seen)]) if seen is not True else "something"
        )
    return Claim(truth=truth, says=says, expected="none", where="/effects/network")


def _recorded(scope: Scope, key: str) -> Json:
    """Return what was recorded under a key of the effects; None where nothing was."""
    effects = scope.evidence.trace.effects
    return effects.get(key) if isinstance(effects, dict) else None


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(map(short, paths[:_SHOWN])) + more
