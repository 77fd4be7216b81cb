"""The recorder of LangGraph, on small graphs with scripted models."""

from __future__ import annotations

import asyncio
import operator
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count, groupby
from typing import Annotated, Any, Literal, TypedDict
from uuid import UUID

import pytest
from pydantic import BaseModel

import flowjury
from flowjury.case import Fixture, Resume
from flowjury.errors import InputError
from flowjury.evidence import Evidence
from flowjury.job import Job, Observed, Turn
from flowjury.record import CaseFault
from flowjury.recorders import langgraph as recorder
from flowjury.trace import Execution, Trace

pytest.importorskip("langgraph", reason="LangGraph is an extra: pip install 'flowjury[langgraph]'")

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.documents import Document
from langchain_core.language_models import FakeListLLM
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.func import entrypoint, task
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Interrupt, RetryPolicy, Send, interrupt

from flowjury.recorders._langgraph_observer import Observer
from flowjury.recorders._langgraph_values import readable
from flowjury.tracer.recording import Recording


class State(TypedDict, total=False):
    n: int
    items: list[str]
    item: str
    found: Annotated[list[str], operator.add]
    answer: str


class ScriptedModel(GenericFakeChatModel):
    """Says what it was given to say, whatever the tools."""

    def bind_tools(self, _tools: Any, **_: Any) -> ScriptedModel:
        return self


def said(
    text: str, *, spent: tuple[int, int] | None = None, calls: tuple[Any, ...] = ()
) -> AIMessage:
    usage = (
        {"input_tokens": spent[0], "output_tokens": spent[1], "total_tokens": sum(spent)}
        if spent
        else None
    )
    return AIMessage(text, usage_metadata=usage, tool_calls=list(calls))


def script(*messages: AIMessage) -> ScriptedModel:
    return ScriptedModel(messages=iter(messages))


def job(*turns: Turn, **details: Any) -> Job:
    given = {"case": "c", "trial": 1, "data": "live", "fixtures": {}, "ignore": {}, "mask": ()}
    return Job(turns=turns, **{**given, "timeout": 20.0, **details})


def observe(found: object, *turns: Turn, **details: Any) -> Observed:
    """Observe one case of a graph, or of what a factory makes."""
    factory = found if callable(found) else None
    graph = factory() if factory else found
    return recorder.prepared(graph, factory).observe(job(*turns, **details))


def given(value: object, step: str | None = None) -> Turn:
    return Turn(id=step, input=value)


def resumed(step: str, wait: str, action: Any = "approve", **content: Any) -> Turn:
    return Turn(id=step, resume=Resume(wait=wait, action=action, **content))


def trace_of(observed: Observed) -> Trace:
    assert observed.trace is not None
    return observed.trace


def executions(observed: Observed) -> tuple[Execution, ...]:
    return Evidence(trace_of(observed)).executions


def rows(observed: Observed) -> list[tuple[Any, ...]]:
    """Node, attempt, index, status, outcome, and the node inside which it ran.

    Which of the branches of one node began first is chance: they stand by index.
    """
    found = executions(observed)
    nodes = {each.id: each.node for each in found}
    together = groupby(found, key=lambda each: (each.node, each.parent))
    branches = (sorted(some, key=lambda each: (each.index, each.attempt)) for _, some in together)
    return [
        (
            each.node,
            each.attempt,
            each.index,
            each.status,
            each.outcome,
            nodes.get(each.parent or ""),
        )
        for each in chain.from_iterable(branches)
    ]


def flaky(failures: int) -> Iterator[bool]:
    return (number < failures for number in count())


# A graph of every shape, made of functions or of coroutines.


@tool
def lookup(q: str) -> str:
    """Look something up."""
    return f"found {q}"


def plan(state: State) -> State:
    return {"n": state.get("n", 0) + 1}


def route(state: State) -> str | list[Send]:
    if state["n"] < 2:
        return "again"
    return [Send("work", {"item": item}) for item in state["items"]]


def work(state: State) -> State:
    return {"found": [lookup.invoke({"q": state["item"]})]}


def polish(state: State) -> State:
    return {"answer": state["answer"].upper()}


def human(state: State) -> Command[Literal["publish", "__end__"]]:
    approved = interrupt({"question": "publish?", "answer": state["answer"]})
    return Command(update={"n": 0}, goto="publish" if approved else END)


def publish(state: State) -> State:
    return {"answer": f"{state['answer']} published"}


