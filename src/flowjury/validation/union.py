"""Unions without a tag: pydantic reports every branch, a reader wants the one that was meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from flowjury.documents.place import Path
from flowjury.validation.problem import Problem
from flowjury.validation.words import is_mismatch

_Branches: TypeAlias = dict[str | int, list[Problem]]


def without_other_branches(found: Sequence[Problem]) -> list[Problem]:
    """Keep, of each union, the branch that the value comes nearest to.

    That is the branch with the fewest problems among those that took its type; where none did, all
    stay, at one place, and a sentence joins them.
    """
    unions: dict[Path, _Branches] = defaultdict(lambda: defaultdict(list))
    for problem in found:
        for index in problem.branches:
            unions[problem.loc[:index]][problem.loc[index]].append(problem)
    dropped = {id(problem) for item in unions.items() for problem in _others(*item)}
    return [problem for problem in found if id(problem) not in dropped]


def _others(union: Path, branches: _Branches) -> Iterator[Problem]:
    """Yield the problems of the branches that were not meant."""
    entered = [inside for inside in branches.values() if not _refused_at_once(inside, union)]
    if len(branches) == 1 or not entered:
        return
    best = min(entered, key=len)
    for inside in branches.values():
        if inside is not best:
            yield from inside


def _refused_at_once(branch: Sequence[Problem], union: Path) -> bool:
    return all(is_mismatch(problem) and len(problem.loc) == len(union) + 1 for problem in branch)
