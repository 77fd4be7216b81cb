"""FlowJury: an offline test harness for workflow graphs whose nodes call models, tools and data.

The public names are loaded on first use, so that importing this package loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # what __getattr__ finds, for those who check types
    from flowjury.app.api import refresh, run
    from flowjury.app.tracing import Traced, assert_check, assert_path, traced
    from flowjury.tracer.current import Outcome
    from flowjury.tracer.instruments import boundary, carry, node, span, spend, tool_call

__all__ = [
    "Outcome",
    "Traced",
    "assert_check",
    "assert_path",
    "boundary",
    "carry",
    "node",
    "refresh",
    "run",
    "span",
    "spend",
    "tool_call",
    "traced",
]

_HOMES: Final = {
    "Outcome": "flowjury.tracer.current",
    "Traced": "flowjury.app.tracing",
    "assert_check": "flowjury.app.tracing",
    "assert_path": "flowjury.app.tracing",
    "boundary": "flowjury.tracer.instruments",
    "carry": "flowjury.tracer.instruments",
    "node": "flowjury.tracer.instruments",
    "refresh": "flowjury.app.api",
    "run": "flowjury.app.api",
    "span": "flowjury.tracer.instruments",
    "spend": "flowjury.tracer.instruments",
    "tool_call": "flowjury.tracer.instruments",
    "traced": "flowjury.app.tracing",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    """Load a public name from its home (PEP 562)."""
    if name == "__version__":
        return import_module("importlib.metadata").version("flowjury")
    if name not in _HOMES:
        raise AttributeError(f"module 'flowjury' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__"]
