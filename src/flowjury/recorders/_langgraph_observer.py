"""The observer of a LangGraph: the callback handler that records what its runs say."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, TypeVar, cast
from uuid import UUID

from langchain_core.outputs import LLMResult
from langgraph.callbacks import GraphCallbackHandler, GraphInterruptEvent
from langgraph.errors import GraphBubbleUp, GraphInterrupt, ParentCommand
from langgraph.types import Command, Interrupt

from flowjury.record import CaseFault
from flowjury.recorders._langgraph_calls import Calls
from flowjury.recorders._langgraph_tries import Order, Tries, Try
from flowjury.recorders._langgraph_values import readable
from flowjury.recorders._langgraph_ways import Ends, commanded, routed, targets, the_one
from flowjury.tracer.recording import Recording
from flowjury.tracer.visiting import status_of

_Live: TypeAlias = Any
"""What LangGraph hands over; its values are the user's."""
Routers: TypeAlias = Mapping[str, Mapping[str, Ends]]
"""The routers of each node by their names."""
F = TypeVar("F", bound=Callable[..., None])

_FIRST_STEP: Final = "seq:step:1"
"""Tags what a node itself runs, and no router."""


def _guarded(heard: F) -> F:
    """Keep a callback from disturbing the graph: if it fails, the case is an error and says so."""

    @functools.wraps(heard)
    def guarded(self: Observer, *args: _Live, **kwargs: _Live) -> None:
        try:
            heard(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - LangChain would only log it
            reason = f"the recorder of LangGraph failed in {heard.__name__}: {error!r}"
            self.recording.refuse(CaseFault(kind="harness", message=reason))

    return cast("F", guarded)


class Observer(GraphCallbackHandler):
    """Hears all that the runs of one case say, in the thread or task in which they happen."""

    run_inline = True

    def __init__(self, recording: Recording, routers: Routers) -> None:
        self.recording = recording
        self.suspended: GraphInterruptEvent | None = None
        """Why the graph came to rest before its end, if it did."""
        self.interrupts: dict[str, tuple[Order, str]] = {}
        """The place of the node that asked, and its name, by id of the interrupt."""
        self._visits: dict[str, str] = {}
        """The visit in which a node asked, by id of the interrupt."""
        self._known_routers = routers
        self._routers: dict[UUID, Ends] = {}
        self._tries = Tries(recording)
        self._calls = Calls(recording)

    def settle(self) -> None:
        """Record what is kept until the turn is over."""
        self._calls.settle(suspended=self.suspended is not None)

    def resume(self, interrupt: str, action: str) -> None:
        """Hear what is done at an interrupt, before the graph goes on."""
        if (visit := self._visits.get(interrupt)) is not None:
            self._tries.resumed[visit] = action

    @_guarded
    def on_chain_start(
        self,
        serialized: _Live,  # noqa: ARG002 - the callback's own parameter
        inputs: _Live,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, Any] | None = None,
        **told: _Live,
    ) -> None:
        """Begin a try of a node, or see which try the run belongs to."""
        if metadata and self._tries.starts(parent_run_id, metadata):
            self._tries.begin(run_id, parent_run_id, given=inputs, told=metadata)
            return
        around = self._tries.enter(run_id, parent_run_id)
        if around is not None and around.run == parent_run_id:
            known = self._known_routers.get(around.span.node, {})
            if told.get("name") in known and _FIRST_STEP not in (told.get("tags") or ()):
                self._routers[run_id] = known[told["name"]]

    @_guarded
    def on_chain_end(self, outputs: _Live, *, run_id: UUID, **_: _Live) -> None:
        """End a try well, or keep what a router said."""
        around = self._tries.around(run_id)
        if around is None:
            return
        if around.run == run_id:
            around.leave()
            self._calls.told(outputs)
            outcome = the_one([*around.goto, *commanded(outputs)])
            around.span.finish(readable(outputs), outcome=outcome)
        elif run_id in self._routers:
            around.goto += routed(outputs, self._routers[run_id])

    @_guarded
    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: _Live) -> None:
        """End a try by its exception; some of them are no errors but ways of LangGraph."""
        around = self._tries.around(run_id)
        if around is None or around.run != run_id:
            return
        around.leave()
        match error:
            case GraphInterrupt():
                self._interrupted(around, error.args[0] if error.args else ())
            case ParentCommand():
                _commanded_parent(around, error.args[0])
            case GraphBubbleUp():
                around.span.end("interrupted")
            case _:
                around.span.fail(error, status=status_of(error))

    def _interrupted(self, around: Try, interrupts: Iterable[Interrupt[Any]]) -> None:
        around.span.output({"__interrupt__": readable([*interrupts])})
        around.span.end("interrupted")
        for each in interrupts:
            self.interrupts.setdefault(each.id, (around.order, around.span.node))
            self._visits.setdefault(each.id, around.span.visit)

    @_guarded
    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **told: _Live,
    ) -> None:
        """Begin a call of a tool."""
        around = self._tries.enter(run_id, parent_run_id)
        arguments = told.get("inputs")
        self._calls.begin(
            run_id,
            serialized["name"],
            input_str if arguments is None else arguments,
            asked=told.get("tool_call_id"),
            span=self._tries.span(around),
            order=around.order if around else (),
        )

    @_guarded
    def on_tool_end(self, output: _Live, *, run_id: UUID, **_: _Live) -> None:
        """End a call of a tool."""
        self._calls.end(run_id, output)

    @_guarded
    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: _Live) -> None:
        """End a call of a tool by its exception, unless it was only interrupted."""
        if not isinstance(error, GraphBubbleUp):
            self._calls.fail(run_id)

    @_guarded
    def on_retriever_start(self, *_: _Live, run_id: UUID, **told: _Live) -> None:
        """See which try the run of a retriever belongs to."""
        self._tries.enter(run_id, told.get("parent_run_id"))

    @_guarded
    def on_chat_model_start(
        self,
        serialized: _Live,  # noqa: ARG002 - likewise
        messages: _Live,
        *,
        run_id: UUID,
        **told: _Live,
    ) -> None:
        """See who calls a chat model."""
        self._asks(run_id, messages, told.get("parent_run_id"))

    @_guarded
    def on_llm_start(self, *_: _Live, run_id: UUID, **told: _Live) -> None:
        """See who calls a model of text."""
        self._asks(run_id, (), told.get("parent_run_id"))

    def _asks(self, run: UUID, given: _Live, parent: UUID | None) -> None:
        around = self._tries.enter(run, parent)
        order = around.order if around else ()
        self._calls.ask(run, given, span=self._tries.span(around), order=order)

    @_guarded
    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: _Live) -> None:
        """Keep what a model spent."""
        self._calls.answered(run_id, response)

    @_guarded
    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: _Live) -> None:  # noqa: ARG002 - likewise
        """Keep that a model failed."""
        self._calls.unanswered(run_id)

    def on_interrupt(self, event: GraphInterruptEvent) -> None:
        """Keep that the graph itself, not one inside it, came to rest."""
        if not event.checkpoint_ns:
            self.suspended = event


def _commanded_parent(around: Try, command: Command[Any]) -> None:
    """End a try that hands a command up, where it is the way on of one of the nodes around."""
    mine = command.graph == around.namespace
    outcome = the_one(targets(command)) if mine else None
    around.span.finish(readable(command), outcome=outcome)
