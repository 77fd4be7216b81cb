"""The evidence: the document that every JSON Pointer of a suite addresses, made from one trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from flowjury import pointer
from flowjury.json_values import canonical
from flowjury.model import Json
from flowjury.pointer import Found, Missing, Opaque
from flowjury.trace import Execution, Trace
from flowjury.usage import Spending, spending

TOP_KEYS: Final = (
    "input",
    "output",
    "status",
    "error",
    "executions",
    "nodes",
    "tools",
    "messages",
    "usage",
    "files",
    "effects",
    "exit_code",
    "activations",
    "steps",
    "wait",
)
VISIT_KEYS: Final = (
    "input",
    "output",
    "status",
    "error",
    "outcome",
    "usage",
    "replayed",
    "caller",
    "index",
    "step",
    "attempts",
)
_CHANNEL_OF: Final = {"nodes": "executions"}
_LISTS: Final = ("executions", "tools", "messages", "activations")
_NO_OUTPUT: Final = {"error", "interrupted", "cancelled"}


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """The pointer asks for what was not recorded, or not recorded completely."""

    pointer: str
    reason: str

    def sentence(self) -> str:
        """Say what was not recorded."""
        return self.reason


Resolution = Found | Missing | Opaque | Unrecorded


@dataclass(frozen=True, slots=True)
class Visit:
    """One arrival at a node, with all its attempts in order."""

    node: str
    attempts: tuple[Execution, ...]

    @property
    def last(self) -> Execution:
        """The attempt whose values count."""
        return self.attempts[-1]

    @property
    def caller(self) -> str | None:
        """Static name of the node that called this one."""
        return self.last.caller

    @property
    def start_ns(self) -> int:
        """When the first attempt started."""
        return self.attempts[0].start_ns

    @property
    def end_ns(self) -> int:
        """When the last attempt ended."""
        return self.last.end_ns


class Evidence:
    """One trace as a document; what was not recorded is told from what is not there."""

    def __init__(self, trace: Trace, *, nodes: Iterable[str] = ()) -> None:
        """Take a trace, and the names of nodes that are known though they may not have run."""
        self.trace = trace
        self._known = tuple(nodes)

    @cached_property
    def steps(self) -> Mapping[str, Evidence]:
        """Map each turn of a conversation to its own evidence."""
        turns = self.trace.steps or ()
        return {turn.id: Evidence(turn.trace, nodes=self._known) for turn in turns}

    @cached_property
    def executions(self) -> tuple[Execution, ...]:
        """Every try of every node, by start; empty where not recorded."""
        return tuple(sorted(self._all("executions"), key=lambda e: (e.start_ns, e.end_ns)))

    @cached_property
    def visits(self) -> Mapping[str, tuple[Visit, ...]]:
        """Map each node to its visits, in an order that is the same in every run."""
        arrivals: dict[tuple[str, str], list[Execution]] = {}
        for execution in self.executions:
            arrivals.setdefault((execution.node, execution.visit), []).append(execution)
        by_node: dict[str, list[Visit]] = {name: [] for name in self._known}
        for (node, _), tries in arrivals.items():
            by_node.setdefault(node, []).append(Visit(node, tuple(tries)))
        return {node: tuple(_in_order(visits)) for node, visits in by_node.items()}

    @cached_property
    def spending(self) -> Mapping[str, Spending]:
        """Map each unit to what was spent of it, by whom, and whether that is all."""
        return spending(self.executions, totals=self._totals(), complete=self.complete("usage"))

    @cached_property
    def document(self) -> dict[str, Json]:
        """The whole document; keys of what was not recorded are absent."""
        builders = {"executions": self._executions, "nodes": self._nodes, "steps": self._steps}
        document: dict[str, Json] = {"status": self.trace.status}
        for key in TOP_KEYS:
            if key in builders and self.recorded(key):
                document[key] = builders[key]()
            elif key not in builders and key != "usage" and self.recorded(key):
                document[key] = self._plain(key)
        if self.spending:
            document["usage"] = {unit: spent.number for unit, spent in self.spending.items()}
        return document

    def recorded(self, key: str) -> bool:
        """Tell whether the channel behind a top-level key was recorded at all."""
        channel = _CHANNEL_OF.get(key, key)
        if self.trace.steps and channel in _LISTS:
            return all(turn.trace.recorded(channel) for turn in self.trace.steps)
        return self.trace.recorded(channel)

    def complete(self, channel: str) -> bool:
        """Tell whether all of a channel was recorded, in every turn."""
        if self.trace.steps:
            return all(turn.trace.complete.get(channel, False) for turn in self.trace.steps)  # type: ignore[call-overload]  # any channel name may be asked
        return bool(self.trace.complete.get(channel, False))  # type: ignore[call-overload]  # likewise

    def resolve(self, at: str) -> Resolution:
        """Follow a JSON Pointer; say so where it asks for what was not recorded."""
        tokens = pointer.parse(at)
        if len(tokens) > 1 and tokens[0] == "steps" and tokens[1] in self.steps:
            inner = self.steps[tokens[1]].resolve(pointer.join(tokens[2:]))
            return _moved(inner, pointer.join(tokens[:2]))
        found = pointer.resolve(self.document, at)
        if isinstance(found, Missing):
            return self._why_missing(found, tokens)
        return found

    def _why_missing(self, missing: Missing, tokens: tuple[str, ...]) -> Resolution:
        top = tokens[0]
        if missing.resolved == "":
            return self._missing_top(missing, top)
        channel = _CHANNEL_OF.get(top, top)
        depth = len(pointer.parse(missing.resolved))
        if top == "usage" and depth == 1:
            return Unrecorded(missing.pointer, f"no node reported {tokens[1]}")
        if top in {"nodes", "executions"} and self._side_unrecorded(missing, depth):
            return Unrecorded(missing.pointer, f"{missing.resolved}: {missing.token} not recorded")
        collection = depth == 1 or (top == "nodes" and depth == 2)  # noqa: PLR2004 - /nodes/<node>
        if collection and channel in (*_LISTS, "files") and not self.complete(channel):
            reason = f"{channel} were not recorded completely"
            return Unrecorded(missing.pointer, reason)
        return missing

    def _missing_top(self, missing: Missing, top: str) -> Resolution:
        if top == "output" and self.trace.status != "finished":
            return missing
        if top in {"error", "wait"} or top not in TOP_KEYS:
            return missing
        return Unrecorded(missing.pointer, f"{top} was not recorded")

    def _side_unrecorded(self, missing: Missing, depth: int) -> bool:
        holder = pointer.resolve(self.document, missing.resolved)
        places = {2} if missing.pointer.startswith("/executions/") else {3, 5}
        return (
            depth in places
            and isinstance(holder, Found)
            and isinstance(holder.value, dict)
            and missing.token in {"input", "output"}
            and not (missing.token == "output" and holder.value.get("status") in _NO_OUTPUT)
        )

    def _all(self, channel: str) -> list[Json]:
        traces = [turn.trace for turn in self.trace.steps] if self.trace.steps else [self.trace]
        return [item for trace in traces for item in getattr(trace, channel) or ()]

    def _totals(self) -> list[Mapping[str, int | float]]:
        traces = [turn.trace for turn in self.trace.steps] if self.trace.steps else [self.trace]
        return [trace.usage for trace in traces if trace.usage is not None]

    def _plain(self, key: str) -> Json:
        if key == "tools":
            return [_tool(call) for call in self._all("tools")]
        if key in _LISTS:
            return self._all(key)
        value = getattr(self.trace, key)
        return value.model_dump() if key == "error" else value

    def _executions(self) -> Json:
        return [_described(execution) | {"node": execution.node} for execution in self.executions]

    def _nodes(self) -> Json:
        return {node: [_visit(visit) for visit in visits] for node, visits in self.visits.items()}

    def _steps(self) -> Json:
        return {name: step.document for name, step in self.steps.items()}


def _moved(resolution: Resolution, prefix: str) -> Resolution:
    if isinstance(resolution, Missing):
        return replace(
            resolution,
            pointer=prefix + resolution.pointer,
            resolved=prefix + resolution.resolved,
        )
    if isinstance(resolution, Found):
        return resolution
    return replace(resolution, pointer=prefix + resolution.pointer)


def _in_order(visits: list[Visit]) -> Iterable[Visit]:
    """Sort by caller, index and start; overlapping siblings of one index by canonical input."""
    ordered = sorted(visits, key=lambda v: (v.caller or "", v.last.index, v.start_ns))
    cluster: list[Visit] = []
    end = 0
    for visit in ordered:
        if cluster and _same_place(cluster[0], visit) and visit.start_ns < end:
            cluster.append(visit)
        else:
            yield from _by_input(cluster)
            cluster, end = [visit], 0
        end = max(end, visit.end_ns)
    yield from _by_input(cluster)


def _same_place(one: Visit, other: Visit) -> bool:
    return one.caller == other.caller and one.last.index == other.last.index


def _by_input(cluster: list[Visit]) -> list[Visit]:
    if len(cluster) < 2:  # noqa: PLR2004 - nothing to order
        return cluster
    return sorted(cluster, key=lambda v: (canonical(v.attempts[0].input), v.start_ns))


def _described(execution: Execution) -> dict[str, Json]:
    """Describe one try without times, so that equal runs have equal documents."""
    described: dict[str, Json] = {"status": execution.status, "replayed": execution.replayed}
    for side in ("input", "output"):
        if side in execution.model_fields_set:
            described[side] = getattr(execution, side)
    if execution.error is not None:
        described["error"] = execution.error.model_dump()
    if execution.usage is not None:
        described["usage"] = execution.usage
    for key in ("caller", "outcome", "step"):
        if getattr(execution, key) is not None:
            described[key] = getattr(execution, key)
    if execution.index:
        described["index"] = list(execution.index)
    return described


def _visit(visit: Visit) -> dict[str, Json]:
    return _described(visit.last) | {"attempts": [_described(tried) for tried in visit.attempts]}


def _tool(call: Json) -> dict[str, Json]:
    dumped: dict[str, Json] = call.model_dump(exclude_unset=True, exclude={"start_ns"})
    return {"status": call.status} | dumped
