"""The names of a workflow's nodes and tools, as a suite may write them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from flowjury.pointer import nearest
from flowjury.workflow import Declared, Workflow


@dataclass(frozen=True)
class Names:
    """What a workflow and a suite's `declares` say can run and can be called."""

    workflow: Workflow | None = None
    declared: Declared = Declared()

    @cached_property
    def nodes(self) -> tuple[str, ...] | None:
        """Every node that can run; None where nothing says so."""
        known = self.workflow.nodes if self.workflow else None
        if known is None and self.declared.nodes is None:
            return None
        return tuple(dict.fromkeys([*(known or ()), *(self.declared.nodes or ())]))

    @cached_property
    def tools(self) -> tuple[str, ...] | None:
        """Every tool that can be called; None where nothing says so."""
        known = self.workflow.tools if self.workflow else None
        if known is None and self.declared.tools is None:
            return None
        return tuple(dict.fromkeys([*(known or ()), *(self.declared.tools or ())]))

    @cached_property
    def _by_last_part(self) -> dict[str, list[str]]:
        parts: dict[str, list[str]] = {}
        for name in self.nodes or ():
            parts.setdefault(name.rpartition(":")[2], []).append(name)
        return parts

    def node(self, name: str, *, caller: str | None = None) -> str:
        """Return the static name behind a node's full name or unambiguous last part."""
        known = self.nodes or ()
        nested = f"{caller}:{name}"
        if caller is not None and nested in known:
            return nested
        if name in known:
            return name
        candidates = self._by_last_part.get(name, [])
        return candidates[0] if len(candidates) == 1 else name

    def node_fault(self, name: str, *, caller: str | None = None) -> str | None:
        """Say what is wrong with a node's name, if the declaration can tell."""
        if self.nodes is None or self.node(name, caller=caller) in self.nodes:
            return None
        candidates = self._by_last_part.get(name, [])
        if candidates:
            return f"{name!r} is ambiguous: write one of {', '.join(sorted(candidates))}"
        return _unknown("node", name, self.nodes)

    def tool_fault(self, name: str) -> str | None:
        """Say what is wrong with a tool's name, if the declaration can tell."""
        if self.tools is None or name in self.tools:
            return None
        return _unknown("tool", name, self.tools)


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    near = nearest(name, [*names, *(full.rpartition(":")[2] for full in names)])
    hint = f"; nearest is {near!r}" if near else ""
    listed = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")  # noqa: PLR2004 - a line
    return f"no {what} is named {name!r}{hint} (known: {listed or 'none'})"
