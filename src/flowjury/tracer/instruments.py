"""The instruments: decorators and calls by which a program says what its nodes do.

Where no recording is on, a decorated function is a plain call. A method is recorded without its
`self` or `cls`, which is told by the name of the first parameter.
"""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from flowjury.tracer.calls import UNSEEN, Instrument, instrumented
from flowjury.tracer.current import STRAND, UNRECORDED, Visited, here

__all__ = ["boundary", "carry", "node", "span", "spend", "tool_call"]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")


@overload
def node(function: F, /) -> F: ...
@overload
def node(*, name: str | None = None, values: bool = True) -> Callable[[F], F]: ...
def node(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    values: bool = True,
) -> Any:
    """Record each call of a function as an execution of the node of its name.

    Coroutines and generators are recorded from their first step to their last; what a generator
    yields is its output, as a list. `values=False` leaves inputs and outputs out.
    """
    return _decorated(function, name=name, values=values)


@overload
def boundary(function: F, /) -> F: ...
@overload
def boundary(*, name: str | None = None, writes: bool = False) -> Callable[[F], F]: ...
def boundary(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    writes: bool = False,
) -> Any:
    """Record each call of a function that reaches outside; on replay, a fixture answers instead.

    What it answers should be plain data, as a fixture can give nothing else. `writes=True` says
    that it changes something outside.
    """
    return _decorated(function, name=name, boundary=True, writes=writes)


def span(name: str, *, input: object = UNRECORDED) -> Visited:  # noqa: A002 - the word for it
    """Record a block of code as an execution of a node; `output` of what it gives says what of.

    with flowjury.span("rank", input=hits) as rank:
        rank.output(best(hits))
    """
    found = here()
    return found[0].visiting(name, input=input) if found else UNSEEN


def spend(**units: float) -> None:
    """Report what the current node spent, by unit: `spend(input_tokens=812, cost_usd=0.004)`."""
    found = here()
    if found:
        (found[1] or found[0]).spend(units)


def tool_call(name: str, arguments: object, result: object = UNRECORDED) -> None:
    """Record a call of a tool by the current node."""
    found = here()
    if found:
        found[0].tool(name, arguments=arguments, result=result)


def carry(function: Callable[P, R]) -> Callable[P, R]:
    """Bind the current recording and node to a function that another thread will call.

    A new thread knows the recording by itself, but not the node: `pool.submit(carry(work), item)`.
    """
    if strand := STRAND.get():
        STRAND.set(strand.next())  # what is carried has a place of its own
    context = contextvars.copy_context()

    @functools.wraps(function)
    def carried(*args: P.args, **kwargs: P.kwargs) -> R:
        return context.copy().run(function, *args, **kwargs)

    return carried


def _decorated(function: Any, *, name: str | None, **details: bool) -> Any:  # noqa: ANN401 - any callable
    if function is None:
        return lambda given: _decorated(given, name=name, **details)
    if isinstance(function, staticmethod | classmethod):
        return type(function)(_decorated(function.__func__, name=name, **details))
    own = getattr(function, "__name__", type(function).__name__)
    return instrumented(function, Instrument(name=name or own, **details))
