"""The voice: what one judge says in the end, by the newest of its answers and all its votes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low
from textwrap import shorten

from flowjury.decision import Decision
from flowjury.judging.quoting import Quotable
from flowjury.request import Answer, AskedCriterion, Judgement, Request, Ruling
from flowjury.rubric import Rubric

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge says of one criterion."""

    verdict: Answer
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """What one judge says of one request."""

    judge: str
    said: Mapping[str, Said]
    failures: tuple[str, ...]
    """Why it fails."""
    doubts: tuple[str, ...]
    """Why it stays open, if it does not fail."""
    warnings: tuple[str, ...]
    """What it found that by the rubric decides nothing."""

    @property
    def decision(self) -> Decision:
        """What this judge alone would decide."""
        if self.failures:
            return "failed"
        return "needs-judge" if self.doubts else "passed"


def voices(rubric: Rubric, request: Request, answers: Sequence[Judgement]) -> tuple[Voice, ...]:
    """Hear each judge once, by name; the answers are in order of age, oldest first."""
    by_judge: dict[str, list[Judgement]] = defaultdict(list)
    for answer in answers:
        by_judge[answer.judge.name].append(answer)
    quotable = Quotable(request.evidence)
    return tuple(
        _heard(name, _newest_batch(by_judge[name]), rubric, request, quotable)
        for name in sorted(by_judge)
    )


def _newest_batch(answers: Sequence[Judgement]) -> list[Judgement]:
    """Return the last answer, or all votes of its batch; of equal votes the later counts."""
    last = answers[-1]
    if last.vote is None:
        return [last]
    batch = {
        answer.vote.n: answer
        for answer in answers
        if answer.vote is not None and answer.vote.batch == last.vote.batch
    }
    return [batch[number] for number in sorted(batch)]


def _heard(
    judge: str,
    votes: Sequence[Judgement],
    rubric: Rubric,
    request: Request,
    quotable: Quotable,
) -> Voice:
    """Let a judge speak whose votes are all there; until then it decides nothing."""
    voice = _voice(judge, votes, rubric, request, quotable)
    planned = max(vote.vote.of or 1 if vote.vote else 1 for vote in votes)
    if len(votes) >= planned:
        return voice
    missing = f"only {len(votes)} of {planned} votes are there ({judge})"
    open_ones = {name: Said("cannot-tell", missing) for name in voice.said}
    return replace(voice, said=open_ones, failures=(), doubts=(missing,))


def _voice(
    judge: str,
    votes: Sequence[Judgement],
    rubric: Rubric,
    request: Request,
    quotable: Quotable,
) -> Voice:
    said = {asked.id: _said(asked, votes, quotable) for asked in request.criteria}
    required = {criterion.id for criterion in rubric.criteria if criterion.required}
    claimed, claims_are_split = _claims(votes)
    failing = rubric.unsupported_claims == "fail"
    told = {
        "not-met": _told(judge, said, "not-met", "not met"),
        "cannot-tell": _told(judge, said, "cannot-tell", "cannot be told"),
    }
    low, unscored = _score(votes, rubric.minimum_score)
    return Voice(
        judge=judge,
        said=said,
        failures=(
            *(text for name, text in told["not-met"].items() if name in required),
            *(f"{claim} ({judge})" for claim in claimed if failing),
            *(f"{text} ({judge})" for text in low),
        ),
        doubts=(
            *(text for name, text in told["cannot-tell"].items() if name in required),
            *(f"{text} ({judge})" for text in unscored),
            *(f"{text} ({judge})" for text in claims_are_split if failing),
            *(f"{text} ({judge})" for text in _inapplicable(said, required)),
        ),
        warnings=(
            *(text for name, text in told["not-met"].items() if name not in required),
            *(f"{claim} ({judge})" for claim in claimed if not failing),
        ),
    )


def _said(asked: AskedCriterion, votes: Sequence[Judgement], quotable: Quotable) -> Said:
    """Take the majority of the votes on one criterion; without one it cannot be told."""
    rulings = [_weighed(asked, ruling, quotable) for ruling in _rulings(asked.id, votes)]
    counts = Counter(ruling.verdict for ruling in rulings)
    verdict, times = counts.most_common(1)[0]
    if 2 * times <= len(votes):
        split = ", ".join(f"{counts[answer]} {answer}" for answer in sorted(counts))
        return Said("cannot-tell", f"votes are split: {split}")
    reason = next(ruling.reason for ruling in rulings if ruling.verdict == verdict)
    if times == len(votes):
        return Said(verdict, reason)
    return Said(verdict, f"{times} of {len(votes)} votes: {reason}")


def _rulings(criterion: str, votes: Sequence[Judgement]) -> Iterator[Ruling]:
    for vote in votes:
        yield from (ruling for ruling in vote.criteria if ruling.id == criterion)


def _weighed(asked: AskedCriterion, ruling: Ruling, quotable: Quotable) -> Said:
    """Count `met` without the quote that it needs as cannot-tell."""
    if ruling.verdict == "met" and asked.quote and not any(map(quotable.holds, ruling.quotes)):
        return Said("cannot-tell", "quote not found" if ruling.quotes else "no quote given")
    return Said(ruling.verdict, ruling.reason)


def _told(judge: str, said: Mapping[str, Said], verdict: Answer, words: str) -> dict[str, str]:
    """Say which criteria have a verdict, by whose word and why."""
    return {
        name: f"{name} {words} ({': '.join(filter(None, (judge, _cut(ruling.reason))))})"
        for name, ruling in said.items()
        if ruling.verdict == verdict
    }


def _claims(votes: Sequence[Judgement]) -> tuple[list[str], list[str]]:
    """Return the unsupported claims that most votes see, and that votes are split on them."""
    found = [[claim for claim in vote.unsupported_claims if claim.strip()] for vote in votes]
    seeing = sum(map(bool, found))
    if 2 * seeing == len(votes):
        return [], ["votes are split on unsupported claims"]
    if 2 * seeing < len(votes):
        return [], []
    claims = dict.fromkeys(claim for some in found for claim in some)
    return [f"unsupported claim: {_cut(claim)}" for claim in claims], []


def _score(votes: Sequence[Judgement], minimum: int | None) -> tuple[list[str], list[str]]:
    """Return that the score is too low, and that there is none; the lower median decides."""
    scores = [vote.score for vote in votes if vote.score is not None]
    if minimum is None:
        return [], []
    if len(scores) < len(votes):
        return [], ["no score given"]
    score = median_low(scores)
    return ([f"score {score} is under the minimum of {minimum}"] if score < minimum else []), []


def _inapplicable(said: Mapping[str, Said], required: set[str]) -> list[str]:
    """Say so where no criterion that counts applies: then nothing was judged."""
    counting = [ruling for name, ruling in said.items() if name in required or not required]
    nothing = all(ruling.verdict == "not-applicable" for ruling in counting)
    return ["no criterion applies"] if nothing else []


def _cut(text: str) -> str:
    return shorten(text, _LONGEST, placeholder="…")
