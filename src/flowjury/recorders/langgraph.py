"""The recorder of LangGraph: compiled graphs, observed by one passive callback handler.

A case calls the graph once per turn, with `invoke`, or with `ainvoke` where a part of it has only
a coroutine. Nothing is patched and no other stream or tracer is turned on. A factory, a function
without parameters, is called for every case; a graph object gets a new `thread_id` for every case.

An execution is one try of one node, named by its static path (`sub:draft`). A retry, and what
follows an interrupt, are further attempts of the same visit. A suspended graph is resumed by
`Command(resume=…)`: with the content that is given, else `True` for approve, `False` for reject,
None otherwise; a request of the human-in-the-loop middleware gets the decisions it asks for.

What LangGraph does not tell: a node answered from its cache is not seen at all. The outcome of a
router is known only where LangGraph traces it (`create_agent` has its own routers untraced). Of a
static breakpoint (`interrupt_before`, `interrupt_after`) only the nodes that would follow at the
top level are known, and it can only be approved. Calls of `@task` have no index. A node that
returns a `Command` without saying so in its annotation or `destinations` has ways that no static
graph shows. Runtime context is not given: bind it in a factory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from flowjury.errors import Fault, InputError

if TYPE_CHECKING:
    from flowjury.job import Prepared

_GRAPH: Final = ("langgraph.pregel", "Pregel")
_BUILDER: Final = ("langgraph.graph", "StateGraph")


def recognises(found: object) -> bool:
    """Tell whether an object is a graph of LangGraph, by the names of its classes alone."""
    return _is(found, _GRAPH) or _is(found, _BUILDER)


def prepared(found: Any, make: Callable[[], Any] | None = None) -> Prepared:  # noqa: ANN401 - a graph
    """Make a graph ready to observe cases; each gets one from the factory, if there is one.

    Raises InputError where it is not compiled.
    """
    if _is(found, _BUILDER):
        message = "a StateGraph cannot run before it is compiled; name what its `.compile()` gives"
        raise InputError(Fault(file=type(found).__name__, message=message))
    # LangGraph is heavy, and only who has a graph of it needs it.
    from flowjury.recorders._langgraph_conversation import PreparedGraph  # noqa: PLC0415

    return PreparedGraph(found, make or (lambda: found))


def _is(found: object, wanted: tuple[str, str]) -> bool:
    package, name = wanted
    return any(
        kind.__name__ == name and f"{kind.__module__}.".startswith(f"{package}.")
        for kind in type(found).__mro__
    )
