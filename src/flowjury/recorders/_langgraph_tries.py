"""The tries of nodes: which run of a LangGraph is one, and inside which other runs happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast
from uuid import UUID

from flowjury.recorders._langgraph_values import readable
from flowjury.tracer.current import HERE, Here
from flowjury.tracer.recording import Recording
from flowjury.tracer.spans import Span, running

Order: TypeAlias = tuple[tuple[int, int, str, int], ...]
"""The place of a try in its run, the same in every run: for each level step, index, node, try."""

_NAMESPACE: Final = "langgraph_checkpoint_ns"
_SENT: Final = "__pregel_push"


@dataclass(slots=True, eq=False, kw_only=True)
class Try:
    """One try of a node, between the callbacks."""

    run: UUID
    span: Span
    namespace: str
    order: Order
    before: Here | None
    """What was current before."""
    goto: list[str | None] = field(default_factory=list)
    """Where its routers led."""

    def leave(self) -> None:
        """Make current what was before.

        An asynchronous callback ends in a context of its own, where this is in vain; but what has
        ended is never current (see `running`).
        """
        HERE.set(self.before)


class Tries:
    """The tries of one case. A run is one if it is the first in its checkpoint namespace.

    While a try runs, its span is the current one, so that what it calls is recorded inside it.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._around: dict[UUID, Try] = {}
        self._attempts: Counter[str] = Counter()
        self.resumed: dict[str, str] = {}
        """What was done at a wait, by the visit that goes on; the next try of it takes it."""

    def around(self, run: UUID | None) -> Try | None:
        """Return the try inside which a run happens; it may be the run itself."""
        return self._around.get(run) if run is not None else None

    def enter(self, run: UUID, parent: UUID | None) -> Try | None:
        """Keep that a run happens where its parent does, and return that."""
        around = self.around(parent)
        if around is not None:
            self._around[run] = around
        return around

    def starts(self, parent: UUID | None, told: Mapping[str, Any]) -> bool:
        """Tell whether a run with this metadata is a try of a node."""
        namespace = told.get(_NAMESPACE)
        around = self.around(parent)
        return bool(namespace) and (around is None or around.namespace != namespace)

    def begin(
        self, run: UUID, parent: UUID | None, *, given: object, told: Mapping[str, Any]
    ) -> None:
        """Begin a try, and make it the current one of this thread or task."""
        around = self.around(parent)
        inside = self.span(around)
        name, task = _innermost(told[_NAMESPACE])
        node = f"{around.span.node}:{name}" if around else name
        sent = _sent(told.get("langgraph_path", ()))
        self._attempts[task] += 1
        attempt = self._attempts[task]
        span = self._recording.begin(
            node,
            input=readable(given),
            parent=inside,
            visit=task,
            attempt=attempt,
            index=(*(inside.index if inside else ()), *sent),
        )
        span.action = self.resumed.pop(task, None)
        place = (told.get("langgraph_step", 0), sent[0] if sent else 0, node, attempt)
        self._around[run] = Try(
            run=run,
            span=span,
            namespace=told[_NAMESPACE],
            order=(*(around.order if around else ()), place),
            before=HERE.get(),
        )
        HERE.set((self._recording, span))

    def span(self, around: Try | None) -> Span | None:
        """Return the span inside which something begins here, in a try or deeper."""
        here = HERE.get()
        ours = here is not None and here[0] is self._recording
        current = running(cast("Span | None", here[1])) if here and ours else None
        return current or (around.span if around else None)


def _innermost(namespace: str) -> tuple[str, str]:
    """Return the node and the task of a checkpoint namespace such as `sub:uuid|draft:uuid`.

    What comes before is no path of nodes: it has numbers for repeated calls of an inner graph, and
    the failed node before its error handler.
    """
    name, _, task = namespace.rpartition("|")[2].rpartition(":")
    return name, task


def _sent(path: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the number of what was sent to a node, if its path says that it was."""
    match path:
        case (str(kind), int(number), *_) if kind == _SENT:
            return (number,)
    return ()
