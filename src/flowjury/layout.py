"""The layout of the evidence document: what stands where in it, and under which keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from flowjury.model import Json
from flowjury.trace import Execution, ToolCall
from flowjury.visits import Visit

TOP_KEYS: Final = (
    "input",
    "output",
    "status",
    "error",
    "executions",
    "nodes",
    "tools",
    "messages",
    "usage",
    "files",
    "effects",
    "exit_code",
    "activations",
    "steps",
    "wait",
)
SUITE_KEYS: Final = ("summary", "cases")
"""The keys of the document that checks of the whole suite see."""
TRY_KEYS: Final = (
    "input",
    "output",
    "status",
    "error",
    "outcome",
    "usage",
    "replayed",
    "caller",
    "index",
    "step",
)
VISIT_KEYS: Final = (*TRY_KEYS, "attempts")
TOOL_KEYS: Final = ("name", "arguments", "result", "status", "execution")
ERROR_KEYS: Final = ("type", "message")
PARTS: Final = {
    ("executions", 2): ("input", "output"),
    ("nodes", 3): ("input", "output"),
    ("nodes", 5): ("input", "output"),
    ("tools", 2): ("arguments", "result"),
}
"""What a try or a call must have, by the place where it stands."""
INDEX: Final = ("an index",)
_PLACES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("", TOP_KEYS),
    ("/error", ERROR_KEYS),
    ("/executions", INDEX),
    ("/executions/#", (*TRY_KEYS, "node")),
    ("/executions/#/error", ERROR_KEYS),
    ("/messages", INDEX),
    ("/activations", INDEX),
    ("/tools", INDEX),
    ("/tools/#", TOOL_KEYS),
    ("/nodes/*", INDEX),
    ("/nodes/*/#", VISIT_KEYS),
    ("/nodes/*/#/error", ERROR_KEYS),
    ("/nodes/*/#/attempts", INDEX),
    ("/nodes/*/#/attempts/#", TRY_KEYS),
    ("/nodes/*/#/attempts/#/error", ERROR_KEYS),
)
_DIGITS = re.compile(r"0|[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Stranger:
    """A token of a pointer that can never stand where it does."""

    place: int
    """Its number in the pointer."""
    token: str
    known: tuple[str, ...]
    """What can stand there."""


def stranger(tokens: tuple[str, ...]) -> Stranger | None:
    """Find the first token of a pointer into the evidence that can never be there."""
    start = 0
    while tokens[start : start + 1] == ("steps",) and len(tokens) > start + 2:
        start += 2
    inside = tokens[start:]
    for depth, token in enumerate(inside):
        known = _KNOWN.get(_shape(inside[:depth]))
        if known is not None and not _fits(token, known):
            return Stranger(start + depth, token, known)
    return None


def described(execution: Execution) -> dict[str, Json]:
    """Describe one try without times, so that equal runs have equal documents."""
    described: dict[str, Json] = {"status": execution.status, "replayed": execution.replayed}
    sides: tuple[Literal["input", "output"], ...] = ("input", "output")
    for side in sides:
        if execution.recorded(side):
            described[side] = getattr(execution, side)
    if execution.error is not None:
        described["error"] = execution.error.described()
    for key in ("usage", "caller", "outcome", "step"):
        if getattr(execution, key) is not None:
            described[key] = getattr(execution, key)
    if execution.index:
        described["index"] = list(execution.index)
    return described


def described_visit(visit: Visit) -> dict[str, Json]:
    """Describe a visit by its last attempt, with all attempts beside."""
    return described(visit.last) | {"attempts": [described(tried) for tried in visit.attempts]}


def described_tool(call: ToolCall) -> dict[str, Json]:
    """Describe a call of a tool without times."""
    recorded = {key: getattr(call, key) for key in TOOL_KEYS if key in call.model_fields_set}
    return {"status": call.status} | recorded


def _fits(token: str, known: tuple[str, ...]) -> bool:
    return _DIGITS.fullmatch(token) is not None if known is INDEX else token in known


def _shape(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Write a place as the table does: `*` for the name of a node, `#` for an index."""
    named = tokens[:1] == ("nodes",)
    return tuple(
        "*" if named and depth == 1 else "#" if depth and _DIGITS.fullmatch(token) else token
        for depth, token in enumerate(tokens)
    )


_KNOWN: Final = {tuple(place.split("/")[1:]): known for place, known in _PLACES}