def every_shape(*, awaited: bool) -> Any:
    model = script(said("summary", spent=(11, 7)))
    fails = flaky(1)

    def draft(state: State) -> State:
        return {"answer": model.invoke(",".join(state["found"])).text}

    def unsteady(_: State) -> State:
        if next(fails):
            raise ConnectionError("transient")
        return {}

    async def unsteady_awaited(state: State) -> State:
        return unsteady(state)

    sub = StateGraph(State)
    sub.add_sequence([draft, polish]).add_edge(START, "draft")
    graph = StateGraph(State)
    graph.add_node(plan)
    graph.add_node(work)
    graph.add_node("sub", sub.compile(name="writer"))
    policy = RetryPolicy(max_attempts=2, initial_interval=0.001, jitter=False)
    graph.add_node("unsteady", unsteady_awaited if awaited else unsteady, retry_policy=policy)
    graph.add_node(human)
    graph.add_node(publish)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", route, {"again": "plan", "fan": "work"})
    graph.add_edge("work", "sub")
    graph.add_edge("sub", "unsteady")
    graph.add_edge("unsteady", "human")
    return graph.compile(checkpointer=InMemorySaver(), name="every shape")


@pytest.mark.parametrize("awaited", [False, True], ids=["functions", "coroutines"])
def test_every_try_of_every_node_is_an_execution(*, awaited: bool):
    observed = observe(
        every_shape(awaited=awaited),
        given({"items": ["a", "b"]}, "ask"),
        resumed("decide", "human"),
    )

    assert observed.fault is None
    assert rows(observed) == [
        ("plan", 1, (), "ok", "again", None),
        ("plan", 1, (), "ok", "fan", None),
        ("work", 1, (0,), "ok", None, None),
        ("work", 1, (1,), "ok", None, None),
        ("sub", 1, (), "ok", None, None),
        ("sub:draft", 1, (), "ok", None, "sub"),
        ("sub:polish", 1, (), "ok", None, "sub"),
        ("unsteady", 1, (), "error", None, None),
        ("unsteady", 2, (), "ok", None, None),
        ("human", 1, (), "interrupted", None, None),
        ("human", 2, (), "ok", "publish", None),
        ("publish", 1, (), "ok", None, None),
    ]
    visits = Evidence(trace_of(observed)).visits
    assert {node: len(of) for node, of in visits.items()} == {
        "plan": 2,
        "work": 2,
        "sub": 1,
        "sub:draft": 1,
        "sub:polish": 1,
        "unsteady": 1,
        "human": 1,
        "publish": 1,
    }


def test_the_evidence_of_a_case_is_the_same_in_every_run():
    def document() -> dict[str, Any]:
        graph = every_shape(awaited=False)
        observed = observe(graph, given({"items": ["c", "a", "b"]}, "ask"), resumed("go", "human"))
        return Evidence(trace_of(observed)).document

    first, *others = (document() for _ in range(4))

    for key in ("output", "nodes", "tools", "usage", "steps"):
        assert all(_ordered(other[key]) == _ordered(first[key]) for other in others), key


def _ordered(part: Any) -> Any:
    """Leave out the list of all executions, which is in order of time, and their ids."""
    if isinstance(part, dict):
        kept = {key: item for key, item in part.items() if key not in {"executions", "execution"}}
        return {key: _ordered(item) for key, item in kept.items()}
    return [_ordered(item) for item in part] if isinstance(part, list) else part


def test_a_turn_that_asks_ends_at_a_wait_named_by_its_node():
    observed = observe(every_shape(awaited=False), given({"items": ["a"]}))

    trace = trace_of(observed)
    asked = {"__interrupt__": [{"value": {"question": "publish?", "answer": "SUMMARY"}}]}
    assert (trace.status, trace.wait) == ("wait", "human")
    assert (
        trace.output
        == {"n": 2, "items": ["a"], "found": ["found a"] * 2, "answer": "SUMMARY"} | asked
    )
    assert executions(observed)[-1].output == asked


def test_the_node_that_called_the_model_has_spent_what_the_model_says():
    observed = observe(every_shape(awaited=False), given({"items": ["a"]}))

    spent = {each.node: each.usage for each in executions(observed) if each.usage}
    assert spent == {"sub:draft": {"input_tokens": 11, "output_tokens": 7}}
    assert trace_of(observed).complete == {"executions": True, "tools": True, "usage": True}


def test_a_model_that_does_not_say_what_it_spent_leaves_usage_incomplete():
    model = script(said("hello"))

    def speak(_: State) -> State:
        return {"answer": model.invoke("hi").text}

    observed = observe(single(speak), given({}))

    assert trace_of(observed).complete["usage"] is False


