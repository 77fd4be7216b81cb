"""What the tests of checks share: checks and runs written as plain data, and weighing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Union

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from flowjury import families
from flowjury.check import Check, Scope
from flowjury.evidence import Evidence
from flowjury.finding import Finding
from flowjury.names import Names
from flowjury.trace import Trace
from flowjury.workflow import Declared, Workflow

CHANNELS = ("executions", "tools", "messages", "usage", "files", "effects", "activations")


def _kinds() -> TypeAdapter[Check]:
    kinds = families.classes("checks", Check)
    union = Annotated[Union[tuple(kinds)], Field(discriminator="kind")]  # noqa: UP007 - dynamic
    for kind in kinds:
        if not kind.__pydantic_complete__:
            kind.model_rebuild(_types_namespace={"AnyCheck": union})
    return TypeAdapter(union)


class Lab:
    """Makes checks, runs and graphs of plain data, and weighs them."""

    def __init__(self) -> None:
        self.check = _kinds().validate_python

    def run(self, ran: str | Sequence[dict[str, Any]] | None = "", **fields: Any) -> Trace:
        """Make a finished trace that is complete in all channels, unless it says otherwise."""
        given = {} if ran is None else {"executions": _executions(ran)}
        complete = dict.fromkeys(CHANNELS, True)
        return Trace.model_validate({"status": "finished", "complete": complete, **given, **fields})

    def names(
        self, graph: str | None, *, tools: tuple[str, ...] | None = None, **fields: Any
    ) -> Names:
        """Make names from a graph such as `a -> b, a -x-> c, d`."""
        if graph is None:
            return Names(None, Declared(tools=tools))
        parts = [part.split() for part in graph.split(",")]
        ways = [part for part in parts if len(part) > 1]
        nodes = {name: {} for part in parts for name in (part[0], part[-1])}
        edges = [
            {"source": source, "target": target, "outcome": arrow.strip("->") or None}
            for source, arrow, target in ways
        ]
        named = {"name": "w", "nodes": nodes, "edges": edges, "entry": [parts[0][0]]}
        return Names(Workflow.model_validate({**named, **fields}), Declared(tools=tools))

    def weigh(
        self, check: dict[str, Any], seen: Trace, known: Names | None = None, **scope: Any
    ) -> Finding:
        """Weigh a check against a run of what is known."""
        known = known or Names()
        evidence = Evidence(seen, nodes=known.nodes or ())
        return self.check(check).weigh(Scope(evidence, known, **scope))

    def fault(self, check: dict[str, Any]) -> str:
        """Return what is wrong with a check as it is read, in one line."""
        with pytest.raises(ValidationError) as raised:
            self.check(check)
        return "; ".join(each["msg"] for each in raised.value.errors())


def _executions(ran: str | Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Spell out executions: one after the other unless they say when, one visit each."""
    listed = [{"node": name} for name in ran.split()] if isinstance(ran, str) else ran
    return [
        {
            "id": f"e{number}",
            "visit": f"v{number}",
            "status": "ok",
            "start_ns": number * 10,
            "end_ns": number * 10 + 5,
            **each,
        }
        for number, each in enumerate(listed)
    ]


@pytest.fixture(scope="session")
def lab() -> Lab:
    """Make a laboratory for checks."""
    return Lab()
