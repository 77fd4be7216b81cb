"""The observer of a LangGraph: the callback handler that turns its runs into executions."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeAlias, cast
from uuid import UUID

from langchain_core.messages import ToolMessage
from langchain_core.outputs import LLMResult
from langgraph.callbacks import GraphCallbackHandler, GraphInterruptEvent
from langgraph.errors import GraphBubbleUp, GraphInterrupt, ParentCommand
from langgraph.types import Command, Send

from flowjury.current import HERE, UNRECORDED, Here
from flowjury.record import CaseFault
from flowjury.recorders._langgraph_values import readable
from flowjury.recording import Recording
from flowjury.spans import Span, running
from flowjury.visiting import status_of

_Live: TypeAlias = Any
"""What LangGraph hands over; its values are the user's."""
Branches: TypeAlias = Mapping[str, Mapping[str, Mapping[Any, str] | None]]
"""By node and router: what the router may answer and where it leads to, where the graph says."""
Order: TypeAlias = tuple[tuple[int, int, str, int], ...]
"""The place of a try in its run, the same in every run: for each level step, index, node, try."""

_SENT: Final = "__pregel_push"
_UNITS: Final = ("input_tokens", "output_tokens")
_UNKNOWN: Final = dict.fromkeys(_UNITS, math.nan)
"""What a call spent that does not say: the recording keeps that it could not be counted."""

P = ParamSpec("P")


@dataclass(slots=True, eq=False, kw_only=True)
class _Try:
    """One try of a node, between the callbacks."""

    run: UUID
    span: Span
    namespace: str
    order: Order
    before: Here | None
    """What was current before."""
    goto: list[str | None] = field(default_factory=list)
    """Where its routers and commands led."""


@dataclass(slots=True, eq=False, kw_only=True)
class _Call:
    """One call of a tool."""

    name: str
    arguments: _Live
    order: Order
    span: Span | None
    start_ns: int
    result: _Live = UNRECORDED
    status: Literal["ok", "error"] | None = None
    """None while it runs, and for good where it was interrupted."""


