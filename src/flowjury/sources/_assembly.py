"""The assembly: the spans of one trace as a `Trace`, masked; nothing in it is known to be all.

Spans may be sampled away, dropped or exported elsewhere, and no file tells. So no channel is named
as complete, and where the file shows that something is missing, each is named as incomplete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, Final

from flowjury.json_values import canonical
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.sources._nesting import Inside, nested
from flowjury.sources._roles import Role, roles
from flowjury.sources._spans import Span, Tree
from flowjury.sources._spending import by_holder, total
from flowjury.sources._values import raised, said, side, tool_side
from flowjury.trace import Channel, Execution, ExecutionStatus, Raised, ToolCall, Trace

_INTERRUPTS: Final = {"GraphInterrupt", "NodeInterrupt"}
_INTERRUPTED: Final = "(Interrupt("
_CANCELLED: Final = {"CancelledError"}
_WAYS: Final = {"ParentCommand"}
"""What LangGraph raises to go another way, which is no error."""


def assembled(tree: Tree, *, mask: tuple[str, ...]) -> Trace:
    """Return what a trace says of a run."""
    return _Assembly(tree, mask).trace()


@dataclass(frozen=True)
class _Assembly:
    """What is told of the spans of one trace."""

    tree: Tree
    mask: tuple[str, ...]

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        return roles(self.tree)

    @cached_property
    def inside(self) -> Mapping[str, Inside]:
        return nested(self.tree, self.roles)

    @cached_property
    def spent(self) -> Mapping[str | None, dict[str, int | float]]:
        return by_holder(self.tree, self.roles, self.inside)

    def trace(self) -> Trace:
        """Assemble the trace; a channel of which no span tells anything was not recorded."""
        channels: dict[Channel, Any] = {
            "executions": tuple(self._executions()),
            "messages": tuple(self._messages()),
            "tools": tuple(self._tools()),
            "usage": total(self.spent),
        }
        present = {channel: items for channel, items in channels.items() if items}
        details: dict[str, Any] = self._ending(channels["executions"]) | present
        sides = self._sides(self.tree.root)
        if details["status"] != "finished":
            sides.pop("output", None)
        complete = dict.fromkeys(sorted(present) if self.tree.has_gaps else (), False)
        if None not in self.spent:
            details.pop("usage", None)  # that of the executions is all
        return Trace(format=1, complete=complete, **details, **sides)

    def _executions(self) -> Iterator[Execution]:
        """Make an execution of each node's span; tries of one visit are numbered by start."""
        latest: dict[tuple[str, str], Execution] = {}
        for span in sorted(self.tree.spans, key=lambda span: (span.start_ns, span.end_ns)):
            inside = self.inside[span.id]
            if inside.node is None:
                continue
            key = inside.node, inside.visit or span.id
            before = latest.get(key)
            latest[key] = self._execution(span, inside, before)
            yield latest[key]

    def _execution(self, span: Span, inside: Inside, before: Execution | None) -> Execution:
        """Make an execution; it tries again what was tried before and did not go well."""
        again = before if before is not None and before.status != "ok" else None
        status = _status(span)
        details: dict[str, Any] = {
            "parent": inside.holder,
            "caller": inside.caller,
            "attempt": again.attempt + 1 if again else None,
            "error": self._raised(span) if status == "error" else None,
            "usage": self.spent.get(span.id),
        }
        return Execution(
            id=span.id,
            node=inside.node or span.name,
            visit=again.visit if again else (inside.visit if before is None else None) or span.id,
            status=status,
            start_ns=span.start_ns,
            end_ns=max(span.start_ns, span.end_ns),
            **{key: value for key, value in details.items() if value is not None},
            **self._given(span, status),
        )

    def _given(self, span: Span, status: ExecutionStatus) -> dict[str, Json]:
        """Return the sides of a node; what was not answered is no output."""
        sides = {which: side(span, which) for which in ("input", "output")}
        if status != "ok":
            sides["output"] = []
        return {which: masked(found[0], self.mask) for which, found in sides.items() if found}

    def _sides(self, span: Span | None) -> dict[str, Json]:
        """Return the sides of the run: those of its span, or of all that is in that."""
        found: dict[str, Json] = {}
        while span is not None and len(found) < 2:  # noqa: PLR2004 - both sides
            for which in ("input", "output"):
                if which not in found and (value := side(span, which)):
                    found[which] = masked(value[0], self.mask)
            span = self._only_part(span)
        return found

    def _only_part(self, span: Span) -> Span | None:
        """Return the one span in another, if it is the run as well, and no step of it."""
        parts = self.tree.inside(span)
        role = self.roles.get(parts[0].id) if len(parts) == 1 else None
        usual = len(parts) == 1 and (role is None or role.kind == "agent")
        return parts[0] if usual else None

    def _ending(self, executions: Sequence[Execution]) -> dict[str, Any]:
        root = self.tree.root
        if root is None or not root.end_ns:
            return {"status": "crashed", "error": _unended(root, self.tree)}
        waiting = _waiting(executions)
        status = _status(root)
        if status == "interrupted" or (status == "ok" and waiting):
            return {"status": "wait", "wait": waiting or root.name}
        if status == "ok":
            return {"status": "finished"}
        return {"status": "error", "error": self._raised(root)}

    def _tools(self) -> list[ToolCall]:
        called = (span for span in self.tree.spans if self.inside[span.id].tool is not None)
        return [self._tool(span) for span in called]

    def _tool(self, span: Span) -> ToolCall:
        inside = self.inside[span.id]
        values = {which: tool_side(span, which) for which in ("arguments", "result")}
        failed = _status(span) != "ok"
        if failed:
            values["result"] = []
        return ToolCall(
            name=inside.tool or span.name,
            status="error" if failed else "ok",
            start_ns=span.start_ns,
            **({"execution": inside.holder} if inside.holder else {}),
            **{key: masked(found[0], self.mask) for key, found in values.items() if found},
        )

    def _messages(self) -> Iterator[Json]:
        """Yield what was said to models and by them; what a call repeats is not said again."""
        before: dict[str | None, list[bytes]] = {}
        for span in self.tree.spans:
            if not self.inside[span.id].outermost_model:
                continue
            messages = [*said(span, "input"), *said(span, "output")]
            names = [canonical(message) for message in messages]
            holder = self.inside[span.id].holder
            same = (a == b for a, b in zip(before.get(holder, []), names, strict=False))
            told = sum(takewhile(bool, same))
            before[holder] = names
            yield from (masked(message, self.mask) for message in messages[told:])

    def _raised(self, span: Span) -> Raised | None:
        error = raised(span)
        if error is None:
            return None
        return error.model_copy(update={"message": masked(error.message, self.mask)})


def _status(span: Span) -> ExecutionStatus:
    """Return how a span ended; one that had not ended when it was written was cut off."""
    if not span.end_ns:
        return "cancelled"
    error = raised(span)
    if error is None:
        return "ok"
    if error.type in _INTERRUPTS or error.message.startswith(_INTERRUPTED):
        return "interrupted"
    if error.type in _CANCELLED and span.status != "ok":
        return "cancelled"
    return "error" if span.status == "error" and error.type not in _WAYS else "ok"


def _waiting(executions: Sequence[Execution]) -> str | None:
    """Name the node that was interrupted last, if it did not go on."""
    last = {(each.node, each.visit): each for each in executions}
    waits = [each.node for each in last.values() if each.status == "interrupted"]
    return waits[-1] if waits else None


def _unended(root: Span | None, tree: Tree) -> Raised:
    """Say why nobody knows how a run ended."""
    if root is not None:
        why = f"the span {root.name!r} of the whole run had not ended when it was exported"
    elif any(span.parent is None for span in tree.tops):
        why = "the trace has several spans that are inside no other, and none of the whole run"
    else:
        why = "the span of the whole run, which the others are inside of, is not in the file"
    return Raised(type="NotRecorded", message=f"how the run ended is not known: {why}")
