"""The choice: which cases of a suite a run is asked to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flowjury.case import Case
from flowjury.errors import UsageError
from flowjury.pointer import nearest
from flowjury.suite import Suite


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What was asked for; everything given must agree."""

    ids: tuple[str, ...] = ()
    """Case ids, to the letter."""
    tags: tuple[str, ...] = ()
    """Any of these tags."""
    words: str | None = None
    """A text that the id, title or a tag contains, ignoring case."""

    @property
    def everything(self) -> bool:
        """Tell whether nothing was asked for, so that all cases run."""
        return not (self.ids or self.tags or self.words)

    def takes(self, case: Case) -> bool:
        """Tell whether a case was asked for."""
        texts = (case.id, case.title or "", *case.tags)
        return (
            (not self.ids or case.id in self.ids)
            and (not self.tags or bool(set(self.tags) & set(case.tags)))
            and (self.words is None or any(self.words.casefold() in t.casefold() for t in texts))
        )


def chosen(suites: Sequence[Suite], choice: Choice) -> list[list[Case]]:
    """Return the chosen cases of each suite. Raises UsageError where a word chooses nothing."""
    known = [case for suite in suites for case in suite.cases]
    refuse_unknown("case", choice.ids, [case.id for case in known])
    refuse_unknown("tag", choice.tags, [tag for case in known for tag in case.tags])
    picked = [[case for case in suite.cases if choice.takes(case)] for suite in suites]
    if not any(picked):
        raise UsageError(
            f"no case is selected by {_asked(choice)}; `-k` takes part of an id, title or tag"
        )
    return picked


def refuse_unknown(what: str, asked: Sequence[str], known: Sequence[str]) -> None:
    """Raise UsageError for the first name that is not known."""
    for name in asked:
        if name not in known:
            near = nearest(name, sorted(set(known)))
            hint = f"; nearest is {near!r}" if near else ""
            raise UsageError(f"no {what} is named {name!r}{hint}")


def _asked(choice: Choice) -> str:
    asked = [f"--case {name}" for name in choice.ids] + [f"--tag {tag}" for tag in choice.tags]
    return " ".join([*asked, *([f"-k {choice.words}"] if choice.words else [])])
