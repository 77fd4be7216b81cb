"""Unions without a tag: pydantic reports every branch, and a reader wants the one that was meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from flowjury.documents.place import Path
from flowjury.validation.problem import Problem
from flowjury.validation.words import is_mismatch


def without_other_branches(found: Sequence[Problem]) -> list[Problem]:
    """Keep, of each union, the branch that the value comes nearest to.

    That is the branch with the fewest problems among those that took its type; where none did, all
    stay, at one place, and a sentence joins them.
    """
    kept = list(found)
    for prefix in sorted({prefix for problem in found for prefix in _unions(problem)}, key=len):
        kept = _decided(kept, prefix)
    return kept


def _unions(problem: Problem) -> Iterable[Path]:
    return (problem.loc[:index] for index in problem.branches)


def _decided(found: list[Problem], prefix: Path) -> list[Problem]:
    branches: dict[str | int, list[Problem]] = defaultdict(list)
    for problem in found:
        if prefix in _unions(problem):
            branches[problem.loc[len(prefix)]].append(problem)
    entered = [inside for inside in branches.values() if not _refused_at_once(inside, prefix)]
    if len(branches) == 1 or not entered:
        return found
    others = [problem for inside in branches.values() for problem in inside]
    best = min(entered, key=len)
    return [problem for problem in found if problem in best or problem not in others]


def _refused_at_once(branch: Sequence[Problem], prefix: Path) -> bool:
    return all(is_mismatch(problem) and len(problem.loc) == len(prefix) + 1 for problem in branch)