def _guarded(
    heard: Callable[Concatenate[Observer, P], None],
) -> Callable[Concatenate[Observer, P], None]:
    """Keep a callback from disturbing the graph: if it fails, the case is an error and says so."""

    @functools.wraps(heard)
    def guarded(self: Observer, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            heard(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - LangChain would only log it
            reason = f"the recorder of LangGraph failed in {heard.__name__}: {error!r}"
            self.recording.refuse(CaseFault(kind="harness", message=reason))

    return guarded


class Observer(GraphCallbackHandler):
    """Hears all that the runs of one case say, in the thread or task in which they happen.

    A run is a try of a node if it is the first in its checkpoint namespace. While it runs, its
    span is the current one there, so that what the node calls is recorded inside it.
    """

    run_inline = True

    def __init__(self, recording: Recording, branches: Branches) -> None:
        self.recording = recording
        self.suspended: GraphInterruptEvent | None = None
        """Why the graph came to rest before its end, if it did."""
        self.interrupts: dict[str, tuple[Order, str]] = {}
        """Where the node stands that asked, and its name, by id of the interrupt."""
        self._branches = branches
        self._inside: dict[UUID, _Try] = {}
        self._routers: dict[UUID, Mapping[Any, str]] = {}
        self._attempts: Counter[str] = Counter()
        self._spenders: dict[UUID, Span | None] = {}
        self._calls: dict[UUID, _Call] = {}
        self._spending = Lock()

    def settle(self) -> None:
        """Record the tools that were called, in an order that is the same in every run."""
        calls = sorted(self._calls.values(), key=lambda call: (call.order, call.start_ns))
        self._calls.clear()
        for call in calls:
            if call.status is not None:
                self.recording.tool(
                    call.name,
                    arguments=readable(call.arguments),
                    result=call.result,
                    status=call.status,
                    span=call.span,
                    at=call.start_ns,
                )

    # Nodes and their routers.

    @_guarded
    def on_chain_start(  # noqa: PLR0913 - the signature of LangChain
        self,
        serialized: _Live,  # noqa: ARG002 - likewise
        inputs: _Live,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        name: str | None = None,
        **_: _Live,
    ) -> None:
        """Begin a try of a node, or see which try the run belongs to."""
        told = metadata or {}
        namespace = told.get("langgraph_checkpoint_ns")
        around = self._inside.get(parent_run_id) if parent_run_id else None
        if namespace and (around is None or around.namespace != namespace):
            self._inside[run_id] = self._begun(run_id, namespace, inputs, told, around)
        elif around is not None:
            self._inside[run_id] = around
            routers = self._branches.get(around.span.node, {})
            if around.run == parent_run_id and name in routers:
                self._routers[run_id] = routers[name] or {}

    @_guarded
    def on_chain_end(self, outputs: _Live, *, run_id: UUID, **_: _Live) -> None:
        """End a try well, or keep what a router said."""
        inside = self._inside.get(run_id)
        if inside is None:
            return
        if inside.run == run_id:
            self._left(inside)
            goto = [*inside.goto, *_commanded(outputs)]
            inside.span.finish(readable(outputs), outcome=_only(goto))
        elif run_id in self._routers:
            inside.goto += _routed(outputs, self._routers[run_id])

    @_guarded
    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: _Live) -> None:
        """End a try by its exception; some of them are no errors but LangGraph's ways."""
        inside = self._inside.get(run_id)
        if inside is None or inside.run != run_id:
            return
        self._left(inside)
        match error:
            case GraphInterrupt():
                self._interrupted(inside, error.args[0] if error.args else ())
            case ParentCommand():
                command: Command[_Live] = error.args[0]
                mine = command.graph == inside.namespace
                goto = _only(_targets(command)) if mine else None
                inside.span.finish(readable(command), outcome=goto)
            case GraphBubbleUp():
                inside.span.end("interrupted")
            case _:
                inside.span.fail(error, status=status_of(error))

    def _begun(
        self,
        run: UUID,
        namespace: str,
        inputs: _Live,
        told: Mapping[str, Any],
        around: _Try | None,
    ) -> _Try:
        node, task = _named(namespace)
        self._attempts[task] += 1
        attempt = self._attempts[task]
        parent = self._current(around)
        sent = _sent(told.get("langgraph_path", ()))
        span = self.recording.begin(
            node,
            input=readable(inputs),
            parent=parent,
            visit=task,
            attempt=attempt,
            index=(*(parent.index if parent else ()), *sent),
        )
        step = told.get("langgraph_step", 0)
        place = (step, sent[0] if sent else 0, node, attempt)
        begun = _Try(
            run=run,
            span=span,
            namespace=namespace,
            order=(*(around.order if around else ()), place),
            before=HERE.get(),
        )
        HERE.set((self.recording, span))
        return begun

    def _left(self, inside: _Try) -> None:
        """Go back to what was current. An async callback cannot: then the span has just ended."""
        HERE.set(inside.before)

    def _current(self, around: _Try | None) -> Span | None:
        """Return the span inside which something begins here."""
        here = HERE.get()
        span = running(cast("Span | None", here[1])) if here and here[0] is self.recording else None
        return span or (around.span if around else None)

    def _interrupted(self, inside: _Try, interrupts: Iterable[_Live]) -> None:
        inside.span.output({"__interrupt__": readable([*interrupts])})
        inside.span.end("interrupted")
        for each in interrupts:
            self.interrupts.setdefault(each.id, (inside.order, inside.span.node))

    # Tools and models.

    @_guarded
    def on_tool_start(  # noqa: PLR0913 - the signature of LangChain
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: dict[str, Any] | None = None,
        **_: _Live,
    ) -> None:
        """Begin a call of a tool."""
        around = self._enter(run_id, parent_run_id)
        self._calls[run_id] = _Call(
            name=serialized["name"],
            arguments=input_str if inputs is None else inputs,
            order=around.order if around else (),
            span=self._current(around),
            start_ns=self.recording.clock(),
        )

    @_guarded
    def on_tool_end(self, output: _Live, *, run_id: UUID, **_: _Live) -> None:
        """End a call of a tool; the content of its message is what it answered."""
        call = self._calls[run_id]
        failed = isinstance(output, ToolMessage) and output.status == "error"
        call.result = readable(output.content if isinstance(output, ToolMessage) else output)
        call.status = "error" if failed else "ok"

    @_guarded
    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: _Live) -> None:
        """End a call of a tool by its exception; an interrupted one will be called again."""
        if not isinstance(error, GraphBubbleUp):
            self._calls[run_id].status = "error"

    @_guarded
    def on_chat_model_start(
        self, serialized: _Live, messages: _Live, *, run_id: UUID, **told: _Live  # noqa: ARG002 - likewise
    ) -> None:
        """Keep who calls a chat model."""
        around = self._enter(run_id, told.get("parent_run_id"))
        self._spenders[run_id] = self._current(around)

    on_llm_start = on_chat_model_start

    @_guarded
    def on_retriever_start(
        self, serialized: _Live, query: _Live, *, run_id: UUID, **told: _Live  # noqa: ARG002 - likewise
    ) -> None:
        """Keep inside which node a retriever runs."""
        self._enter(run_id, told.get("parent_run_id"))

    @_guarded
    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: _Live) -> None:
        """Add what a model says that it spent to the node that called it."""
        for generation in (each for batch in response.generations for each in batch):
            message = getattr(generation, "message", None)
            told = getattr(message, "usage_metadata", None)
            self._spend(run_id, {unit: told.get(unit, math.nan) for unit in _UNITS} if told else _UNKNOWN)

    @_guarded
    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: _Live) -> None:  # noqa: ARG002 - likewise
        """Keep that nobody knows what a call that failed has spent."""
        self._spend(run_id, _UNKNOWN)

    def _enter(self, run: UUID, parent: UUID | None) -> _Try | None:
        around = self._inside.get(parent) if parent else None
        if around is not None:
            self._inside[run] = around
        return around

    def _spend(self, run: UUID, usage: Mapping[str, float]) -> None:
        with self._spending:
            (self._spenders.get(run) or self.recording).spend(usage)

    # The graph.

    def on_interrupt(self, event: GraphInterruptEvent) -> None:
        """Keep that the graph itself, not one inside it, came to rest."""
        if not event.checkpoint_ns:
            self.suspended = event


