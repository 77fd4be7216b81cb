"""The recording: what every node of one case did in this process, taken as it happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from threading import Lock
from typing import Literal, cast

from flowjury.case import Fixtures
from flowjury.errors import FixtureMiss
from flowjury.evidence import Evidence
from flowjury.fixtures import Call, Shelf
from flowjury.json_values import holds_opaque
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.record import CaseFault
from flowjury.snapshot import snapshot
from flowjury.suite import Data
from flowjury.trace import Channel, Execution, Trace
from flowjury.tracer import assembly
from flowjury.tracer.assembly import Ending, Turned
from flowjury.tracer.current import HERE, UNRECORDED
from flowjury.tracer.harvest import gathered, unrecordable
from flowjury.tracer.spans import Span, add_usage, running
from flowjury.tracer.visiting import Visiting
from flowjury.workflow import Workflow


class Recording:
    """What the turns of one case did. Safe to use from several threads; never raises for a value.

    `channels` are those that the engine records by itself, and so completely.
    """

    def __init__(  # noqa: PLR0913 - what a run is recorded by
        self,
        clock: Callable[[], int],
        *,
        data: Data = "live",
        shelf: Shelf | None = None,
        mask: Iterable[str] = (),
        channels: Iterable[Channel] = ("executions",),
        values: bool = True,
    ) -> None:
        self.clock = clock
        self.data = data
        self.shelf = shelf or Shelf()
        self.mask = tuple(mask)
        self.channels = frozenset(channels)
        self.values = values
        self.over = False  # a replay that has ended
        self.fault: CaseFault | None = None
        """The first that went wrong between us and the workflow, even if it caught it."""
        self._turns = [Turned(id=None)]
        self._begun = False
        self._count = 0
        self._lock = Lock()

    def begin_turn(
        self,
        step: str | None,
        *,
        input: object = UNRECORDED,  # noqa: A002 - the word of the design
    ) -> None:
        """Begin a turn: what begins from now on belongs to it."""
        turn = Turned(id=step, input=_copied(input))
        with self._lock:
            if not self._begun and not self._turns[0].recorded():
                self._turns.clear()
            self._turns.append(turn)
            self._begun = True

    def end_turn(self, ending: Ending) -> None:
        """End the turn; what still runs is cancelled, and the turn is not recorded completely."""
        turn = self._turns[-1]
        turn.ending = ending
        turn.output = _copied(ending.output)
        for span in turn.spans:
            if span.status is None:
                turn.whole = False
                span.end("cancelled")

    def cut(self, ending: Ending) -> Span | None:
        """End the turn while it runs, incomplete; return the innermost try that is running."""
        self._turns[-1].ending, self._turns[-1].whole = ending, False
        return next((span for span in reversed(self._turns[-1].spans) if not span.status), None)

    def begin(  # noqa: PLR0913 - the fields of an execution
        self,
        node: str,
        *,
        input: object = UNRECORDED,  # noqa: A002 - the word of the design
        parent: Span | None = None,
        caller: str | None = None,
        visit: str | None = None,
        attempt: int = 1,
        index: tuple[int, ...] = (),
        at: int | None = None,
        boundary: bool = False,
    ) -> Span:
        """Begin a try of a node. A nested one has its parent's node as caller, and its index."""
        keeps = self.values or boundary
        kept = snapshot(input) if keeps and input is not UNRECORDED else UNRECORDED
        if parent is not None:
            caller, index = caller or parent.node, index or parent.index
        with self._lock:
            self._count += 1
            name = f"e{self._count}"
            span = Span(
                id=name,
                node=node,
                visit=visit or name,
                clock=self.clock,
                start_ns=self.clock() if at is None else at,
                input=kept,
                parent=parent,
                caller=caller,
                attempt=attempt,
                index=index,
                keeps=keeps,
                boundary=boundary,
                step=self._turns[-1].id,
            )
            self._turns[-1].spans.append(span)
        return span

    def visiting(  # noqa: PLR0913 - likewise
        self,
        node: str,
        *,
        input: object = UNRECORDED,  # noqa: A002 - the word of the design
        boundary: bool = False,
        caller: str | None = None,
        index: tuple[int, ...] = (),
        visit: str | None = None,
        attempt: int = 1,
    ) -> Visiting:
        """Visit a node for as long as a block lasts; on replay, a boundary node has its answer.

        Entering the block raises FixtureMiss where no fixture answers.
        """
        return Visiting(
            self,
            begin=lambda parent: self.begin(
                node,
                input=input,
                parent=parent,
                caller=caller,
                visit=visit,
                attempt=attempt,
                index=index,
                boundary=boundary,
            ),
        )

    def serve(self, span: Span) -> None:
        """Give a span of a boundary node its answer from the fixtures; do nothing for others.

        Raises:
            FixtureMiss: there is none, which is remembered, whoever catches it.
        """
        if self.data != "replay" or not span.boundary:
            return
        call = Call(node=span.node, caller=span.caller, step=span.step, index=span.index)
        value = None if span.input is UNRECORDED else masked(span.input, self.mask)
        try:
            served = self.shelf.take(call, value)
        except FixtureMiss as error:
            self.refuse(span.fault("fixture-miss", str(error)))
            raise
        span.answer, span.other_input = served.fixture, served.other_input

    def refuse(self, fault: CaseFault) -> None:
        """Remember what makes the case an error; the first counts."""
        with self._lock:
            self.fault = self.fault or fault

    def spend(self, usage: Mapping[str, int | float]) -> None:
        """Add to what was spent outside of any node."""
        turn = self._turns[-1]
        turn.dropped |= not add_usage(turn.usage, usage)

    def tool(  # noqa: PLR0913 - the fields of a call
        self,
        name: str,
        *,
        arguments: object = UNRECORDED,
        result: object = UNRECORDED,
        status: Literal["ok", "error", "refused"] = "ok",
        span: Span | None = None,
        at: int | None = None,
    ) -> None:
        """Record a call of a tool, inside the given span or the current one; `at` is its start."""
        here = HERE.get()
        inside = span or running(cast("Span | None", here[1]) if here else None)
        call = {
            "name": name,
            "arguments": _copied(arguments),
            "result": _copied(result),
            "status": status,
            "execution": inside.id if inside else None,
            "start_ns": self.clock() if at is None else at,
        }
        kept = {key: value for key, value in call.items() if value is not UNRECORDED}
        self._turns[-1].tools.append(kept)

    def message(self, message: object) -> None:
        """Record a message to or from a model."""
        self._turns[-1].messages.append(_copied(message))

    def activation(self, activation: object) -> None:
        """Record that a skill, an agent or a handoff was taken."""
        self._turns[-1].activations.append(_copied(activation))

    def executions(self) -> tuple[Execution, ...]:
        """Return every try of every node so far, masked."""
        turns = (assembly.executions(turn.spans, mask=self.mask) for turn in self._turns)
        return tuple(chain.from_iterable(turns))

    def trace(self, *, workflow: Workflow | None = None) -> Trace:
        """Make the trace of the one turn, or of the whole conversation, masked."""
        return assembly.trace(
            self._turns,
            mask=self.mask,
            channels=self.channels,
            whole=self.fault is None,
            workflow=workflow,
        )

    def replayed(self) -> bool:
        """Tell whether a boundary node was visited, and all were answered from fixtures."""
        boundary = [span for turn in self._turns for span in turn.spans if span.boundary]
        return bool(boundary) and all(span.replayed for span in boundary)

    def fixtures(self) -> Fixtures:
        """Make fixtures of what the boundary nodes answered, masked.

        An answer that is no JSON could not be given again: it is remembered as a fault.
        """
        spans = [span for turn in self._turns for span in turn.spans if span.boundary]
        for span in spans:
            if span.status == "ok" and holds_opaque(span.answered):
                self.refuse(span.fault("target", unrecordable(span.node, span.answered)))
        raised = {span.id: span.raised for span in spans}
        return gathered(Evidence(self.trace()).visits, raised, self.shelf)


def _copied(value: object) -> Json:
    return UNRECORDED if value is UNRECORDED else snapshot(value)
