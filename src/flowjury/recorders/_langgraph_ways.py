"""The ways on from a node of a LangGraph, as its routers and commands name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from langgraph.types import Command, Send

_Live: TypeAlias = Any
"""What a node or a router answers."""
Ends: TypeAlias = Mapping[Any, str]
"""Where each answer of a router leads; empty where the graph does not say."""


def commanded(answer: _Live) -> Iterator[str | None]:
    """Name where the commands in a node's answer lead within its own graph."""
    for each in answer if isinstance(answer, list | tuple) else [answer]:
        if isinstance(each, Command) and each.graph is None:
            yield from targets(each)


def targets(command: Command[_Live]) -> Iterator[str | None]:
    """Name the nodes that a command leads to."""
    goto = [command.goto] if isinstance(command.goto, str | Send) else command.goto
    yield from (each.node if isinstance(each, Send) else str(each) for each in goto)


def routed(answer: _Live, ends: Ends) -> Iterator[str | None]:
    """Name what a router answered as the static graph does; None where it has no one word."""
    for each in answer if isinstance(answer, list | tuple) else [answer]:
        if not isinstance(each, Send):
            yield str(each)
        elif ends:
            yield the_one(str(key) for key, target in ends.items() if target == each.node)
        else:
            yield each.node


def the_one(ways: Iterable[str | None]) -> str | None:
    """Return the way that all of them are, if they are one."""
    different = set(ways)
    return different.pop() if len(different) == 1 else None
