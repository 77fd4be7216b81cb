"""The evidence: the document that every JSON Pointer of a suite addresses, made from one trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

from flowjury import pointer
from flowjury.json_values import digest
from flowjury.layout import PARTS, TOP_KEYS, described, described_tool, described_visit, stranger
from flowjury.model import Json
from flowjury.pointer import Found, Missing, Opaque
from flowjury.readonly import readonly
from flowjury.route import Route
from flowjury.trace import Execution, ToolCall, Trace
from flowjury.usage import Spending, added, spending
from flowjury.visits import Moment, Visit, arrivals, by_node, in_time

__all__ = ["TOP_KEYS", "Doubt", "Evidence", "Resolution", "Unrecorded", "Visit"]

_CHANNEL_OF: Final = {"nodes": "executions"}
_EACH: Final = {"usage": "no node reported", "effects": "nobody watched for"}
_LISTS: Final = ("executions", "tools", "messages", "activations")
_CHANNELS: Final = (*_LISTS, "files", "effects")
_NO_OUTPUT: Final = {"error", "interrupted", "cancelled", "refused"}


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """The pointer asks for what was not recorded, or not recorded completely."""

    pointer: str
    reason: str

    def sentence(self) -> str:
        """Say what was not recorded."""
        return self.reason


Resolution: TypeAlias = Found | Missing | Opaque | Unrecorded


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a value that was found may be another in truth, as its channel is incomplete."""

    kind: Literal["more", "place"]
    """There may be more in it; or something else may stand in its place."""
    reason: str


