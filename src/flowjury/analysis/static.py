"""The static lint of a suite: what its workflow says is wrong with it, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from flowjury.analysis.addresses import Place, address_fault
from flowjury.analysis.gates import gate_faults
from flowjury.case import Case, Fixture, Step
from flowjury.check import Check, Reference, walk
from flowjury.documents import Document
from flowjury.errors import Fault
from flowjury.names import Names, listed
from flowjury.pointer import join
from flowjury.suite import Suite

_HINTED: Final = 50
"""How many different unknown names are compared with all known ones."""
_TOP_ONLY: Final = ("critical", "enforcement", "on_missing")
_Problem = tuple[str, str]
"""Where in the suite, and what."""


def suite_faults(suite: Suite, names: Names, document: Document) -> list[Fault]:
    """Return everything that is wrong with a suite, given the workflow, in file order."""
    lint = _Lint(suite, names)
    faults = [
        Fault(file=document.name, message=message, pointer=at, line=document.line(at))
        for at, message in lint.problems()
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)


@dataclass(frozen=True)
class _Lint:
    """One walk over a suite."""

    suite: Suite
    names: Names
    _said: dict[tuple[str, str, str | None], str | None] = field(default_factory=dict)

    def problems(self) -> Iterator[_Problem]:
        """Yield every problem."""
        yield from self._of_suite()
        yield from self._of_checks(self.suite.checks, "/checks", Place("suite"))
        for number, case in enumerate(self.suite.cases):
            steps = tuple(step.id for step in case.steps)
            yield from self._of_part(case, f"/cases/{number}", Place("case", steps))
            for turn, step in enumerate(case.steps):
                at = f"/cases/{number}/steps/{turn}"
                yield from self._of_part(step, at, Place("step"))
                if step.resume and (message := self.names.wait_fault(step.resume.wait)):
                    yield f"{at}/resume/wait", message

    def _of_suite(self) -> Iterator[_Problem]:
        yield from gate_faults(self.suite)
        nodes = {"ignore": [*self.suite.ignore], "pins/models": [*self.suite.pins.models]}
        for key, by_node in nodes.items():
            for node in by_node:
                yield from self._of_name("node", node, f"/{key}{join([node])}")
        for number, waiver in enumerate(self.suite.waivers):
            node, mark, outcome = waiver.scenario.rpartition("#")
            at = f"/waivers/{number}/scenario"
            unknown = list(self._of_name("node", node if mark else outcome, at))
            yield from unknown
            message = self.names.outcome_fault(self.names.node(node), outcome) if mark else None
            if message and not unknown:
                yield at, message

    def _of_part(self, part: Case | Step, at: str, place: Place) -> Iterator[_Problem]:
        yield from self._of_fixtures(part.fixtures, f"{at}/fixtures", place)
        yield from self._of_checks(part.checks, f"{at}/checks", place)
        for number, item in enumerate(part.rubric.evidence if part.rubric else ()):
            if message := address_fault(item.at, place, self.names):
                yield f"{at}/rubric/evidence/{number}/at", message

    def _of_fixtures(
        self, fixtures: Mapping[str, Sequence[Fixture]], at: str, place: Place
    ) -> Iterator[_Problem]:
        for name, answers in fixtures.items():
            where = at + join([name])
            unknown = list(self._of_name("node", name, where))
            yield from unknown
            if not unknown and (message := self._not_boundary(self.names.node(name))):
                yield where, message
            for number, answer in enumerate(answers):
                if answer.caller is not None:
                    yield from self._of_name("node", answer.caller, f"{where}/{number}/caller")
                if answer.step is not None and place.kind == "case":
                    message = address_fault(join(["steps", answer.step]), place, self.names)
                    yield from [(f"{where}/{number}/step", message)] if message else []

    def _not_boundary(self, node: str) -> str | None:
        """Say that nothing is served to a node, where the graph shows which reach outside."""
        nodes = self.names.workflow.nodes if self.names.workflow else {}
        known = [name for name, each in nodes.items() if each.boundary]
        if not known or node not in nodes or nodes[node].boundary:
            return None
        return f"{node} is no boundary node: no fixture is served to it (boundary: {listed(known)})"

    def _of_checks(self, checks: Sequence[Check], at: str, place: Place) -> Iterator[_Problem]:
        for number, check in enumerate(checks):
            top = f"{at}/{number}"
            for where, each in walk(check, top):
                yield from self._of_check(each, where, place)
                yield from () if where == top else _of_inner(each, where)

    def _of_check(self, check: Check, at: str, place: Place) -> Iterator[_Problem]:
        references = list(check.references())
        if (check.of_one_run or references) and place.kind == "suite":
            yield at, f"{check.kind} asks about one run; checks of the suite see all cases: move it"
            return
        for reference in references:
            yield from self._of_reference(reference, at)
        for where, address in check.addresses():
            if message := address_fault(address, place, self.names):
                yield at + where, message
        for flaw in check.flaws(self.names):
            yield at + flaw.at, flaw.message

    def _of_reference(self, reference: Reference, at: str) -> Iterator[_Problem]:
        caller = None if reference.caller is None else self.names.node(reference.caller)
        yield from self._of_name(reference.kind, reference.name, at + reference.at, caller)

    def _of_name(
        self, kind: Literal["node", "tool"], name: str, at: str, caller: str | None = None
    ) -> Iterator[_Problem]:
        key = (kind, name, caller)
        if key not in self._said:
            self._said[key] = self._fault(kind, name, caller)
        if message := self._said[key]:
            yield at, message

    def _fault(self, kind: Literal["node", "tool"], name: str, caller: str | None) -> str | None:
        """Say what is wrong with a name; the search for the nearest one is bounded."""
        names = self.names
        if names.knows_tool(name) if kind == "tool" else names.knows_node(name, caller=caller):
            return None
        if sum(message is not None for message in self._said.values()) < _HINTED:
            return names.tool_fault(name) if kind == "tool" else names.node_fault(name)
        return f"no {kind} is named {name!r}"


def _of_inner(check: Check, at: str) -> Iterator[_Problem]:
    """Yield what only a check at the top may say."""
    for key in _TOP_ONLY:
        if key in check.model_fields_set and getattr(check, key) != "fail":
            yield f"{at}/{key}", f"`{key}` stands on a whole check, not inside one: move it up"
