"""The keeping: each judgement goes to where the suites that ask for it look for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from flowjury.app.project import Project
from flowjury.app.refreshing import answer_folders, basis_of, ticket_of
from flowjury.app.standing import Standing
from flowjury.report.build import Built, build
from flowjury.request import Judgement, Request, Ticket
from flowjury.store.answers import Answers
from flowjury.store.runs import RunStore


@dataclass(frozen=True)
class Asked:
    """One suite, with what its report asks now."""

    standing: Standing
    built: Built


@dataclass(frozen=True)
class Questions:
    """What answers are held against: every request that is asked now, and those of the past."""

    project: Project
    asked: tuple[Asked, ...]
    past: Mapping[str, Ticket]
    """Every request that was ever asked here, by digest."""

    def request(self, digest: str) -> Request | None:
        """Return a request that is asked now."""
        return self._requests.get(digest)

    def of(self, ticket: Ticket) -> Request | None:
        """Return what the case of a ticket asks now, if it asks anything."""
        place = (ticket.suite, ticket.case, ticket.step)
        found = (r for r in self._requests.values() if (r.suite, r.case, r.step) == place)
        return next(found, None)

    def keep(self, judgement: Judgement, *, commit: bool = False) -> Literal["new", "known"]:
        """Keep an answer for every suite that asks for it: beside it or, if live, in the store.

        With `commit`, answers to live runs are kept beside the suite, too. Raises StoreError.
        """
        ticket = ticket_of(self._requests[judgement.request])
        states = {
            self._folder(one.standing, commit=commit).keep(judgement, ticket)
            for one in self.asked
            if any(request.digest == judgement.request for request in one.built.requests)
        }
        return "new" if "kept" in states else "known"

    def _folder(self, standing: Standing, *, commit: bool) -> Answers:
        beside, in_store = answer_folders(self.project, standing.loaded)
        return in_store if standing.run.data == "live" and not commit else beside

    @cached_property
    def _requests(self) -> Mapping[str, Request]:
        requests = [request for one in self.asked for request in one.built.requests]
        return {request.digest: request for request in reversed(requests)}


def questions(project: Project, store: RunStore, all_of: Iterable[Standing]) -> Questions:
    """Gather what suites ask now, while the store is open; nothing is written."""
    asked: list[Asked] = []
    beside: dict[str, Ticket] = {}
    for one in all_of:
        basis = basis_of(project, store, one.loaded, one.run)
        beside |= {ticket.digest: ticket for ticket in basis.answers.tickets}
        asked.append(Asked(one, build(basis, store.records(one.run.id))))
    return Questions(project, tuple(asked), {**store.tickets, **beside})