class Evidence:
    """One trace as a document; what was not recorded is told from what is not there."""

    def __init__(self, trace: Trace, *, nodes: Iterable[str] = ()) -> None:
        """Take a trace, and the names of nodes that are known though they may not have run."""
        self.trace = trace
        self._known = tuple(nodes)
        self._parts: dict[str, Json] = {}

    @cached_property
    def steps(self) -> Mapping[str, Evidence]:
        """Map each turn of a conversation to its own evidence."""
        turns = self.trace.steps or ()
        return {turn.id: Evidence(turn.trace, nodes=self._known) for turn in turns}

    @cached_property
    def executions(self) -> tuple[Execution, ...]:
        """Every try of every node, by turn and start; empty where not recorded."""
        return tuple(execution for execution, _, _ in self._timed)

    @cached_property
    def route(self) -> Route:
        """The visits in the order of time."""
        return Route(arrivals(self._timed))

    @cached_property
    def visits(self) -> Mapping[str, tuple[Visit, ...]]:
        """Map each node to its visits, in an order that is the same in every run."""
        return by_node(self.route.visits, self._known)

    @cached_property
    def tools(self) -> tuple[ToolCall, ...]:
        """Every call of a tool, in order; empty where not recorded."""
        return tuple(call for trace in self.turns for call in trace.tools or ())

    @cached_property
    def spending(self) -> Mapping[str, Spending]:
        """Map each unit to what was spent of it, by whom, and whether that is all."""
        if self.steps:
            return added([(step.spending, step.complete("usage")) for step in self.steps.values()])
        return spending(
            self.executions,
            stated=self.trace.usage,
            complete=self.complete("usage"),
            all_ran=self.complete("executions"),
        )

    @cached_property
    def document(self) -> dict[str, Json]:
        """The whole document; keys of what was not recorded are absent. It holds no times."""
        return {key: self._part(key) for key in TOP_KEYS if self._has(key)}

    @cached_property
    def view(self) -> Json:
        """The whole document, for code that could change it; made once, however often shown."""
        return readonly(self.document)

    @cached_property
    def digest(self) -> str:
        """The digest of the whole document."""
        return digest(self.document)

    def recorded(self, key: str) -> bool:
        """Tell whether the channel behind a top-level key was recorded at all."""
        channel = _CHANNEL_OF.get(key, key)
        if channel in _LISTS:
            return all(trace.recorded(channel) for trace in self.turns)
        return self.trace.recorded(channel)

    def complete(self, channel: str) -> bool:
        """Tell whether all of a channel was recorded, in every turn."""
        traces = self.turns if channel in (*_LISTS, "usage") else (self.trace,)
        flagged = all(trace.complete.get(channel, False) for trace in traces)  # type: ignore[call-overload]  # any name may be asked
        return flagged and (channel == "usage" or self.recorded(channel))

    def gap(self, channel: str) -> str | None:
        """Say why what is not in a channel may have happened; None if the channel is complete."""
        if self.complete(channel):
            return None
        how = " completely" if self.recorded(channel) else ""
        return f"{channel} were not recorded{how}"

    def resolve(self, at: str) -> Resolution:
        """Follow a JSON Pointer; say so where it asks for what was not recorded."""
        tokens = pointer.parse(at)
        if len(tokens) > 2 and tokens[0] == "steps" and tokens[1] in self.steps:  # noqa: PLR2004 - inside
            inner = self.steps[tokens[1]].resolve(pointer.join(tokens[2:]))
            return _moved(inner, pointer.join(tokens[:2]))
        found = pointer.resolve(self._around(tokens), at)
        return self._why_missing(found, tokens) if isinstance(found, Missing) else found

    def doubt(self, at: str) -> Doubt | None:
        """Say why a value that was found at a pointer may be another in truth."""
        top, *rest = pointer.parse(at) or ("",)
        if top == "steps":
            inner = self.steps.get(rest[0]) if rest else None
            return inner.doubt(pointer.join(rest[1:])) if inner else self._doubt_any()
        if top in {"", "usage"}:
            return self._doubt_usage(*rest[:1]) if top else self._doubt_any()
        channel = _CHANNEL_OF.get(top, top)
        if channel not in _CHANNELS or (top == "files" and rest):
            return None
        gap = self.gap(channel)
        in_place = top == "nodes" or (bool(rest) and top != "effects")
        return Doubt("place" if in_place else "more", gap) if gap else None

    def _doubt_any(self) -> Doubt | None:
        gap = next((gap for gap in map(self.gap, _CHANNELS) if gap), None)
        return Doubt("more", gap) if gap else self._doubt_usage()

    def _doubt_usage(self, unit: str | None = None) -> Doubt | None:
        partial = (n for n, s in self.spending.items() if unit in {None, n} and not s.complete)
        name = next(partial, None)
        return Doubt("more", f"{name} was not recorded completely") if name is not None else None

    def _why_missing(self, missing: Missing, tokens: tuple[str, ...]) -> Resolution:
        """Tell what is not there from what was not recorded; what can never be is not absent."""
        depth = len(pointer.parse(missing.resolved))
        strange = stranger(tokens)
        if strange is not None and strange.place <= depth:
            return replace(missing, parent_resolved=False)
        if depth == 0:
            return self._missing_top(missing, tokens[0])
        if depth == 1 and tokens[0] in _EACH:
            return Unrecorded(missing.pointer, f"{_EACH[tokens[0]]} {tokens[1]}")
        if self._part_unrecorded(missing, tokens, depth):
            return Unrecorded(missing.pointer, f"{missing.resolved}: {missing.token} not recorded")
        doubt = self.doubt(missing.resolved)
        if doubt is not None:
            return Unrecorded(missing.pointer, doubt.reason)
        named = missing.resolved in {"/nodes", "/steps"}
        return replace(missing, parent_resolved=False) if named else missing

    def _missing_top(self, missing: Missing, top: str) -> Resolution:
        unfinished = top == "output" and self.trace.status != "finished"
        if unfinished or top in {"error", "wait"}:
            return missing
        return Unrecorded(missing.pointer, f"{top} was not recorded")

    def _part_unrecorded(self, missing: Missing, tokens: tuple[str, ...], depth: int) -> bool:
        """Tell whether a part of a try or of a call is missing that it must have had."""
        if tokens[0] in {"nodes", "executions"} and "usage" in tokens[2 : depth + 1]:
            return True
        if missing.token not in PARTS.get((tokens[0], depth), ()):
            return False
        holder = pointer.resolve(self._around(tokens), missing.resolved)
        ended = holder.value.get("status") if isinstance(holder, Found) else None
        return missing.token in {"input", "arguments"} or ended not in _NO_OUTPUT

    @cached_property
    def turns(self) -> tuple[Trace, ...]:
        """The trace of each turn; of what is no conversation, the one that there is."""
        return tuple(turn.trace for turn in self.trace.steps or ()) or (self.trace,)

    @cached_property
    def _timed(self) -> tuple[tuple[Execution, Moment, Moment], ...]:
        return in_time(trace.executions or () for trace in self.turns)

    def _around(self, tokens: tuple[str, ...]) -> dict[str, Json]:
        """Return the document, or no more of it than the part that a pointer leads into."""
        top = tokens[0] if tokens else ""
        return {top: self._part(top)} if top in TOP_KEYS and self._has(top) else self.document

    def _has(self, key: str) -> bool:
        """Tell whether the document has a top-level key."""
        return bool(self.spending) if key == "usage" else self.recorded(key)

    def _part(self, key: str) -> Json:
        """Return what stands under a top-level key; it is made once."""
        if key not in self._parts:
            make = _MAKERS.get(key)
            self._parts[key] = make(self) if make else getattr(self.trace, key)
        return self._parts[key]


_MAKERS: Final[Mapping[str, Callable[[Evidence], Json]]] = {
    "error": lambda of: of.trace.error.described() if of.trace.error else None,
    "executions": lambda of: [described(each) | {"node": each.node} for each in of.executions],
    "nodes": lambda of: {name: [*map(described_visit, each)] for name, each in of.visits.items()},
    "tools": lambda of: [*map(described_tool, of.tools)],
    "messages": lambda of: [item for turn in of.turns for item in turn.messages or ()],
    "usage": lambda of: {unit: spent.number for unit, spent in of.spending.items()},
    "activations": lambda of: [item for turn in of.turns for item in turn.activations or ()],
    "steps": lambda of: {name: step.document for name, step in of.steps.items()},
}


def _moved(resolution: Resolution, prefix: str) -> Resolution:
    """Write the pointers of a turn as those of the conversation."""
    match resolution:
        case Found():
            return resolution
        case Missing():
            resolved = prefix + resolution.resolved
            return replace(resolution, pointer=prefix + resolution.pointer, resolved=resolved)
        case _:
            return replace(resolution, pointer=prefix + resolution.pointer)
