"""What recording a LangGraph costs for each node, over a callback handler that does nothing.

A loop of 100 nodes passes a state with 20 messages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, TypedDict

from _measure import Figure, cpu, least
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.callbacks import GraphCallbackHandler
from langgraph.graph import END, START, StateGraph

from flowjury.recorders._langgraph_observer import Observer
from flowjury.tracer.active import Ending, active
from flowjury.tracer.recording import Recording

NODES: Final = 100
_SPENT: Final = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}


class State(TypedDict):
    """What the loop passes."""

    n: int
    messages: list[Any]


class Deaf(GraphCallbackHandler):
    """Hears everything and does nothing."""

    run_inline = True


def loop() -> Any:  # noqa: ANN401 - a compiled graph
    """Make the graph."""

    def step(state: State) -> dict[str, int]:
        return {"n": state["n"] + 1}

    def route(state: State) -> str:
        return "step" if state["n"] < NODES else END

    builder = StateGraph(State).add_node("step", step).add_edge(START, "step")
    return builder.add_conditional_edges("step", route, ["step", END]).compile()


def messages(kind: str) -> list[Any]:
    """Write 20 messages as a state may hold them."""
    text = "x" * 200
    if kind == "dicts":
        return [{"role": "user", "content": text} for _ in range(20)]
    pair = (HumanMessage(text), AIMessage(text, usage_metadata=_SPENT))
    return [message for _ in range(10) for message in pair]


def figures(rounds: int) -> Iterator[Figure]:
    """Measure what recording adds to each node, for two kinds of messages."""
    graph = loop()
    for kind in ("dicts", "messages"):
        base, ours = least(
            rounds * 4, [partial(heard, graph, kind), partial(recorded, graph, kind)]
        )
        yield Figure(
            name=f"recording a node of LangGraph with 20 messages as {kind}",
            measured=(ours - base) * 1_000 / NODES,
            unit="ms",
            limit=0.15,
        )


def heard(graph: Any, kind: str) -> float:  # noqa: ANN401 - a compiled graph
    """Run the loop with a handler that does nothing."""
    return cpu(lambda: run(graph, kind, Deaf()))


def recorded(graph: Any, kind: str) -> float:  # noqa: ANN401 - a compiled graph
    """Run the loop as the recorder does."""

    def call() -> None:
        recording = Recording(time.perf_counter_ns, channels=("executions", "tools"))
        recording.begin_turn(None, input={"n": 0, "messages": messages(kind)})
        with active(recording):
            run(graph, kind, Observer(recording, {"step": {"route": {"step": "step"}}}))
        recording.end_turn(Ending())

    return cpu(call)


def run(graph: Any, kind: str, handler: GraphCallbackHandler) -> None:  # noqa: ANN401 - likewise
    """Run the loop."""
    given = {"n": 0, "messages": messages(kind)}
    graph.invoke(given, {"callbacks": [handler], "recursion_limit": 2 * NODES})