@pytest.mark.parametrize(
    "model",
    [script(), FakeListLLM(responses=["text"]), FakeListLLM(responses=[])],
    ids=["a chat model that fails", "a model of text", "a model of text that fails"],
)
def test_what_a_model_spent_that_does_not_say_is_not_taken_for_nothing(model: Any):
    def speak(_: State) -> State:
        with suppress(Exception):
            model.invoke("hi")
        return {}

    observed = observe(single(speak), given({}))

    assert trace_of(observed).status == "finished"
    assert trace_of(observed).complete["usage"] is False


def test_a_model_that_a_retriever_asks_spends_for_the_node():
    model = script(said("words", spent=(3, 1)))

    class Retriever(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            answer = model.invoke(query, {"callbacks": run_manager.get_child()})
            return [Document(answer.text)]

    observed = observe(
        single(lambda _: {"found": [d.page_content for d in Retriever().invoke("?")]}), given({})
    )

    assert executions(observed)[0].usage == {"input_tokens": 3, "output_tokens": 1}


def single(node: Any, *, checkpointer: Any = None, **details: Any) -> Any:
    builder = StateGraph(State).add_node("node", node, **details).add_edge(START, "node")
    return builder.compile(checkpointer=checkpointer)


def test_tools_are_recorded_in_the_order_of_the_run_with_the_node_that_called():
    observed = observe(every_shape(awaited=False), given({"items": ["a", "b"]}))

    calls = Evidence(trace_of(observed)).document["tools"]
    by_id = {each.id: each for each in executions(observed)}
    assert [(call["name"], call["arguments"], call["result"]) for call in calls] == [
        ("lookup", {"q": "a"}, "found a"),
        ("lookup", {"q": "b"}, "found b"),
    ]
    assert [by_id[call["execution"]].index for call in calls] == [(0,), (1,)]


@tool
def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}: {interrupt('pay?')}"


@tool
def refuse(q: str) -> str:
    """Refuse."""
    raise ValueError(q)


def agent() -> Any:
    calls = (
        {"name": "lookup", "args": {"q": "a"}, "id": "1"},
        {"name": "pay", "args": {"amount": 3}, "id": "2"},
    )
    model = script(said("", spent=(5, 2), calls=calls), said("done", spent=(9, 1)))
    return create_agent(model, [pay, lookup], checkpointer=InMemorySaver())


def test_an_agent_runs_its_tools_once_each_and_an_interrupted_one_again():
    question = {"messages": [{"role": "user", "content": "hi"}]}

    observed = observe(agent, given(question, "ask"), resumed("pay", "tools", content="yes"))

    assert rows(observed) == [
        ("model", 1, (), "ok", None, None),
        ("tools", 1, (0,), "ok", None, None),
        ("tools", 1, (1,), "interrupted", None, None),
        ("tools", 2, (1,), "ok", None, None),
        ("model", 1, (), "ok", None, None),
    ]
    calls = Evidence(trace_of(observed)).document["tools"]
    assert [(call["name"], call["status"], call["result"]) for call in calls] == [
        ("lookup", "ok", "found a"),
        ("pay", "ok", "paid 3: yes"),
    ]


def asked(name: str, id: str, **arguments: Any) -> dict[str, Any]:  # noqa: A002 - LangChain's word
    return {"name": name, "args": arguments, "id": id}


def tools_of(observed: Observed) -> list[tuple[Any, ...]]:
    """Name, status, arguments, result, and the node inside which it was called."""
    found = Evidence(trace_of(observed))
    nodes = {each.id: each.node for each in found.executions}
    return [
        (t.name, t.status, t.arguments, t.result, t.execution and nodes[t.execution])
        for t in found.tools
    ]


def test_a_call_that_no_tool_begins_is_refused_where_the_model_asked_for_it():
    calls = (asked("lookup", "1", q="a"), asked("loook", "2", q="b"), asked("lookup", "3", r=1))
    model = script(said("", calls=calls), said("done"))

    observed = observe(create_agent(model, [lookup]), given({"messages": []}))

    missing = "Error: loook is not a valid tool, try one of [lookup]."
    seen = tools_of(observed)
    assert seen[:2] == [
        ("loook", "refused", {"q": "b"}, missing, "model"),
        ("lookup", "ok", {"q": "a"}, "found a", "tools"),
    ]
    assert seen[2][:3] == ("lookup", "error", {"r": 1})


