"""The target `graph`: a native workflow, run in this process."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from flowjury.errors import Fault, InputError
from flowjury.job import Place, Prepared
from flowjury.model import FileName
from flowjury.target import Target


class GraphTarget(Target):
    """Runs the native workflow file that the suite names."""

    model_config = ConfigDict(title="graph")
    kind: Literal["graph"]
    """Runs a native workflow in the process that runs the case."""
    path: tuple[FileName, ...] = Field(default=(".",), min_length=1)
    """Folders in which modules are found first, relative to the suite's folder."""

    def prepare(self, place: Place) -> Prepared:
        """Read the workflow and import the functions of its nodes.

        Raises InputError with everything that is wrong with them.
        """
        if place.workflow is None:
            message = "target graph runs a workflow file; add `workflow: FILE` to the suite"
            raise InputError(Fault(file=str(place.root), pointer="/target", message=message))
        # What runs code is heavy, and a suite of stored traces runs none.
        from flowjury.targets._graph import prepared  # noqa: PLC0415

        return prepared(place.workflow, place, self.path)
