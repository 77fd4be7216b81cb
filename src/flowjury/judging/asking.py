"""The asking: one open question, made of a rubric and the evidence, named by its digest."""

from __future__ import annotations

from typing import Final

from flowjury.evidence import Evidence
from flowjury.json_values import digest
from flowjury.judging.answering import answer_schema, instructions
from flowjury.judging.projection import Unaskable, project
from flowjury.model import Json
from flowjury.request import AskedCriterion, Parts, Request
from flowjury.rubric import Criterion, Rubric

QUESTION: Final = "Does the evidence meet each criterion?"
"""What is asked where the rubric itself asks nothing."""

_DIGESTED: Final = frozenset({"text", "applies", "reference", "quote"})


def ask(
    suite: str, case: str, step: str | None, rubric: Rubric, evidence: Evidence
) -> Request | Unaskable:
    """Make the request that a rubric comes to over this evidence, or say why there is none."""
    seen = project(rubric.evidence, evidence)
    if isinstance(seen, Unaskable):
        return seen
    question = rubric.question or QUESTION
    criteria = {criterion.id: _asked(criterion) for criterion in rubric.criteria}
    name = digest({"question": question, "criteria": criteria, "evidence": seen})
    return Request(
        digest=name,
        parts=Parts(
            question=digest(question),
            criteria={key: digest(criterion) for key, criterion in criteria.items()},
            evidence={at: digest(value) for at, value in seen.items()},
        ),
        suite=suite,
        case=case,
        step=step,
        question=question,
        criteria=tuple(AskedCriterion(**dict(criterion)) for criterion in rubric.criteria),
        evidence=seen,
        answer_schema=answer_schema(rubric),
        instructions=instructions(name, scored=rubric.minimum_score is not None),
    )


def _asked(criterion: Criterion) -> Json:
    """Return what an answer to a criterion depends on: not whether the case requires it."""
    return criterion.model_dump(include=set(_DIGESTED))
