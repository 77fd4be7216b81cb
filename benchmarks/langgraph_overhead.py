"""What recording a LangGraph costs for each node, over a callback handler that does nothing.

A loop of 100 nodes passes a state with 20 messages. CPU time; rounds are interleaved, so that a
busy machine burdens both alike. Prints one line of JSON.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any, Final, TypedDict

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.callbacks import GraphCallbackHandler
from langgraph.graph import END, START, StateGraph

from flowjury.recorders._langgraph_observer import Observer
from flowjury.recording import Recording
from flowjury.tracer import Ending, active

NODES: Final = 100
ROUNDS: Final = 30
LIMIT_MS: Final = 0.15
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


def spent(call: Callable[[], object]) -> float:
    """Return the CPU milliseconds of a call."""
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1e6


def overhead(kind: str) -> dict[str, float]:
    """Measure the milliseconds that recording adds to each node."""
    graph = loop()
    given = {"n": 0, "messages": messages(kind)}

    def run(handler: GraphCallbackHandler) -> None:
        graph.invoke(given, {"callbacks": [handler], "recursion_limit": 2 * NODES})

    def recorded() -> None:
        recording = Recording(time.perf_counter_ns, channels=("executions", "tools"))
        recording.begin_turn(None, input=given)
        with active(recording):
            run(Observer(recording, {"step": {"route": {"step": "step"}}}))
        recording.end_turn(Ending())

    rounds = [(spent(lambda: run(Deaf())), spent(recorded)) for _ in range(ROUNDS)][2:]
    base, ours = (statistics.median(times) for times in zip(*rounds, strict=True))
    least = [min(times) for times in zip(*rounds, strict=True)]
    return {
        "base_ms": round(base / NODES, 4),
        "added_ms": round((ours - base) / NODES, 4),
        "added_ms_of_fastest": round((least[1] - least[0]) / NODES, 4),
    }


def measured() -> dict[str, Any]:
    """Measure both kinds of messages, and say whether the limit holds."""
    kinds = {kind: overhead(kind) for kind in ("dicts", "messages")}
    most = max(kind["added_ms"] for kind in kinds.values())
    return {
        "benchmark": "langgraph_overhead",
        "nodes": NODES,
        **kinds,
        "limit_ms": LIMIT_MS,
        "ok": most <= LIMIT_MS,
    }


if __name__ == "__main__":
    print(json.dumps(measured()))