def test_a_call_whose_arguments_are_no_json_is_refused():
    broken = {"name": "lookup", "args": "{", "id": "1", "error": None, "type": "invalid_tool_call"}
    message = AIMessage("", invalid_tool_calls=[broken])

    observed = observe(create_agent(script(message), [lookup]), given({"messages": []}))

    assert [call[:3] for call in tools_of(observed)] == [("lookup", "refused", "{")]


@pytest.mark.parametrize(
    ("action", "calls"), [("approve", [("lookup", "ok")]), ("reject", [("lookup", "refused")])]
)
def test_a_call_that_waits_for_a_person_is_refused_only_if_the_person_does(
    action: str, calls: list[tuple[str, str]]
):
    middleware = HumanInTheLoopMiddleware(interrupt_on={"lookup": True})

    def make() -> Any:
        model = script(said("", calls=(asked("lookup", "1", q="a"),)), said("done"))
        return create_agent(model, [lookup], middleware=[middleware], checkpointer=InMemorySaver())

    graph = make()
    wait = "HumanInTheLoopMiddleware.after_model"
    observed = observe(graph, given({"messages": []}, "ask"), resumed("say", wait, action))

    assert observed.fault is None
    assert trace_of(observed).steps[0].trace.tools == ()
    assert [call[:2] for call in tools_of(observed)] == calls


def test_a_call_that_something_else_than_a_tool_answers_has_that_answer():
    def by_hand(_: State) -> State:
        message = script(said("", calls=(asked("add", "1", n=1),))).invoke("hi")
        answer = ToolMessage("2", tool_call_id=message.tool_calls[0]["id"])
        script(said("done")).invoke([HumanMessage("hi"), message, answer])
        return {}

    observed = observe(single(by_hand), given({}))

    assert tools_of(observed) == [("add", "ok", {"n": 1}, "2", "node")]


