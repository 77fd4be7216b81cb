"""The choice: which cases of a suite a run is asked to run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from flowjury.app import expression
from flowjury.case import Case
from flowjury.errors import UsageError
from flowjury.pointer import nearest
from flowjury.suite import Suite

_SHARD = re.compile(r"([0-9]{1,9})/([0-9]{1,9})", re.ASCII)
_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Shard:
    """One of several equal parts of all cases; each case is in exactly one of them."""

    number: int
    """Its number, from 1."""
    of: int
    """How many there are."""

    def holds(self, case: str) -> bool:
        """Tell whether a case is in it: by the hash of its id, which is the same everywhere."""
        digest = sha256(case.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest, "big") % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def shard_of(text: str | None) -> Shard | None:
    """Read `i/n`. Raises UsageError where it is not, or i is not one of 1 to n."""
    if text is None:
        return None
    found = _SHARD.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"--shard {text!r}: write I/N with 1 <= I <= N, for example 1/3")
    return Shard(number=int(found[1]), of=int(found[2]))


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What was asked for; everything given must agree."""

    ids: tuple[str, ...] = ()
    """Case ids, to the letter."""
    tags: tuple[str, ...] = ()
    """Any of these; one with commas asks for all the tags between them."""
    words: str | None = None
    """An expression: a word holds if the id, title or a tag contains it, ignoring case."""
    failed: Mapping[str, frozenset[str]] | None = field(default=None, hash=False)
    """Only these ids, by the name of their suite."""
    shard: Shard | None = None
    """Of what is chosen besides, only what this part holds."""

    def takes(self, suite: str, case: Case) -> bool:
        """Tell whether a case was asked for, whatever the shard."""
        return (
            self._worded(case)
            and (not self.ids or case.id in self.ids)
            and (not self.tags or any(_tagged(case, tag) for tag in self.tags))
            and (self.failed is None or case.id in self.failed.get(suite, ()))
        )

    def _worded(self, case: Case) -> bool:
        if self.words is None:
            return True
        return self._holds([each.casefold() for each in (case.id, case.title or "", *case.tags)])

    @cached_property
    def _holds(self) -> expression.Holds:
        return expression.parse(self.words or "")


def _tagged(case: Case, tag: str) -> bool:
    return tag in case.tags or set(_parts(tag)) <= set(case.tags)


def _parts(tag: str) -> list[str]:
    return [part.strip() for part in tag.split(",")]


def chosen(suites: Sequence[Suite], choice: Choice) -> list[list[Case]]:
    """Return the chosen cases of each suite; a shard may hold none of them.

    Raises UsageError where a word chooses nothing.
    """
    known = [case for suite in suites for case in suite.cases]
    tags = {tag for case in known for tag in case.tags}
    refuse_unknown("case", choice.ids, [case.id for case in known])
    asked = [part for tag in choice.tags if tag not in tags for part in _parts(tag)]
    refuse_unknown("tag", asked, sorted(tags))
    picked = [[case for case in suite.cases if choice.takes(suite.name, case)] for suite in suites]
    if not any(picked):
        raise UsageError(
            f"no case is selected by {_asked(choice)}; `-k` looks into ids, titles and tags"
        )
    shard = choice.shard
    if shard is None:
        return picked
    return [[case for case in cases if shard.holds(case.id)] for cases in picked]


def refuse_unknown(what: str, asked: Sequence[str], known: Sequence[str]) -> None:
    """Raise UsageError for the first name that is not known."""
    for name in asked:
        if name not in known:
            near = nearest(name, sorted(set(known)))
            hint = f"; nearest is {near!r}" if near else f" (known: {_listed(known)})"
            raise UsageError(f"no {what} is named {name!r}{hint}")


def _listed(known: Sequence[str]) -> str:
    more = ", …" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more if known else "none"


def _asked(choice: Choice) -> str:
    asked = [f"--case {name}" for name in choice.ids] + [f"--tag {tag}" for tag in choice.tags]
    asked += [f"-k {choice.words}"] if choice.words else []
    return " ".join([*asked, *(["--last-failed"] if choice.failed is not None else [])])
