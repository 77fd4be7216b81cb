"""A help desk: an agent of LangChain with two tools, and a model that needs no key."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.pregel import Pregel
from langgraph.types import interrupt

import flowjury


@flowjury.boundary
def order_service(order: str) -> dict[str, Any]:
    """Ask the service that knows all orders; in tests, fixtures answer."""
    raise ConnectionError(f"no order service is configured, so nobody knows {order}")


@tool
def find_order(order: str) -> dict[str, Any]:
    """Find an order by its number."""
    return order_service(order)


@tool
def refund(order: str, amount: int) -> str:
    """Pay back an amount; a person must approve."""
    if not interrupt({"question": f"Refund ${amount} for {order}?"}):
        return "not approved"
    return f"refunded ${amount} for {order}"


class ScriptedModel(BaseChatModel):
    """Stands for a real model: finds the order, pays back if asked to, says what happened."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> ScriptedModel:  # noqa: ANN401, ARG002 - LangChain's
        """Know the tools already."""
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:  # noqa: ANN401 - likewise
        answer = _answer(messages)
        spent = sum(len(message.text.split()) for message in messages)
        written = len(answer.text.split())
        answer.usage_metadata = {
            "input_tokens": spent,
            "output_tokens": written,
            "total_tokens": spent + written,
        }
        return ChatResult(generations=[ChatGeneration(message=answer)])


def _answer(messages: list[BaseMessage]) -> AIMessage:
    question, last = messages[0].text, messages[-1]
    order = next((word.strip(".,?!") for word in question.split() if "-" in word), "?")
    if not isinstance(last, ToolMessage):
        return AIMessage("", tool_calls=[_call("find_order", order=order)])
    if last.name == "find_order" and "refund" in question:
        amount = int("".join(filter(str.isdigit, last.text.partition("amount")[2])))
        return AIMessage("", tool_calls=[_call("refund", order=order, amount=amount)])
    return AIMessage(f"About {order}: {last.text}.")


def _call(name: str, **arguments: Any) -> Any:  # noqa: ANN401 - a call of a tool, as LangChain has it
    return {"name": name, "args": arguments, "id": f"call-{name}"}


def build() -> Pregel[Any, Any, Any, Any]:
    """Make the agent; FlowJury calls this for every case, so no case sees another's state."""
    return create_agent(ScriptedModel(), [find_order, refund], checkpointer=InMemorySaver())
