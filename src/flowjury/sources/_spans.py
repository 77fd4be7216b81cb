"""Spans, as every tracing tool has them: the parts of one trace, and how they nest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from flowjury.errors import Fault, InputError
from flowjury.json_values import short
from flowjury.model import Json
from flowjury.plural import numbered

_MOST_NAMED: Final = 10

Attributes: TypeAlias = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened within a span."""

    name: str
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One piece of work, as it was exported."""

    trace: str
    id: str
    parent: str | None = None
    local_parent: bool = False
    """Whether the parent is known to be a span of the same process."""
    name: str = ""
    start_ns: int = 0
    end_ns: int = 0
    """0 where it had not ended when it was written."""
    status: Literal["unset", "ok", "error"] = "unset"
    message: str = ""
    """What the status says beside its code."""
    attributes: Attributes = field(default_factory=dict)
    events: tuple[Event, ...] = ()

    def first(self, *keys: str) -> Json:
        """Return the first of some attributes that is there and not null."""
        found = (self.attributes.get(key) for key in keys)
        return next((value for value in found if value is not None), None)

    def text(self, *keys: str) -> str | None:
        """Return the first of some attributes that is a text, and not empty."""
        found = (self.attributes.get(key) for key in keys)
        return next((value for value in found if isinstance(value, str) and value), None)


def plain(text: str) -> str:
    """Return a text that can be a name or a message: a lone surrogate in it is replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def chosen(spans: Iterable[Span], trace_id: str | None, *, file: str) -> list[Span]:
    """Return the spans of one trace, named by the start of its id; each once, by start.

    Raises InputError where there are several traces and none is named, or none of that name.
    """
    traces: dict[str, list[Span]] = {}
    for span in spans:
        traces.setdefault(span.trace, []).append(span)
    if not traces:
        raise InputError(Fault(file=file, message="it holds no spans"))
    wanted = (trace_id or "").lower().removeprefix("0x")
    named = [name for name in traces if name.startswith(wanted)]
    if len(named) != 1:
        raise InputError(Fault(file=file, message=_which(traces, trace_id, named)))
    return _in_order(_once(traces[named[0]], file))


def _which(traces: Mapping[str, Sequence[Span]], asked: str | None, named: Sequence[str]) -> str:
    shown = named or list(traces)
    listed = ", ".join(f"{name} ({_about(traces[name])})" for name in shown[:_MOST_NAMED])
    more = f", and {len(shown) - _MOST_NAMED:,} more" if len(shown) > _MOST_NAMED else ""
    if asked is not None and not named:
        return f"it holds no trace {asked!r}; there is {listed}{more}"
    how = "choose one (flowjury trace import --trace-id ID)"
    return f"it holds {len(shown):,} traces; {how}: {listed}{more}"


def _about(spans: Sequence[Span]) -> str:
    """Describe a trace by the span that began first."""
    tops = [span for span in spans if span.parent is None] or spans
    first = min(tops, key=lambda span: span.start_ns)
    return f"{numbered(len(spans), 'span')}, {short(first.name, 40)}"


def _once(spans: Iterable[Span], file: str) -> list[Span]:
    """Keep one of each span; of one that was written before its end, the ended one."""
    kept: dict[str, Span] = {}
    for span in spans:
        other = kept.setdefault(span.id, span)
        if other is span or other == span:
            continue
        if (other.name, other.parent, other.start_ns) != (span.name, span.parent, span.start_ns):
            message = (
                f"two spans have the id {span.id}: {short(other.name)} and {short(span.name)};"
                " export each span once, with its own id"
            )
            raise InputError(Fault(file=file, message=message))
        kept[span.id] = max(other, span, key=_finality)
    return list(kept.values())


def _finality(span: Span) -> tuple[int, bool, int]:
    return (span.end_ns, span.status == "error", len(span.attributes))


def _in_order(spans: list[Span]) -> list[Span]:
    """Sort by start; of two that start together, the longer is around the other."""
    return sorted(spans, key=lambda span: (span.start_ns, -(span.end_ns or 1 << 64)))


class Tree:
    """The spans of one trace, by start, and how they nest."""

    def __init__(self, spans: Sequence[Span], *, file: str) -> None:
        """Take spans that have an id each. Raises InputError where some nest in a circle."""
        self.spans = spans
        self.file = file
        self._by_id = {span.id: span for span in spans}
        self._inside: dict[str | None, list[Span]] = {}
        for span in spans:
            self._inside.setdefault(span.parent if span.parent in self._by_id else None, []).append(
                span
            )
        self.downward = tuple(self._walk())
        """Every span, each before those inside it."""
        self._refuse_circles()

    @property
    def tops(self) -> Sequence[Span]:
        """The spans that are inside no other of this file."""
        return self._inside.get(None, ())

    @property
    def root(self) -> Span | None:
        """The span of the whole run; None where it is not in the file."""
        whole = [span for span in self.tops if span.parent is None]
        if not whole and len(self.tops) == 1 and not self.tops[0].local_parent:
            return self.tops[0]  # a call from another process began it
        return whole[0] if len(whole) == 1 else None

    @property
    def has_gaps(self) -> bool:
        """Whether the file itself shows that something of the run is not in it."""
        return (
            len(self.tops) > 1 or self.root is None or not all(each.end_ns for each in self.spans)
        )

    def inside(self, span: Span) -> Sequence[Span]:
        """Return the spans directly inside one, by start."""
        return self._inside.get(span.id, ())

    def parent(self, span: Span) -> Span | None:
        """Return the span around one, if it is in the file."""
        return self._by_id.get(span.parent) if span.parent else None

    def _walk(self) -> Iterator[Span]:
        ahead = [*reversed(self.tops)]
        while ahead:
            span = ahead.pop()
            yield span
            ahead += reversed(self._inside.get(span.id, ()))

    def _refuse_circles(self) -> None:
        reached = {span.id for span in self.downward}
        if lost := [span for span in self.spans if span.id not in reached]:
            message = f"the span {lost[0].id} ({short(lost[0].name)}) is inside itself"
            raise InputError(Fault(file=self.file, message=message))
