"""The answers of judges to a case's rubrics, whole, as rows."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from flowjury.decision import RubricReport
from flowjury.formats._explain import Limits, Row
from flowjury.formats._text import cut, named
from flowjury.report import CaseReport
from flowjury.request import Judgement, Ruling

_WHOLE: Final = "the json report"
_VERDICTS: Final = MappingProxyType(
    {"met": "passed", "not-met": "failed", "cannot-tell": "unknown", "not-applicable": "skipped"}
)


def answers(case: CaseReport, limits: Limits) -> Iterator[Row]:
    """Yield each answer: who judged, the score, each criterion with its quotes, and claims."""
    for trial in case.trials:
        for rubric in trial.rubrics:
            for judgement in rubric.judgements:
                yield _head(rubric, judgement)
                for ruling in judgement.criteria:
                    yield from _ruling(ruling, limits)
                for claim in judgement.unsupported_claims:
                    yield Row(1, "unsupported claim", text=cut(claim, limits.text, _WHOLE))


def _head(rubric: RubricReport, judgement: Judgement) -> Row:
    judge = judgement.judge
    facts = [("step", named(rubric.step))] if rubric.step else []
    facts += [("model", named(judge.model))] if judge.model else []
    facts += [("score", str(judgement.score))] if judgement.score is not None else []
    facts += [("created", named(judgement.created))]
    return Row(0, "answer of", named(judge.name), facts=tuple(facts))


def _ruling(ruling: Ruling, limits: Limits) -> Iterator[Row]:
    because = f": {ruling.reason}" if ruling.reason else ""
    text = cut(f"{ruling.verdict}{because}", limits.text, _WHOLE)
    yield Row(1, "criterion", named(ruling.id), text, _VERDICTS[ruling.verdict])
    for quote in ruling.quotes:
        facts = (("at", named(quote.pointer)),)
        yield Row(2, "quote", text=cut(quote.text, limits.text, _WHOLE), facts=facts)
