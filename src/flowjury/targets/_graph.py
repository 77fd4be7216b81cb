"""The native workflow that is ready to run, with the functions of its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from flowjury.errors import Fault, InputError
from flowjury.graphs.native import Flows, load, to_workflow
from flowjury.job import Job, Observed, Place, Turn
from flowjury.loading import load as load_code
from flowjury.pointer import join
from flowjury.runner import Function, Functions, Runner
from flowjury.session import observed
from flowjury.tracer.active import Ending, Recording
from flowjury.workflow import Workflow


def prepared(file: str, place: Place, path: Sequence[str]) -> PreparedGraph:
    """Read a workflow and import the functions of its nodes.

    Raises InputError with everything that is wrong with them.
    """
    flows = load(file, lambda name: place.read(place.root / name))
    return PreparedGraph(flows, _functions(flows, place.root, path))


class PreparedGraph:
    """A native workflow that is ready to run cases."""

    def __init__(self, flows: Flows, functions: Functions) -> None:
        self.workflow: Workflow | None = to_workflow(flows)
        self._flows = flows
        self._functions = functions

    def observe(self, job: Job) -> Observed:
        """Run each turn: an input begins a run, a resumption goes on with the one that waits."""
        runner = cache(partial(Runner, self._flows, self._functions))

        async def play(turn: Turn, recording: Recording) -> Ending:
            if turn.resume is None:
                return await runner(recording).run(turn.input)
            return await runner(recording).resume(turn.resume)

        return observed(job, play, workflow=self.workflow)


def _functions(flows: Flows, root: Path, path: Sequence[str]) -> Functions:
    """Import the function of every node that has one, or raise what is wrong with all of them."""
    functions: dict[tuple[str, str], Function] = {}
    faults: list[Fault] = []
    for file, node, use in _used(flows):
        try:
            functions[file, node] = _function(use, root, path)
        except InputError as error:
            at = join(["nodes", node, "use"])
            faults += [flows.fault(file, at, fault.message) for fault in error.faults]
    if faults:
        raise InputError(faults)
    return functions


def _function(use: str, root: Path, path: Sequence[str]) -> Function:
    found = load_code(use, root=root, path=path)
    if callable(found):
        function: Function = found
        return function
    message = f"{use!r} is a {type(found).__name__}, which cannot be called"
    raise InputError(Fault(file=use, message=message))


def _used(flows: Flows) -> Iterator[tuple[str, str, str]]:
    for file, flow in flows.files.items():
        for name, node in flow.nodes.items():
            if node.use is not None:
                yield file, name, node.use
