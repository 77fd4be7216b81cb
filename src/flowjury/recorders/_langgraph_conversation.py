"""The conversation with a LangGraph: one call of it per turn, on one thread of its states."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.pregel import Pregel
from langgraph.types import Command

from flowjury.case import Resume
from flowjury.errors import NotWaiting, TargetError
from flowjury.job import Job, Observed, Turn
from flowjury.names import Names
from flowjury.pointer import nearest
from flowjury.recorders._langgraph_graph import coroutine_only, routers, workflow
from flowjury.recorders._langgraph_observer import Observer
from flowjury.recorders._langgraph_tries import Order
from flowjury.recorders._langgraph_values import readable
from flowjury.session import observed
from flowjury.tracer.active import Ending
from flowjury.tracer.recording import Recording
from flowjury.workflow import Workflow

_Graph: TypeAlias = Pregel[Any, Any, Any, Any]
_Live: TypeAlias = Any
"""What a graph is given or answers."""

_SAID: Final = {"approve": True, "reject": False}
"""What an action without content says to the node that asked."""


class PreparedGraph:
    """A graph that is ready to run cases; each gets one from the factory, and its own thread."""

    def __init__(self, graph: _Graph, make: Callable[[], _Graph]) -> None:
        self.workflow: Workflow | None = workflow(graph)
        self._make = make
        self._awaited = coroutine_only(graph)

    def observe(self, job: Job) -> Observed:
        """Call the graph once per turn and record all that its nodes do."""
        conversation = _Conversation(
            make=self._make,
            names=Names(self.workflow),
            remembers=len(job.turns) > 1,
        )
        return observed(
            job,
            conversation.play_awaited if self._awaited else conversation.play,
            workflow=self.workflow,
            channels=("executions", "tools"),
        )


@dataclass(frozen=True, slots=True)
class _Wait:
    """A node that asked and waits for its answer."""

    name: str
    id: str | None
    """Which interrupt it is; None for a static breakpoint."""
    asked: _Live = None


class _Conversation:
    """The turns of one case."""

    def __init__(self, *, make: Callable[[], _Graph], names: Names, remembers: bool) -> None:
        self._make = make
        self._names = names
        self._remembers = remembers
        self._thread = str(uuid4())
        self._pending: list[_Wait] = []
        self._observer: Observer | None = None

    @cached_property
    def _graph(self) -> _Graph:
        """The graph, made when it is first called, so that what its factory raises is observed."""
        graph = self._make()
        if self._remembers and not isinstance(graph.checkpointer, BaseCheckpointSaver):
            raise TargetError(
                "the case has several steps, but the graph forgets its state after each: compile"
                " it with a checkpointer, such as `.compile(checkpointer=InMemorySaver())`"
            )
        return graph

    def play(self, turn: Turn, recording: Recording) -> Ending:
        """Play a turn by `invoke`."""
        graph, observer = self._graph, self._listening(recording)
        config = self._config(observer)
        try:
            answer = graph.invoke(self._given(turn, observer), config)
        finally:
            observer.settle()
        stopped = observer.suspended is not None and not observer.suspended.interrupts
        return self._ending(answer, observer, graph.get_state(config).next if stopped else ())

    async def play_awaited(self, turn: Turn, recording: Recording) -> Ending:
        """Play a turn by `ainvoke`."""
        graph, observer = self._graph, self._listening(recording)
        config = self._config(observer)
        try:
            answer = await graph.ainvoke(self._given(turn, observer), config)
        finally:
            observer.settle()
        stopped = observer.suspended is not None and not observer.suspended.interrupts
        state = await graph.aget_state(config) if stopped else None
        return self._ending(answer, observer, state.next if state else ())

    def _listening(self, recording: Recording) -> Observer:
        """Return the one observer of the case, ready for the next turn."""
        if self._observer is None:
            self._observer = Observer(recording, routers(self._graph))
        self._observer.suspended = None
        return self._observer

    def _config(self, observer: Observer) -> RunnableConfig:
        return {"callbacks": [observer], "configurable": {"thread_id": self._thread}}

    def _given(self, turn: Turn, observer: Observer) -> _Live:
        """Return what the graph is called with: the input, or the answer to what it asked.

        Raises TargetError where no such wait is pending: NotWaiting if none is.
        """
        if turn.resume is None:
            return copy.deepcopy(turn.input)
        wait = self._awaiting(turn.resume.wait)
        if wait.id is None and turn.resume.action != "approve":
            raise TargetError(
                f"the wait {wait.name!r} is a static breakpoint, which asks nothing:"
                f" action {turn.resume.action!r} cannot be told to it, only 'approve'"
            )
        if wait.id is None:
            return None
        observer.resume(wait.id, turn.resume.action)
        return Command(resume={wait.id: _said(turn.resume, wait.asked)})

    def _awaiting(self, name: str) -> _Wait:
        """Find the wait of a name: of several, the first in the order of the run."""
        if not self._pending:
            raise NotWaiting
        names = [wait.name for wait in self._pending]
        wanted = self._names.node(name)
        if wanted in names:
            return self._pending[names.index(wanted)]
        near = nearest(name, names)
        hint = f"; nearest is {near!r}" if near else ""
        known = ", ".join(dict.fromkeys(names))
        raise TargetError(f"no wait named {name!r} is pending{hint} (pending: {known})")

    def _ending(self, answer: _Live, observer: Observer, following: tuple[str, ...]) -> Ending:
        """Say how the turn ended; at a static breakpoint, the nodes that would follow wait."""
        self._pending = [*_asked(observer), *(_Wait(name, None) for name in following)]
        output = readable(answer)
        if observer.suspended is None:
            return Ending(output=output)
        wait = self._pending[0].name if self._pending else None
        return Ending(status="wait", output=output, wait=wait)


def _asked(observer: Observer) -> list[_Wait]:
    """Return the nodes that asked, in an order that is the same in every run."""
    event = observer.suspended
    interrupts = {each.id: each for each in event.interrupts} if event else {}
    unknown: tuple[Order, str] = ((), "interrupt")
    places = sorted((observer.interrupts.get(name, unknown), name) for name in interrupts)
    return [_Wait(node, name, interrupts[name].value) for (_, node), name in places]


def _said(resume: Resume, asked: _Live) -> _Live:
    """Return what the node that asked is told."""
    if "content" in resume.model_fields_set:
        return copy.deepcopy(resume.content)
    requests = asked.get("action_requests") if isinstance(asked, dict) else None
    if requests and resume.action in _SAID:
        return {"decisions": [{"type": resume.action} for _ in requests]}
    return _SAID.get(resume.action)
