"""An article from questions to print: a graph with a loop, a fan-out, a subgraph and a person."""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.pregel import Pregel
from langgraph.types import Command, RetryPolicy, Send, interrupt

import flowjury

MOST_QUESTIONS = 3


class State(TypedDict, total=False):
    """What the graph knows of its article."""

    topic: str
    questions: list[str]
    question: str
    facts: Annotated[list[str], operator.add]
    article: str
    printed: bool


class Written(TypedDict, total=False):
    """What the inner graph gives back."""

    article: str


@flowjury.boundary
def search(question: str) -> str:
    """Search the web; in tests, fixtures answer."""
    raise ConnectionError(f"no search is configured for {question!r}")


@flowjury.boundary(writes=True)
def press(article: str) -> str:
    """Send an article to the press; in tests, fixtures answer."""
    raise ConnectionError(f"no press is configured for {len(article)} characters")


def plan(state: State) -> State:
    """Think of one more question."""
    asked = state.get("questions", [])
    return {"questions": [*asked, f"{state['topic']}, part {len(asked) + 1}"]}


def enough(state: State) -> str | list[Send]:
    """Go on planning, or research every question at once."""
    if len(state["questions"]) < MOST_QUESTIONS:
        return "more"
    return [Send("research", {"question": question}) for question in state["questions"]]


def research(state: State) -> State:
    """Answer one question; a lost connection is tried again."""
    return {"facts": [search(state["question"])]}


def polish(state: State) -> State:
    """Make it end well."""
    return {"article": f"{state['article']}."}


def review(state: State) -> Command[Literal["publish", "plan", "__end__"]]:
    """Ask a person."""
    verdict = interrupt({"question": "Print it?", "article": state["article"]})
    match verdict:
        case True:
            return Command(goto="publish")
        case str(topic):
            return Command(goto="plan", update={"topic": topic, "questions": []})
    return Command(goto=END, update={"printed": False})


def publish(state: State) -> State:
    """Print it."""
    press(state["article"])
    return {"printed": True}


def writing() -> Pregel[Any, Any, Any, Any]:
    """Make the inner graph that writes, by a model that needs no key."""
    usage = {"input_tokens": 40, "output_tokens": 12, "total_tokens": 52}
    drafts = (
        AIMessage(f"Draft {number}", usage_metadata=usage)  # type: ignore[arg-type]  # a dict will do
        for number in (1, 2)
    )
    model = GenericFakeChatModel(messages=drafts)

    def draft(state: State) -> State:
        said = model.invoke("\n".join(state["facts"]))
        return {"article": f"{said.text} of {len(state['facts'])} facts"}

    inner = StateGraph(State, output_schema=Written).add_node(draft).add_node(polish)
    return inner.add_edge(START, "draft").add_edge("draft", "polish").compile(name="writing")


def build() -> Pregel[Any, Any, Any, Any]:
    """Make the graph; FlowJury calls this for every case, so no case sees another's state."""
    again = RetryPolicy(
        max_attempts=2, initial_interval=0.001, jitter=False, retry_on=ConnectionError
    )
    graph = StateGraph(State)
    graph.add_node(plan)
    graph.add_node(research, retry_policy=again)
    graph.add_node("write", writing())
    graph.add_node(review)
    graph.add_node(publish)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", enough, {"more": "plan", "enough": "research"})
    graph.add_edge("research", "write")
    graph.add_edge("write", "review")
    return graph.compile(checkpointer=InMemorySaver(), name="article")
