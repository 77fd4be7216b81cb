"""The tracing: what a block of code does is recorded, and asserted in the words of suites."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import TypeAdapter

from flowjury.analysis.static import suite_faults
from flowjury.app.graph_files import read_graph
from flowjury.app.project import suite_model
from flowjury.case import Fixtures
from flowjury.check import Check, Scope
from flowjury.documents import Document
from flowjury.errors import InputError, UsageError
from flowjury.evidence import Evidence
from flowjury.finding import Finding, enforced
from flowjury.fixtures import Shelf
from flowjury.formats import console
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.names import Names
from flowjury.report.trial import weighed
from flowjury.snapshot import snapshot
from flowjury.suite import read
from flowjury.trace import Execution, Trace
from flowjury.tracer.active import Recording, active
from flowjury.validation import validate
from flowjury.verdict import Verdict
from flowjury.workflow import Declared

T = TypeVar("T")

_AT: Final = "/cases/0/checks/0"
_WHOLE: Final = "the evidence of the trace"


class Traced:
    """What was recorded so far, and which names it may be asked about."""

    def __init__(self, recording: Recording) -> None:
        """Take the recording that is on."""
        self._recording = recording
        self._sides: dict[str, Json] = {}
        self.names = Names()

    def declare(
        self,
        *,
        nodes: Sequence[str] | None = None,
        tools: Sequence[str] | None = None,
        workflow: str | Path | None = None,
    ) -> None:
        """Say which nodes and tools there are, or name a workflow file that shows the nodes.

        Without it no check can prove that something did not run. Raises InputError.
        """
        declared = Declared(
            nodes=None if nodes is None else tuple(nodes),
            tools=None if tools is None else tuple(tools),
        )
        path = None if workflow is None else Path(workflow)
        graph = None if path is None else read_graph(path.parent, path.name).workflow
        self.names = Names(graph, declared)

    def answers(
        self, fixtures: Mapping[str, Json] | None = None, /, **more: Sequence[Json]
    ) -> None:
        """Serve boundary nodes from fixtures, written as in a suite: `look_up=[{"output": 7}]`.

        From now on none goes live: a call without a fixture raises FixtureMiss. Raises InputError
        where a fixture is wrong.
        """
        document = Document({**(fixtures or {}), **more}, "the answers of the trace")
        served = validate(document, TypeAdapter[Fixtures](Fixtures))
        self._recording.shelf = Shelf(served)
        self._recording.data = "replay"

    def input(self, value: T) -> T:
        """Say what the code under test is given, for checks at `/input`; return it."""
        self._sides["input"] = masked(snapshot(value))
        return value

    def output(self, value: T) -> T:
        """Say what the code under test answered, for checks at `/output`; return it."""
        self._sides["output"] = masked(snapshot(value))
        return value

    @property
    def trace(self) -> Trace:
        """What was recorded; while something still runs, nothing is complete."""
        made = self._recording.trace().model_copy(update=self._sides)
        if any(map(_still_runs, made.executions or ())):
            made = made.model_copy(update={"complete": dict.fromkeys(made.complete, False)})
        return made

    @property
    def evidence(self) -> Json:
        """The document that pointers address."""
        return self._seen.document

    def weigh(self, check: Check) -> Finding:
        """Weigh a check by what was recorded."""
        return weighed(check, Scope(evidence=self._seen, names=self.names))

    @property
    def _seen(self) -> Evidence:
        return Evidence(self.trace, nodes=self.names.nodes or ())


def _still_runs(execution: Execution) -> bool:
    """Tell an execution that has not ended; one that was cancelled in no time looks the same."""
    return execution.status == "cancelled" and execution.end_ns == execution.start_ns


@contextmanager
def traced(*, clock: Callable[[], int] = time.perf_counter_ns) -> Iterator[Traced]:
    """Record what the nodes do that run while a block lasts.

    Boundary nodes go live, unless `answers` says what is served to them.
    """
    recording = Recording(clock, channels=())
    with active(recording):
        yield Traced(recording)


def assert_check(
    trace: Traced,
    check: Mapping[str, Json] | None = None,
    /,
    **fields: Json,
) -> None:
    """Assert one check, written as in a suite: `assert_check(trace, kind="count", node=…)`.

    Raises:
        AssertionError: it does not pass; the message says why, as a report does.
        InputError: it is no check, or names what is not declared.
    """
    __tracebackhide__ = True
    asked = _read({**(check or {}), **fields}, trace.names)
    finding = trace.weigh(asked)
    if any(verdict is not Verdict.PASSED for verdict in enforced([finding])):
        raise AssertionError(console.render_finding(finding, _WHOLE).rstrip())


def assert_path(  # noqa: PLR0913 - the keys of the check
    trace: Traced,
    *,
    must: Sequence[str] = (),
    must_not: Sequence[str] = (),
    order: Sequence[str] = (),
    exactly: Sequence[str] | None = None,
    others: Literal["allowed", "forbidden"] = "allowed",
    **ways: Json,
) -> None:
    """Assert which way the run took; `edges` and `outcomes` are those of the check `path`.

    Raises AssertionError and InputError as `assert_check` does.
    """
    __tracebackhide__ = True
    given: dict[str, Any] = {"must": must, "must_not": must_not, "order": order}
    lists = {key: list(names) for key, names in given.items() if names}
    whole = {} if exactly is None else {"exactly": list(exactly)}
    assert_check(trace, {"kind": "path", **lists, **whole, "others": others, **ways})


def _read(check: Mapping[str, Json], names: Names) -> Check:
    """Read a check as the only one of a suite, and hold it against the names. Raises InputError."""
    if "enforcement" in check:
        raise UsageError("check: /enforcement: what is asserted is always enforced; leave it out")
    try:
        return _only_check(check, names)
    except InputError as error:
        inside = [replace(one, pointer=one.pointer.removeprefix(_AT)) for one in error.faults]
        raise InputError(inside) from error


def _only_check(check: Mapping[str, Json], names: Names) -> Check:
    case = {"id": "trace", "input": None, "checks": [snapshot(check)]}
    value = {"format": 1, "name": "trace", "target": {"kind": "python", "call": "trace:trace"}}
    document = Document({**value, "cases": [case]}, "check")
    suite = read(document, suite_model())
    if faults := suite_faults(suite, names, document):
        raise InputError(faults)
    return suite.cases[0].checks[0]