def test_the_messages_of_an_agent_are_the_same_in_every_run():
    question = {"messages": [{"role": "user", "content": "hi"}]}

    first, second = (trace_of(observe(agent, given(question))) for _ in range(2))

    assert first.output == second.output
    assert first.output["messages"][:2] == [
        {"content": "hi", "type": "human"},
        {
            "content": "",
            "type": "ai",
            "tool_calls": [
                {"name": "lookup", "args": {"q": "a"}, "id": "1", "type": "tool_call"},
                {"name": "pay", "args": {"amount": 3}, "id": "2", "type": "tool_call"},
            ],
            "usage_metadata": {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
        },
    ]


def test_a_tool_that_raises_has_failed():
    observed = observe(single(lambda _: refuse.invoke({"q": "no"})), given({}))

    tools = Evidence(trace_of(observed)).document["tools"]
    assert tools == [
        {"name": "refuse", "arguments": {"q": "no"}, "status": "error", "execution": "e1"}
    ]
    assert trace_of(observed).status == "error"


# Errors and other ways out.


def test_an_exception_ends_its_node_and_every_node_around_it():
    def fail(_: State) -> State:
        raise ValueError("too bad")

    outer = single(single(fail))

    observed = observe(outer, given({}))

    trace = trace_of(observed)
    assert (trace.status, trace.error) == ("error", executions(observed)[1].error)
    assert rows(observed) == [
        ("node", 1, (), "error", None, None),
        ("node:node", 1, (), "error", None, "node"),
    ]


def test_a_command_to_the_parent_is_the_way_on_of_the_subgraph():
    def leave(_: State) -> Command[Any]:
        return Command(graph=Command.PARENT, goto="publish", update={"answer": "x"})

    builder = StateGraph(State).add_node("sub", single(leave), destinations=("publish",))
    graph = builder.add_node(publish).add_edge(START, "sub").compile()

    observed = observe(graph, given({}))

    assert rows(observed) == [
        ("sub", 1, (), "ok", "publish", None),
        ("sub:node", 1, (), "ok", None, "sub"),
        ("publish", 1, (), "ok", None, None),
    ]
    assert executions(observed)[1].output == {
        "graph": "__parent__",
        "update": {"answer": "x"},
        "goto": "publish",
    }


@tool
async def look_around(q: str) -> str:
    """Look around."""
    return f"saw {q}"


def test_a_graph_with_a_part_that_can_only_be_awaited_is_awaited():
    call = {"name": "look_around", "args": {"q": "a"}, "id": "1"}
    model = script(said("", spent=(5, 2), calls=(call,)), said("done", spent=(9, 1)))

    observed = observe(create_agent(model, [look_around]), given({"messages": []}))

    tools = Evidence(trace_of(observed)).document["tools"]
    assert (observed.fault, trace_of(observed).status) == (None, "finished")
    assert [(call["name"], call["result"]) for call in tools] == [("look_around", "saw a")]


def test_a_coroutine_beside_a_failing_one_is_cancelled():
    async def slow(_: State) -> State:
        await asyncio.sleep(10)
        return {}

    async def fail(_: State) -> State:
        await asyncio.sleep(0.01)
        raise ValueError("too bad")

    builder = StateGraph(State).add_node(slow).add_node(fail)
    graph = builder.add_edge(START, "slow").add_edge(START, "fail").compile()

    observed = observe(graph, given({}))

    assert {row[0]: row[3] for row in rows(observed)} == {"slow": "cancelled", "fail": "error"}


def test_coroutines_are_stopped_when_the_time_is_over():
    async def slow(_: State) -> State:
        await asyncio.sleep(10)
        return {}

    observed = observe(single(slow), given({}), timeout=0.05)

    assert observed.fault is not None
    assert observed.fault.kind == "timeout"
    assert rows(observed) == [("node", 1, (), "cancelled", None, None)]


def test_what_a_node_itself_runs_is_no_router_even_if_it_has_the_name_of_one():
    chain = RunnableLambda(lambda _: "words").with_config(run_name="decide")

    def node(_: State) -> State:
        return {"answer": chain.invoke(None)}

    def decide(_: State) -> str:
        return "done"

    builder = StateGraph(State).add_node(node).add_edge(START, "node")
    graph = builder.add_conditional_edges("node", decide, {"done": END}).compile()

    observed = observe(graph, given({}))

    assert rows(observed) == [("node", 1, (), "ok", "done", None)]


# Functions of ours inside nodes.


@flowjury.boundary
def search(q: str) -> str:
    return f"live {q}"


@flowjury.boundary(name="search")
async def search_awaited(q: str) -> str:
    return f"live {q}"


def search_in_node(state: State) -> State:
    return {"found": [search(state["item"])]}


async def search_in_coroutine(state: State) -> State:
    return {"found": [await search_awaited(state["item"])]}


def fan_out(node: Any) -> Any:
    builder = StateGraph(State).add_node("work", node)
    return builder.add_conditional_edges(
        START, lambda state: [Send("work", {"item": item}) for item in state["items"]], ["work"]
    ).compile()


SEARCHES = pytest.mark.parametrize(
    "node", [search_in_node, search_in_coroutine], ids=["function", "coroutine"]
)


@SEARCHES
def test_a_boundary_inside_a_node_is_recorded_there(node: Any):
    observed = observe(fan_out(node), given({"items": ["a", "b"]}), data="record")

    visits = Evidence(trace_of(observed)).visits
    tries = {each.id: each for each in executions(observed)}
    searches = [visit.last for visit in visits["search"]]
    assert [(each.caller, each.index, each.output) for each in searches] == [
        ("work", (0,), "live a"),
        ("work", (1,), "live b"),
    ]
    assert [tries[each.parent or ""].index for each in searches] == [(0,), (1,)]
    assert [fixture.output for fixture in observed.recorded["search"]] == ["live a", "live b"]


@SEARCHES
def test_a_boundary_inside_a_node_is_answered_from_fixtures(node: Any):
    fixtures = {"search": (Fixture(output="first"), Fixture(output="second"))}

    observed = observe(
        fan_out(node), given({"items": ["a", "b"]}), data="replay", fixtures=fixtures
    )

    assert (observed.fault, observed.replayed) == (None, True)
    assert trace_of(observed).output["found"] == ["first", "second"]


def test_a_boundary_without_a_fixture_makes_the_case_an_error_even_if_the_node_goes_on():
    def careless(_: State) -> State:
        try:
            return {"answer": search("x")}
        except Exception:  # noqa: BLE001 - the node is careless
            return {"answer": "nothing"}

    observed = observe(single(careless), given({}), data="replay")

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.node) == ("fixture-miss", "search")


def test_after_an_inner_graph_has_run_its_caller_is_the_current_node_again():
    async def inner_node(_: State) -> State:
        return {"answer": await search_awaited("inner")}

    inner = single(inner_node)

    async def outer_node(_: State) -> State:
        await inner.ainvoke({})
        return {"answer": await search_awaited("outer")}

    observed = observe(single(outer_node), given({}))

    assert [(row[0], row[5]) for row in rows(observed)] == [
        ("node", None),
        ("node:node", "node"),
        ("search", "node:node"),
        ("search", "node"),
    ]