def _named(namespace: str) -> tuple[str, str]:
    """Return the static name and the task of a checkpoint namespace: `sub:uuid|draft:uuid`.

    A number among its parts counts the calls of one inner graph.
    """
    parts = namespace.split("|")
    names = (part.rpartition(":")[0] for part in parts)
    return ":".join(filter(None, names)), parts[-1].rpartition(":")[2]


def _sent(path: tuple[_Live, ...]) -> tuple[int, ...]:
    """Return the number of what was sent to a node, if its path says that it was."""
    match path:
        case (str(kind), int(number), *_) if kind == _SENT:
            return (number,)
    return ()


def _commanded(outputs: _Live) -> Iterator[str | None]:
    for each in outputs if isinstance(outputs, list | tuple) else [outputs]:
        if isinstance(each, Command) and each.graph is None:
            yield from _targets(each)


def _targets(command: Command[_Live]) -> Iterator[str | None]:
    goto = [command.goto] if isinstance(command.goto, str | Send) else command.goto
    yield from (each.node if isinstance(each, Send) else str(each) for each in goto)


def _routed(answer: _Live, ends: Mapping[_Live, str]) -> Iterator[str | None]:
    """Name what a router answered as the graph does; None stands for what it has no word for."""
    for each in answer if isinstance(answer, list | tuple) else [answer]:
        if isinstance(each, Send):
            keys = [str(key) for key, target in ends.items() if target == each.node]
            yield _only(keys) if ends else each.node
        else:
            yield str(each)


def _only(goto: Iterable[str | None]) -> str | None:
    """Return the one way that was taken, if it was one."""
    ways = set(goto)
    return ways.pop() if len(ways) == 1 else None
