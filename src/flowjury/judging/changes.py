"""The changes: what is different between the request that was answered and the one asked now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flowjury.request import Parts


def changed(then: Parts, now: Parts) -> tuple[str, ...]:
    """Name what the request that was answered and the one of today do not share."""
    question = ("question changed",) if then.question != now.question else ()
    criteria = (f"criterion {name} {how}" for name, how in _changes(then.criteria, now.criteria))
    evidence = (
        f"{at or 'evidence'} changed" if how == "changed" else f"evidence {at} {how}"
        for at, how in _changes(then.evidence, now.evidence)
    )
    return (*question, *criteria, *evidence)


def _changes(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each name whose digest differs, in order, with how."""
    for name in sorted(then.keys() | now.keys()):
        if name not in then:
            yield name, "added"
        elif name not in now:
            yield name, "removed"
        elif then[name] != now[name]:
            yield name, "changed"
