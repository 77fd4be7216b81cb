"""The weighing: what the answers of all judges together make of one rubric."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from flowjury.decision import CriterionReport, Decision, RubricReport
from flowjury.judging.answering import content_hash, shape_faults
from flowjury.judging.voice import Said, Voice, voices
from flowjury.request import Judgement, Request
from flowjury.rubric import Criterion, Rubric

_MOST_REASONS: Final = 3
_AS_DECISION: Final[dict[str, Decision]] = {
    "met": "passed",
    "not-met": "failed",
    "cannot-tell": "needs-judge",
}
_AS_ANSWER: Final = {decision: answer for answer, decision in _AS_DECISION.items()}


def decide(
    rubric: Rubric,
    request: Request,
    judgements: Sequence[Judgement],
    *,
    allowed: Collection[str] = (),
) -> RubricReport:
    """Decide a rubric by the answers that count: of judges that are allowed, if any are named."""
    answers = _by_age(judgements)
    faults = [shape_faults(request, answer) for answer in answers]
    counting = [
        answer
        for answer, wrong in zip(answers, faults, strict=True)
        if not wrong and (not allowed or answer.judge.name in allowed)
    ]
    heard = voices(rubric, request, counting)
    awaited = set(allowed) - {voice.judge for voice in heard}
    agree = partial(_AGREEMENTS[rubric.agreement], awaited=len(awaited))
    decision = agree([voice.decision for voice in heard])
    reasons = _reasons(decision, heard, awaited) if heard else [_silence(answers, allowed)]
    ignored = [
        f"ignored an answer of {answer.judge.name}: {'; '.join(wrong)}"
        for answer, wrong in zip(answers, faults, strict=True)
        if wrong
    ]
    return RubricReport(
        decision=decision,
        message=f"{decision}: {'; '.join([*_few(reasons), *ignored])}",
        request=request.digest,
        criteria=tuple(_criterion(each, heard, agree) for each in rubric.criteria),
        judgements=tuple(answers),
    )


def _by_age(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Sort by time, equal times by content; what is there twice counts once."""
    named = {content_hash(judgement): judgement for judgement in judgements}
    aged = ((datetime.fromisoformat(j.created), name, j) for name, j in named.items())
    return [judgement for _, _, judgement in sorted(aged, key=lambda each: each[:2])]


def _any_fail(decisions: Sequence[Decision], *, awaited: int) -> Decision:  # noqa: ARG001 - one form
    if "failed" in decisions:
        return "failed"
    return "passed" if decisions and set(decisions) == {"passed"} else "needs-judge"


def _majority(decisions: Sequence[Decision], *, awaited: int) -> Decision:
    """Take what more than half say, of those that were heard and those that are awaited."""
    panel = len(decisions) + awaited
    winners = (one for one in set(decisions) if 2 * decisions.count(one) > panel)
    return next(winners, "needs-judge")


def _unanimous(decisions: Sequence[Decision], *, awaited: int) -> Decision:
    return decisions[0] if len(set(decisions)) == 1 and not awaited else "needs-judge"


_AGREEMENTS: Final[dict[str, Callable[..., Decision]]] = {
    "any-fail": _any_fail,
    "majority": _majority,
    "unanimous": _unanimous,
}


def _reasons(decision: Decision, heard: Sequence[Voice], awaited: Collection[str]) -> list[str]:
    agreeing = [voice for voice in heard if voice.decision == decision]
    if decision == "failed":
        return [text for voice in agreeing for text in voice.failures]
    if decision == "passed":
        names = ", ".join(voice.judge for voice in agreeing)
        warned = [f"warning: {text}" for voice in heard for text in voice.warnings]
        return [f"every required criterion is met or does not apply ({names})", *warned]
    doubts = [text for voice in agreeing for text in voice.doubts]
    told = ", ".join(f"{voice.judge} {voice.decision}" for voice in heard)
    if len({voice.decision for voice in heard}) > 1:
        return [f"judges do not agree: {told}", *doubts]
    return doubts or [f"waits for {', '.join(sorted(awaited))}; so far {told}"]


def _silence(answers: Sequence[Judgement], allowed: Collection[str]) -> str:
    """Say why nobody was heard."""
    strangers = sorted({answer.judge.name for answer in answers} - set(allowed))
    if not allowed or not strangers:
        return "no judgement yet"
    return f"answers of nobody who counts ({', '.join(strangers)}); count: {', '.join(allowed)}"


def _few(reasons: Sequence[str]) -> list[str]:
    more = len(reasons) - _MOST_REASONS
    return [*reasons[:_MOST_REASONS], *([f"and {more} more"] if more > 0 else [])]


def _criterion(
    criterion: Criterion, heard: Sequence[Voice], agree: Callable[[Sequence[Decision]], Decision]
) -> CriterionReport:
    """Report a criterion by the same agreement; where it does not apply to a judge it is silent."""
    said = {voice.judge: voice.said[criterion.id] for voice in heard}
    decisions = [_AS_DECISION[s.verdict] for s in said.values() if s.verdict in _AS_DECISION]
    verdict = _AS_ANSWER[agree(decisions)]
    if not decisions:
        verdict = "not-applicable" if said else "open"
    reasons = (each.reason for each in said.values() if each.verdict == verdict)
    return CriterionReport(
        id=criterion.id,
        text=criterion.text,
        required=criterion.required,
        verdict=verdict,
        reason=next(reasons, _undecided(said)),
        judges={name: each.verdict for name, each in said.items()},
    )


def _undecided(said: Mapping[str, Said]) -> str:
    """Say why a criterion has no verdict that anyone gave."""
    if len({each.verdict for each in said.values()}) > 1:
        return "judges do not agree"
    return "not all judges have answered" if said else ""
