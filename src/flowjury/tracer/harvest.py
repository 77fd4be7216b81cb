"""The harvest of a recording: fixtures made of what the boundary nodes answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flowjury.case import Fixture, Fixtures
from flowjury.fixtures import Shelf
from flowjury.json_values import holds_opaque, short
from flowjury.model import Json
from flowjury.trace import ErrorInfo, Execution
from flowjury.visits import Visit


def gathered(
    visits: Mapping[str, tuple[Visit, ...]], raised: Mapping[str, str | None], shelf: Shelf
) -> Fixtures:
    """Make fixtures of the executions with these ids, in an order that recurs.

    With each id comes the full name of the class that it raised, so that it can be raised again.
    """
    fixtures: Fixtures = {}
    for node, arrivals in visits.items():
        tries = [one for visit in arrivals for one in visit.attempts if one.id in raised]
        entries = tuple(_entry(one, raised[one.id], shelf) for one in tries if replayable(one))
        if entries:
            fixtures[node] = entries
    return fixtures


def replayable(execution: Execution) -> bool:
    """Tell whether an execution came to an answer that a fixture can give again."""
    if execution.status == "error":
        return execution.error is not None
    recorded = execution.status == "ok" and execution.recorded("output")
    return recorded and not holds_opaque(execution.output)


def unrecordable(node: str, output: Json) -> str:
    """Say why an answer cannot become a fixture."""
    return (
        f"boundary node {node!r} answered what is no JSON, {short(output)}: a fixture cannot give"
        " it again; let it return plain data"
    )


def _entry(execution: Execution, raised: str | None, shelf: Shelf) -> Fixture:
    error = execution.error and ErrorInfo(
        type=raised or execution.error.type, message=execution.error.message
    )
    keys: dict[str, Any] = {
        "outcome": execution.outcome,
        "usage": execution.usage,
        "caller": execution.caller,
        "step": execution.step,
        "index": execution.index or None,
        "error": error,
    }
    if execution.recorded("input"):
        keys["input"] = shelf.digest(execution.node, execution.input)
    kept = {key: value for key, value in keys.items() if value is not None}
    return Fixture(**kept) if error else Fixture(output=execution.output, **kept)
