"""The current place of this thread or task: which recording is on, inside which span.

Instrumented programs load this module and no model, so it stays light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from threading import Thread, current_thread
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias
from weakref import WeakKeyDictionary


class Unrecorded(Enum):
    """The type of the sentinel for a value that was not recorded, which is not None."""

    UNRECORDED = "unrecorded"


UNRECORDED: Final = Unrecorded.UNRECORDED


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a node answers, together with the outcome by which it is left."""

    name: str
    """The outcome."""
    value: Any = None
    """The answer."""


class Answer(Protocol):
    """What a fixture tells of the outcome that it replays."""

    @property
    def outcome(self) -> str | None:
        """The outcome by which the node was left."""
        ...


class Running(Protocol):
    """A try of a node that is running, as instrumented code sees it."""

    @property
    def answer(self) -> Answer | None:
        """The fixture that answers it."""
        ...

    def replay(self) -> Any:  # noqa: ANN401 - any JSON value
        """Return the output of the fixture, or raise its error."""
        ...

    async def replay_async(self) -> Any:  # noqa: ANN401 - any JSON value
        """Do so likewise, but give way to other tasks once."""
        ...

    def output(self, value: object) -> None:
        """Keep what the node has answered so far."""
        ...

    def yielded(self, item: object) -> None:
        """Add an item to the list that the node has answered so far."""
        ...

    def finish(self, output: object = UNRECORDED, *, outcome: str | None = None) -> None:
        """End it well."""
        ...

    def spend(self, usage: Mapping[str, int | float]) -> None:
        """Add to what it spent."""
        ...


class Visited(Protocol):
    """The visit of a node, as a block of code."""

    def __enter__(self) -> Running:
        """Begin the visit."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        """End the visit."""
        ...

    def leave(self) -> None:
        """Go outside for a while, as a generator does when it yields."""
        ...

    def enter(self) -> None:
        """Come back inside."""
        ...


class Recorder(Protocol):
    """A recording, as instrumented code sees it."""

    values: bool
    """Whether inputs and outputs are kept."""

    def visiting(
        self,
        node: str,
        *,
        input: object = UNRECORDED,  # noqa: A002 - the word of the design
        boundary: bool = False,
    ) -> Visited:
        """Visit a node for as long as the block lasts."""
        ...

    def spend(self, usage: Mapping[str, int | float]) -> None:
        """Add to what was spent outside of any node."""
        ...

    def tool(self, name: str, *, arguments: object, result: object = UNRECORDED) -> None:
        """Record a call of a tool."""
        ...


Here: TypeAlias = tuple[Recorder, Running | None]

HERE: Final[ContextVar[Here | None]] = ContextVar("flowjury_here", default=None)

Place: TypeAlias = tuple[int, ...]
"""Where something was begun among all inside the same execution; see `strands`."""


class Strand(NamedTuple):
    """A task or thread inside a span, and the place of the last that it began there."""

    inside: object
    """The span; None outside of any."""
    owner: Callable[[], object]
    """Gives the task or thread, while there is one."""
    place: Place

    def next(self) -> Strand:
        """Go on by one."""
        return Strand(self.inside, self.owner, (*self.place[:-1], self.place[-1] + 1))


STRAND: Final[ContextVar[Strand | None]] = ContextVar("flowjury_strand", default=None)

OWNED: Final[WeakKeyDictionary[Thread, Recorder]] = WeakKeyDictionary()
"""Threads by the replay in which they were started; see `lateness`."""
_ON: Final[list[Recorder]] = []  # by process, as a thread that was not given a context has no other


@contextmanager
def switched_on(recorder: Recorder) -> Iterator[None]:
    """Let a recording be found by threads that no context leads to, for as long as a block lasts.

    Without it a boundary node that is called in such a thread would go live on replay.
    """
    _ON.append(recorder)
    try:
        yield
    finally:
        _ON.remove(recorder)


def here() -> Here | None:
    """Return the recording that this code belongs to, and the span inside which it runs."""
    found = HERE.get()
    if found is None and (_ON or OWNED):
        owner = _ON[-1] if _ON else OWNED.get(current_thread())
        return None if owner is None else (owner, None)
    return found