def test_tasks_of_the_functional_api_are_nodes_inside_their_entrypoint():
    @task
    def double(number: int) -> int:
        return 2 * number

    @entrypoint()
    def work_it(number: int) -> int:
        return double(number).result() + 1

    observed = observe(work_it, given(4))

    assert trace_of(observed).output == 9
    assert [(row[0], row[3], row[5]) for row in rows(observed)] == [
        ("work_it", "ok", None),
        ("work_it:double", "ok", "work_it"),
    ]


# Waits.


def asking(**compiled: Any) -> Any:
    def ask(_: State) -> State:
        return {"answer": repr(interrupt("well?"))}

    builder = StateGraph(State).add_node(ask).add_edge(START, "ask")
    return builder.compile(**compiled)


@pytest.mark.parametrize(
    ("action", "content", "answer"),
    [
        ("approve", {}, "True"),
        ("reject", {}, "False"),
        ("timeout", {}, "None"),
        ("feedback", {}, "None"),
        ("feedback", {"content": "shorter"}, "'shorter'"),
        ("approve", {"content": {"by": "Ann"}}, "{'by': 'Ann'}"),
        ("reject", {"content": None}, "None"),
    ],
)
def test_what_the_node_that_asked_is_told(action: str, content: dict[str, Any], answer: str):
    observed = observe(
        asking(checkpointer=InMemorySaver()),
        given({}, "ask"),
        resumed("decide", "ask", action, **content),
    )

    assert trace_of(observed).output == {"found": [], "answer": answer}


def test_the_middleware_for_people_gets_the_decisions_that_it_asks_for():
    def ask(_: State) -> State:
        return {"answer": interrupt({"action_requests": [1, 2], "review_configs": []})}

    observed = observe(
        single(ask, checkpointer=InMemorySaver()), given({}, "ask"), resumed("ok", "node")
    )

    assert trace_of(observed).output["answer"] == {"decisions": [{"type": "approve"}] * 2}


def test_of_several_waits_each_resume_answers_the_first():
    def ask(state: State) -> State:
        return {"found": [f"{state['item']}: {interrupt(state['item'])}"]}

    builder = StateGraph(State).add_node("work", ask)
    graph = builder.add_conditional_edges(
        START, lambda state: [Send("work", {"item": item}) for item in state["items"]], ["work"]
    ).compile(checkpointer=InMemorySaver())

    observed = observe(
        graph,
        given({"items": ["a", "b"]}, "ask"),
        resumed("first", "work", content="yes"),
        resumed("second", "work", content="no"),
    )

    trace = trace_of(observed)
    turns = [[e for e in step.trace.executions if e.node == "work"] for step in trace.steps or ()]
    works = [each for turn in turns for each in sorted(turn, key=lambda e: e.index)]
    assert observed.fault is None
    assert [step.trace.status for step in trace.steps or ()] == ["wait", "wait", "finished"]
    assert trace.output["found"] == ["a: yes", "b: no"]
    assert [(each.index, each.status, each.action) for each in works] == [
        ((0,), "interrupted", None),
        ((1,), "interrupted", None),
        ((0,), "ok", "approve"),
        ((1,), "interrupted", None),
        ((1,), "ok", "approve"),
    ]


def test_a_wait_that_is_not_pending_is_a_fault_that_names_those_that_are():
    observed = observe(
        asking(checkpointer=InMemorySaver()), given({}, "ask"), resumed("decide", "asks")
    )

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.step) == ("target", "decide")
    assert observed.fault.message == (
        "no wait named 'asks' is pending; nearest is 'ask' (pending: ask)"
    )


def test_a_graph_that_does_not_wait_cannot_be_resumed_and_says_how_it_ended():
    observed = observe(
        asking(checkpointer=InMemorySaver()),
        given({}, "ask"),
        resumed("decide", "ask"),
        resumed("again", "ask"),
    )

    assert observed.fault == CaseFault(
        kind="not-waiting", message="the run does not wait (it ended with finished)", step="again"
    )


def test_a_conversation_with_a_graph_that_forgets_is_a_fault_that_names_the_fix():
    observed = observe(asking(), given({}, "ask"), resumed("decide", "ask"))

    assert observed.fault is not None
    assert observed.fault.kind == "target"
    assert observed.fault.message.endswith("such as `.compile(checkpointer=InMemorySaver())`")


def test_a_static_breakpoint_is_a_wait_of_the_node_that_follows():
    graph = StateGraph(State).add_node("node", plan).add_edge(START, "node")
    stopped = graph.compile(checkpointer=InMemorySaver(), interrupt_before=["node"])

    observed = observe(stopped, given({"n": 1}, "ask"), resumed("go", "node"))

    steps = trace_of(observed).steps or ()
    assert [(step.trace.status, step.trace.wait) for step in steps] == [
        ("wait", "node"),
        ("finished", None),
    ]
    assert trace_of(observed).output["n"] == 2


