"""The explanation: why a case did not pass, as rows that every format lays out in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from flowjury.decision import CriterionReport, RubricReport
from flowjury.finding import Actual, Finding
from flowjury.formats._text import REQUESTS, cut, cut_value, named, show
from flowjury.pointer import join
from flowjury.report import CaseReport, Report, StepReport, TrialReport
from flowjury.verdict import Status, Verdict

_QUOTED = 3  # A message made of several quotes no more.


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a format shows of each thing; what is left out is counted."""

    value: int
    """Characters of a value."""
    text: int
    """Characters of a message."""
    findings: int
    """Findings of a case or of a step, and criteria and answers of a rubric."""
    children: int
    """Findings inside a finding."""
    trials: int
    """Trials that did not pass."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to say; all its texts are visible and cut."""

    depth: int
    """How deep it lies in what it explains, from 0."""
    word: str
    """What it is, in a word of ours; empty where the name says it."""
    name: str = ""
    """What the user calls it."""
    text: str = ""
    """A sentence."""
    verdict: str = ""
    """The verdict or status that it has."""
    facts: tuple[tuple[str, str], ...] = ()
    """Pointers and values, each with a word of ours."""


def explain(case: CaseReport, limits: Limits) -> Iterator[Row]:
    """Yield what did not pass in a case: its reason, findings, steps, rubrics and trials."""
    teller = _Teller(limits, case.id)
    if case.reason:
        yield teller.reason(0, case.reason)
    if case.planned == 1 and len(case.trials) == 1:
        yield from teller.trial(case.trials[0], 0, known=case.reason)
        return
    open_trials = [trial for trial in case.trials if trial.status is not Status.PASSED]
    for trial in open_trials[: limits.trials]:
        yield Row(0, f"trial {trial.number} {trial.status}", verdict=trial.status.value)
        yield from teller.trial(trial, 1, known=None)
    yield from teller.more(0, len(open_trials) - limits.trials, "trials")
    if case.trials and (missing := case.planned - len(case.trials)) > 0:
        yield Row(0, "trials", text=f"{missing} of {case.planned} have no record")


def explain_suite(report: Report, limits: Limits) -> Iterator[Row]:
    """Yield which checks of the whole suite did not pass."""
    return _Teller(limits).findings(report.findings, 0)


