"""The asked: calls of tools that models ask for, and what became of those that no tool began."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command

from flowjury.recorders._langgraph_tries import Order
from flowjury.tracer.spans import Span

_Live: TypeAlias = Any
"""What a node answers."""

_DEEPEST = 3
"""How deep in what a node answers messages are looked for."""


@dataclass(slots=True, eq=False, kw_only=True)
class Asked:
    """A call that a model asks for, until a tool begins it."""

    id: str | None
    name: str
    arguments: _Live
    order: Order
    span: Span | None
    start_ns: int
    answer: ToolMessage | None = None
    """What was answered instead of a tool."""

    @property
    def status(self) -> Literal["ok", "refused"]:
        """How it ended: well where something else than a tool answered it."""
        answered = self.answer is not None and self.answer.status != "error"
        return "ok" if answered else "refused"


class AskedCalls:
    """The calls that models asked for in one case and that no tool has begun."""

    def __init__(self) -> None:
        self._open: list[Asked] = []
        self._lock = Lock()

    def ask(self, message: AIMessage, *, order: Order, span: Span | None, at: int) -> None:
        """Keep what a model asks for, in its order; arguments that are no JSON stay a text."""
        wanted = [
            Asked(
                id=call["id"],
                name=call["name"] or "",
                arguments=call["args"],
                order=order,
                span=span,
                start_ns=at,
            )
            for call in (*message.tool_calls, *message.invalid_tool_calls)
        ]
        with self._lock:
            self._open += wanted

    def begin(self, id: str | None, name: str, arguments: _Live) -> None:  # noqa: A002 - LangChain's word
        """Let go of the call that a tool begins: of its id, or else of its name and arguments."""
        with self._lock:
            found = next((a for a in self._open if _is(a, id, name, arguments)), None)
            if found is not None:
                self._open.remove(found)

    def answered(self, messages: Iterable[ToolMessage]) -> None:
        """Keep what was answered to calls that no tool has begun."""
        for message in messages:
            with self._lock:
                mine = (a for a in self._open if a.id == message.tool_call_id and not a.answer)
                if (first := next(mine, None)) is not None:
                    first.answer = message

    def settle(self) -> list[Asked]:
        """Take all that are left: no tool will begin them any more."""
        with self._lock:
            left, self._open = self._open, []
        return left


def answers(value: _Live, depth: int = _DEEPEST) -> Iterator[ToolMessage]:
    """Yield the answers to calls in what a node answers."""
    match value:
        case ToolMessage():
            yield value
        case Command() if depth:
            yield from answers(value.update, depth - 1)
        case dict() if depth:
            for item in value.values():
                yield from answers(item, depth - 1)
        case list() | tuple() if depth:
            for item in value:
                yield from answers(item, depth - 1)


def _is(asked: Asked, id: str | None, name: str, arguments: _Live) -> bool:  # noqa: A002 - likewise
    if id is not None:
        return asked.id == id
    return (asked.name, asked.arguments) == (name, arguments)
