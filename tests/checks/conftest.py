"""What the tests of checks share: checks and runs written as plain data, and weighing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Union

import pytest
from pydantic import Field, TypeAdapter

from flowjury import families
from flowjury.check import Check, Scope
from flowjury.evidence import Evidence
from flowjury.finding import Finding
from flowjury.names import Names
from flowjury.trace import Trace
from flowjury.workflow import Declared, Workflow

Executions = str | Sequence[dict[str, Any]]
CHANNELS = ("executions", "tools", "messages", "usage", "files", "effects", "activations")


def _kinds() -> TypeAdapter[Check]:
    kinds = families.classes("checks", Check)
    union = Annotated[Union[tuple(kinds)], Field(discriminator="kind")]  # noqa: UP007 - dynamic
    for kind in kinds:
        if not kind.__pydantic_complete__:
            kind.model_rebuild(_types_namespace={"AnyCheck": union})
    return TypeAdapter(union)


KINDS = _kinds()


def executions(ran: Executions) -> list[dict[str, Any]]:
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


def trace(ran: Executions | None = "", **fields: Any) -> Trace:
    """Make a finished trace that is complete in all channels, unless it says otherwise."""
    given = {} if ran is None else {"executions": executions(ran)}
    complete = dict.fromkeys(CHANNELS, True)
    return Trace.model_validate({"status": "finished", "complete": complete, **given, **fields})


def names(graph: str | None, *, tools: tuple[str, ...] | None = None, **fields: Any) -> Names:
    """Make names from a graph such as `a -> b, a -x-> c, d`."""
    if graph is None:
        return Names(None, Declared(tools=tools))
    nodes: dict[str, Any] = {}
    edges = []
    for part in graph.split(","):
        source, *way = part.split()
        nodes.setdefault(source, {})
        if way:
            arrow, target = way
            nodes.setdefault(target, {})
            outcome = arrow.strip("->") or None
            edges.append({"source": source, "target": target, "outcome": outcome})
    named = {"name": "w", "nodes": nodes, "edges": edges, "entry": [next(iter(nodes))]}
    return Names(Workflow.model_validate({**named, **fields}), Declared(tools=tools))


@pytest.fixture(scope="session")
def check() -> Callable[[dict[str, Any]], Check]:
    """Read a check."""
    return KINDS.validate_python


@pytest.fixture(scope="session")
def run() -> Callable[..., Trace]:
    """Make a trace."""
    return trace


@pytest.fixture(scope="session")
def knowing() -> Callable[..., Names]:
    """Make names from a graph."""
    return names


@pytest.fixture(scope="session")
def weigh() -> Callable[..., Finding]:
    """Weigh a check written as data against a run and a graph."""

    def weigh(
        check: dict[str, Any],
        seen: Trace,
        known: Names | None = None,
        **scope: Any,
    ) -> Finding:
        known = known or Names()
        evidence = Evidence(seen, nodes=known.nodes or ())
        return KINDS.validate_python(check).weigh(Scope(evidence, known, **scope))

    return weigh


@pytest.fixture(scope="session")
def fault() -> Callable[[dict[str, Any]], str]:
    """Return what is wrong with a check as it is read, in one line."""

    def fault(check: dict[str, Any]) -> str:
        with pytest.raises(ValueError, match=r".") as raised:
            KINDS.validate_python(check)
        return "; ".join(each["msg"] for each in raised.value.errors())  # type: ignore[attr-defined]

    return fault