def test_a_static_breakpoint_can_only_be_approved():
    stopped = StateGraph(State).add_node("node", plan).add_edge(START, "node")
    graph = stopped.compile(checkpointer=InMemorySaver(), interrupt_before=["node"])

    observed = observe(graph, given({"n": 1}, "ask"), resumed("go", "node", "reject"))

    assert observed.fault is not None
    assert observed.fault.message == (
        "the wait 'node' is a static breakpoint, which asks nothing: action 'reject' cannot be told"
        " to it, only 'approve'"
    )


# Cases stand alone.


def test_each_case_has_a_thread_of_its_own():
    prepared = recorder.prepared(single(plan, checkpointer=InMemorySaver()))

    outputs = [trace_of(prepared.observe(job(given({})))).output["n"] for _ in range(2)]

    assert outputs == [1, 1]


def test_a_factory_is_called_for_each_case():
    made: list[Any] = []

    def factory() -> Any:
        made.append(single(plan))
        return made[-1]

    prepared = recorder.prepared(factory(), factory)
    for _ in range(2):
        prepared.observe(job(given({})))

    assert len(made) == 3


def test_the_input_of_the_case_is_not_changed_by_the_graph():
    def careless(state: State) -> State:
        state["items"].append("more")
        return {"items": state["items"]}

    question = {"items": ["a"]}
    observed = observe(single(careless), given(question))

    assert question == {"items": ["a"]}
    assert executions(observed)[0].input == {"items": ["a"], "found": []}


def test_a_failing_callback_is_a_fault_and_no_error_of_the_graph():
    recording = Recording(lambda: 0)

    Observer(recording, {}).on_tool_start({}, "x", run_id=UUID(int=1))

    assert recording.fault is not None
    assert recording.fault.kind == "harness"
    assert recording.fault.message == (
        "the recorder of LangGraph failed in on_tool_start: KeyError('name')"
    )


# Values.


class ModelState(BaseModel):
    messages: list[Any]


@dataclass
class ClassState:
    messages: list[Any]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (HumanMessage("hi", id="m1"), {"content": "hi", "type": "human", "id": "m1"}),
        (
            AIMessage("hi", id="lc_run--019e2ed0-f6e9-7631-bd38-32e056131b49-0"),
            {"content": "hi", "type": "ai"},
        ),
        (
            ToolMessage("hi", tool_call_id="1"),
            {"content": "hi", "type": "tool", "tool_call_id": "1"},
        ),
        (
            ToolMessage("hi", tool_call_id="1", status="error"),
            {"content": "hi", "type": "tool", "tool_call_id": "1", "status": "error"},
        ),
        (RemoveMessage(id="m1"), {"content": "", "type": "remove", "id": "m1"}),
        (Send("node", {"a": [1]}), {"node": "node", "arg": {"a": [1]}}),
        (Command(resume=False), {"resume": False}),
        (
            Command(goto=[Send("node", 1), "other"], update={"a": HumanMessage("hi")}),
            {
                "goto": [{"node": "node", "arg": 1}, "other"],
                "update": {"a": {"content": "hi", "type": "human"}},
            },
        ),
        ([Interrupt("well?", id="x")], [{"value": "well?"}]),
        (
            ModelState(messages=[HumanMessage("hi")]),
            {"messages": [{"content": "hi", "type": "human"}]},
        ),
        (ClassState([HumanMessage("hi")]), {"messages": [{"content": "hi", "type": "human"}]}),
        ({"nothing": len}, {"nothing": len}),
    ],
)
def test_objects_of_langgraph_become_plain_values(value: object, plain: object):
    assert readable(value) == plain


# The static graph.


def test_the_static_graph_has_the_nodes_and_ways_of_subgraphs_in_their_places():
    workflow = recorder.prepared(every_shape(awaited=False)).workflow

    assert workflow is not None
    assert workflow.model_dump(exclude_defaults=True) == {
        "name": "every shape",
        "nodes": {
            "plan": {"outcomes": ("again", "fan")},
            "work": {},
            "sub": {"kind": "workflow", "reference": "writer"},
            "unsteady": {},
            "human": {"outcomes": ("publish", "__end__")},
            "publish": {},
            "sub:draft": {},
            "sub:polish": {},
        },
        "edges": (
            {"source": "sub", "target": "unsteady"},
            {"source": "unsteady", "target": "human"},
            {"source": "work", "target": "sub"},
            {"source": "plan", "target": "plan", "outcome": "again", "condition": "route"},
            {"source": "plan", "target": "work", "outcome": "fan", "condition": "route"},
            {"source": "human", "target": "publish", "outcome": "publish", "condition": "Command"},
            {"source": "sub:draft", "target": "sub:polish"},
        ),
        "entry": ("plan",),
        "exits": ("human", "publish"),
        "nodes_complete": False,
    }