def explain_finding(finding: Finding, limits: Limits, whole: str) -> Iterator[Row]:
    """Yield what a finding says that did not pass; what is cut stands whole where is said."""
    return _Teller(limits, elsewhere=whole).finding(finding, 0)


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells about one case, or about the whole suite, or about a step."""

    limits: Limits
    case: str | None = None
    step: str | None = None
    elsewhere: str = "the json report"
    """Where that is whole which is of no case."""

    def trial(self, trial: TrialReport, depth: int, *, known: str | None) -> Iterator[Row]:
        if trial.reason and trial.reason != known:
            yield self.reason(depth, trial.reason)
        yield from self.findings(trial.findings, depth)
        for step in trial.steps:
            yield from _Teller(self.limits, self.case, step.id).turn(step, depth)
        for rubric in trial.rubrics:
            if rubric.decision not in {"passed", "not-asked"}:
                yield from self.rubric(rubric, depth)

    def reason(self, depth: int, text: str) -> Row:
        return Row(depth, "reason", text=self.text(text))

    def turn(self, step: StepReport, depth: int) -> Iterator[Row]:
        rows = list(self.findings(step.findings, depth + 1))
        if rows or step.reason:
            yield Row(depth, "step", named(step.id), self.text(step.reason or ""))
        yield from rows

    def findings(self, findings: Iterable[Finding], depth: int) -> Iterator[Row]:
        unmet = [finding for finding in findings if finding.verdict is not Verdict.PASSED]
        for finding in unmet[: self.limits.findings]:
            yield from self.finding(finding, depth)
        yield from self.more(depth, len(unmet) - self.limits.findings, "findings")

    def finding(self, finding: Finding, depth: int) -> Iterator[Row]:
        core = _core(finding)
        yield self.row(finding, core, depth)
        inside = list(_inside(core, depth + 1))
        for level, child in inside[: self.limits.children]:
            yield self.row(child, _core(child), level)
        yield from self.more(depth + 1, len(inside) - self.limits.children, "findings")

    def row(self, finding: Finding, core: Finding, depth: int) -> Row:
        name = named(finding.kind) + _marks(finding)
        said = "" if _repeats(core) else core.message
        text = self.text(": ".join(filter(None, (finding.label, said))))
        return Row(depth, "", name, text, finding.verdict.value, tuple(self.facts(core)))

    def facts(self, finding: Finding) -> Iterator[tuple[str, str]]:
        whole = self.whole(finding.where)
        if finding.where is not None:
            yield "at", named(finding.where)
        if "expected" in finding.model_fields_set:
            yield "expected", cut_value(finding.expected, self.limits.value, self.whole())
        if finding.actual is not None:
            yield "found", _found(finding.actual, self.limits.value, whole)

    def rubric(self, rubric: RubricReport, depth: int) -> Iterator[Row]:
        of = "rubric of step" if rubric.step else "rubric"
        asked = rubric.request is not None and rubric.decision == "needs-judge"
        facts = (("request", named(f"{REQUESTS}/{rubric.request}.json")),) if asked else ()
        text = self.text(rubric.message)
        yield Row(depth, of, named(rubric.step or ""), text, rubric.decision, facts)
        yield from self.criteria(rubric, depth + 1)
        yield from self.claims(rubric, depth + 1)

    def criteria(self, rubric: RubricReport, depth: int) -> Iterator[Row]:
        unmet = [c for c in rubric.criteria if c.verdict not in {"met", "not-applicable"}]
        for criterion in unmet[: self.limits.findings]:
            yield self.criterion(criterion, depth)
            yield from islice(self.quotes(rubric, criterion, depth + 1), self.limits.findings)
        yield from self.more(depth, len(unmet) - self.limits.findings, "criteria")

    def criterion(self, criterion: CriterionReport, depth: int) -> Row:
        because = f" ({criterion.reason})" if criterion.reason else ""
        optional = "" if criterion.required else ", not required"
        text = self.text(f"{criterion.verdict}{optional}: {criterion.text}{because}")
        verdict = "failed" if criterion.verdict == "not-met" else "unknown"
        return Row(depth, "criterion", named(criterion.id), text, verdict)

    def quotes(self, rubric: RubricReport, of: CriterionReport, depth: int) -> Iterator[Row]:
        for judgement in rubric.judgements:
            for ruling in judgement.criteria:
                if ruling.id == of.id and ruling.verdict == of.verdict:
                    judge = named(judgement.judge.name)
                    for quote in ruling.quotes:
                        facts = (("judge", judge), ("at", named(quote.pointer)))
                        yield Row(depth, "quote", text=self.text(quote.text), facts=facts)

    def claims(self, rubric: RubricReport, depth: int) -> Iterator[Row]:
        claims = [
            (j.judge.name, claim) for j in rubric.judgements for claim in j.unsupported_claims
        ]
        for judge, claim in claims[: self.limits.findings]:
            facts = (("judge", named(judge)),)
            yield Row(depth, "unsupported claim", text=self.text(claim), facts=facts)
        yield from self.more(depth, len(claims) - self.limits.findings, "unsupported claims")

    def text(self, text: str) -> str:
        return cut(text, self.limits.text, self.whole())

    def more(self, depth: int, number: int, what: str) -> Iterator[Row]:
        if number > 0:
            yield Row(depth, "…", text=f"and {number:,} more {what}; {self.whole()}")

    def whole(self, at: str | None = None) -> str:
        """Say where the whole is; a pointer of a step leads from the step, not from the case."""
        if self.case is None:
            return self.elsewhere
        inside = join(("steps", self.step)) if self.step and at is not None else ""
        return show(self.case, None if at is None else inside + at)


def _unmet(finding: Finding) -> list[Finding]:
    return [child for child in finding.children if child.verdict is not Verdict.PASSED]


def _core(finding: Finding) -> Finding:
    """Look through a finding that only repeats the one child that did not pass."""
    unmet = _unmet(finding)
    while len(unmet) == 1 and unmet[0].message == finding.message:
        finding = unmet[0]
        unmet = _unmet(finding)
    return finding


def _repeats(finding: Finding) -> bool:
    """Tell whether the message only quotes those of the children, which are told themselves."""
    quoted = _unmet(finding)[:_QUOTED]
    return bool(quoted) and all(child.message in finding.message for child in quoted)


def _inside(finding: Finding, depth: int) -> Iterator[tuple[int, Finding]]:
    """Yield the findings inside one that did not pass, each with its depth."""
    for child in _unmet(finding):
        yield depth, child
        yield from _inside(_core(child), depth + 1)


def _found(actual: Actual, limit: int, whole: str) -> str:
    return cut_value(actual.value, limit, whole) if actual.present else "nothing"


def _marks(finding: Finding) -> str:
    """Name what a message does not tell: the check's own id, its rule, its weight."""
    marks = [
        f"id {named(finding.id)}" if finding.id else "",
        f"rule {named(finding.rule)}" if finding.rule else "",
        "critical" if finding.critical else "",
        "" if finding.enforcement == "fail" else finding.enforcement,
    ]
    shown = ", ".join(mark for mark in marks if mark)
    return f" [{shown}]" if shown else ""
