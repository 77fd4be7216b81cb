"""The many: one claim made of the same claim about several visits or calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from flowjury.check import Claim, Truth

_SHOWN: Final = 3
_ORDERS: Final = {
    "every": (Truth.FAILS, Truth.MISSING, Truth.UNKNOWN, Truth.HOLDS),
    "any": (Truth.HOLDS, Truth.UNKNOWN, Truth.MISSING, Truth.FAILS),
}


def over(claims: Sequence[Claim], which: Literal["every", "any"], gap: str | None) -> Claim:
    """Claim of every one, or of any, what is claimed of each; the first that decides is shown.

    `gap` says why there may be more of them than were recorded.
    """
    unseen = [] if gap is None else [Claim(truth=Truth.UNKNOWN, says=gap)]
    weighed = [*claims, *unseen]
    present = {claim.truth for claim in weighed}
    truth = next(truth for truth in _ORDERS[which] if truth in present)
    agreeing = [claim for claim in weighed if claim.truth is truth]
    more = f"; and {len(agreeing) - _SHOWN} more" if len(agreeing) > _SHOWN else ""
    says = "; ".join(claim.says for claim in agreeing[:_SHOWN]) + more
    return replace(agreeing[0], says=says)
