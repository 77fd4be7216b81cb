"""The target of a suite: how a case is turned into a trace, as options; running it is elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from flowjury.model import Model


class Target(Model):
    """Options of one kind of target. Each kind is a subclass with a required tag `kind`."""

    replays: ClassVar[bool] = True
    """Whether it can be kept from going live, so that `data: replay` makes sense."""
    runs: ClassVar[Literal["code", "program", "nothing"]] = "code"
    """What a case runs: the user's Python code, which gets a process of its own; something outside
    this process, for which a thread can wait; or nothing."""
    knows_graph: ClassVar[bool] = False
    """Whether its code may know a graph that no workflow file shows."""
    kind: str
    """Names this kind."""

    @abstractmethod
    def prepare(self, place: Any) -> Any:  # noqa: ANN401 - Place and Prepared stand above, in job
        """Load the workflow under test once, and be ready to observe cases."""

    def trace_file(self, case: str, named: str | None) -> str | None:  # noqa: ARG002 - most have none
        """Return the file that a case's trace is read from, relative to the suite; most read none.

        `named` is the file that the case itself names.
        """
        return None

    def files(self, root: Path, case: str) -> Sequence[Path]:  # noqa: ARG002 - most have none
        """Return the files, of those below the suite's folder, that a case's trace depends on."""
        return ()