def test_an_agent_names_its_tools():
    workflow = recorder.prepared(agent()).workflow

    assert workflow is not None
    assert workflow.tools == ("lookup", "pay")
    assert workflow.nodes["tools"].kind == "tools"
    assert workflow.edges_complete


def undeclared_router() -> Any:
    builder = StateGraph(State).add_node("first", polish).add_node(publish)
    return builder.add_conditional_edges("first", lambda _: "publish")


def undeclared_command() -> Any:
    def first(_: State):
        return Command(goto="publish")

    return StateGraph(State).add_node(first).add_node(publish)


@pytest.mark.parametrize("make", [undeclared_router, undeclared_command])
def test_the_edges_are_not_all_where_a_way_is_not_declared(make: Any):
    graph = make().add_edge(START, "first").compile()

    workflow = recorder.prepared(graph).workflow
    observed = observe(graph, given({"answer": "x"}))

    assert workflow is not None
    assert not workflow.edges_complete
    assert [(row[0], row[4]) for row in rows(observed)] == [("first", "publish"), ("publish", None)]


def test_a_graph_that_calls_itself_has_an_end():
    def node(state: State) -> State:
        return {"n": graph.invoke({"n": 0})["n"] + 1} if state["n"] else {"n": 0}

    graph = single(node)

    workflow = recorder.prepared(graph).workflow
    observed = observe(graph, given({"n": 1}))

    assert workflow is not None
    assert list(workflow.nodes) == ["node"]
    assert [(row[0], row[5]) for row in rows(observed)] == [("node", None), ("node:node", "node")]


def test_a_node_that_handles_errors_is_reached_by_the_outcome_error():
    def fail(_: State) -> State:
        raise ValueError("too bad")

    def excuse(_: State) -> State:
        return {"answer": "sorry"}

    builder = StateGraph(State).add_node("fail", fail, error_handler=excuse)
    graph = builder.add_edge(START, "fail").compile()

    workflow = recorder.prepared(graph).workflow
    observed = observe(graph, given({}))

    assert workflow is not None
    [edge] = workflow.edges
    assert (edge.source, edge.outcome) == ("fail", "error")
    assert [(row[0], row[3]) for row in rows(observed)] == [("fail", "error"), (edge.target, "ok")]
    assert trace_of(observed).output["answer"] == "sorry"


def test_a_router_that_sends_names_the_node_where_nothing_is_declared():
    builder = StateGraph(State).add_node(plan).add_node(polish).add_edge(START, "plan")
    graph = builder.add_conditional_edges("plan", lambda s: [Send("polish", s)]).compile()

    observed = observe(graph, given({"answer": "x"}))

    assert rows(observed)[0][4] == "polish"


def test_where_a_run_may_start_and_end_is_read_from_routers_too():
    def first(_: State) -> str:
        return "plan"

    builder = StateGraph(State).add_node(plan).add_node(polish).add_node(publish)
    builder.add_conditional_edges(START, first, ["plan", "polish"]).add_edge("plan", "publish")
    builder.add_conditional_edges("publish", first, {"plan": "plan", "done": END})

    workflow = recorder.prepared(builder.compile()).workflow

    assert workflow is not None
    assert (workflow.entry, workflow.exits) == (("plan", "polish"), ("publish", "polish"))
    assert workflow.nodes["publish"].outcomes == ("plan", "done")


def test_a_graph_that_is_not_compiled_is_refused_with_the_fix():
    with pytest.raises(InputError, match=r"`\.compile\(\)`"):
        recorder.prepared(StateGraph(State))


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (every_shape(awaited=False), True),
        (StateGraph(State), True),
        (every_shape, False),
        ("langgraph", False),
        (StateGraph, False),
    ],
)
def test_graphs_are_recognised_by_the_names_of_their_classes(found: object, *, known: bool):
    assert recorder.recognises(found) is known


def test_the_recorder_is_imported_without_langgraph():
    program = (
        "import sys; from flowjury.recorders import langgraph as r;"
        "assert not r.recognises(len);"
        "print([n for n in sys.modules if n.partition('.')[0] in ('langgraph', 'langchain_core')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"
