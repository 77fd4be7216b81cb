"""The unused answers: those to a question that their case no longer asks, with what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowjury.judging import changed
from flowjury.report.basis import Basis
from flowjury.report.model import CaseReport, Unused
from flowjury.request import Request, Ticket


def unused(
    basis: Basis, cases: Sequence[CaseReport], requests: Sequence[Request]
) -> Iterator[Unused]:
    """Yield each request of the past whose case is there and was observed, and asks it no more."""
    asked = {(request.case, request.step): request for request in requests}
    digests = {request.digest for request in requests}
    observed = {case.id for case in cases if case.trials}
    for ticket in basis.answers.tickets:
        gone = ticket.suite == basis.suite.name and ticket.digest not in digests
        if gone and ticket.case in observed:
            yield _unused(basis, ticket, asked.get((ticket.case, ticket.step)))


def _unused(basis: Basis, ticket: Ticket, current: Request | None) -> Unused:
    judgements = basis.answers.judgements(ticket.digest)
    return Unused(
        request=ticket.digest,
        case=ticket.case,
        step=ticket.step,
        judges=tuple(sorted({judgement.judge.name for judgement in judgements})),
        changed=changed(ticket.parts, current.parts) if current else ("it asks no judge now",),
    )
