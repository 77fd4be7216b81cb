"""The play: the turns of one case, asked of a service until one is at fault."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from flowjury.errors import TargetError
from flowjury.job import Job, Turn
from flowjury.model import Json
from flowjury.record import CaseFault, FaultKind
from flowjury.targets._command_answer import Answer
from flowjury.targets._command_play import not_waiting
from flowjury.targets._command_trace import Seen, Story
from flowjury.targets._http_answer import answer_of, body_of, trace_of, trace_url
from flowjury.targets._http_call import Caller, Request
from flowjury.targets._http_options import HttpOptions, TraceSource
from flowjury.trace import ErrorInfo

_SENT: Final = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "flowjury",
}
_OF_BODY: Final = {"Content-Type": "application/json"}
_NOT_YET: Final = frozenset((202, 204, 404))
"""The statuses of a trace that is still to come."""
_SOON: Final = 0.05
_LATER: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where requests go, and the headers that they carry."""

    url: str
    headers: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Traces:
    """Where the traces of answers are fetched from."""

    source: TraceSource
    address: Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The turns of one case."""

    job: Job
    target: HttpOptions
    caller: Caller
    service: Address
    traces: Traces | None
    session: str
    """The id of this conversation, which no other has."""

    async def played(self, story: Story) -> CaseFault | None:
        """Ask turn by turn; return the fault that ended the case, if one did."""
        for turn in self.job.turns:
            if (why := not_waiting(turn, story)) is not None:
                return CaseFault(kind="not-waiting", message=why, step=turn.id)
            try:
                async with asyncio.timeout_at(self.caller.deadline):
                    answer = await self._answer(turn)
                story.add(turn, Seen(answer=answer, ran=False))
            except TimeoutError:
                return _broken("timeout", self._late(), turn, story)
            except TargetError as error:
                return _broken("target", str(error), turn, story)
        return None

    async def _answer(self, turn: Turn) -> Answer:
        if turn.resume is not None and self.target.session is None:
            raise TargetError(
                f"step {turn.id!r} resumes a wait, and nothing tells the service in which"
                " conversation; write `session: {key: NAME}` or `session: {header: NAME}`"
            )
        value = await self.caller.call(self._request(turn))
        answer = answer_of(value, self.target)
        if self.traces is None:
            return answer
        return answer.model_copy(update={"trace": await self._fetched(value, self.traces)})

    def _request(self, turn: Turn) -> Request:
        name = self.target.session and self.target.session.header
        session = {name: self.session} if name else {}
        return Request(
            method=self.target.method,
            url=self.service.url,
            headers={**_SENT, **_OF_BODY, **self.service.headers, **session},
            content=body_of(turn, self.target, self.session),
        )

    async def _fetched(self, value: Json, traces: Traces) -> Json:
        """Return the trace of an answer as soon as it is there. Raises TargetError."""
        source, address = traces.source, traces.address
        url = trace_url(value, source, address.url)
        request = Request(method="GET", url=url, headers={**_SENT, **address.headers})
        pause = _SOON
        try:
            async with asyncio.timeout(source.within) as patience:
                while (found := await self.caller.call(request, pending=_NOT_YET)) is None:
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LATER)
        except TimeoutError as error:
            if not patience.expired():
                raise
            where = self.caller.secrets.shown(url)
            late = f"its trace is not at {where} within {source.within:g} seconds"
            raise TargetError(late) from error
        return trace_of(found, source.at)

    def _late(self) -> str:
        where = self.caller.secrets.shown(self.service.url)
        last = f"; before that, {self.caller.last}" if self.caller.last else ""
        return f"{where} took longer than the timeout of {self.job.timeout:g} seconds{last}"


def _broken(kind: FaultKind, message: str, turn: Turn, story: Story) -> CaseFault:
    """Keep that a turn was begun, as a stub."""
    fault = CaseFault(kind=kind, message=message, step=turn.id)
    if kind == "timeout":
        stub = Seen(status="timeout", ran=False)
    else:
        error = ErrorInfo(type="TargetError", message=fault.message)
        stub = Seen(status="error", error=error, ran=False)
    story.add(turn, stub)
    return fault
