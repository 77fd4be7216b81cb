"""The service that is ready to be asked, with what the environment says of it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from threading import Lock
from typing import Any, Final
from uuid import uuid4

import httpx2

from flowjury.errors import Fault, InputError
from flowjury.job import Job, Observed
from flowjury.pointer import join
from flowjury.record import CaseFault
from flowjury.session import apart
from flowjury.targets._command_trace import Story
from flowjury.targets._http_call import Caller
from flowjury.targets._http_env import Secrets, UnusableError, expanded, expanded_url
from flowjury.targets._http_logs import Discretion
from flowjury.targets._http_options import HttpOptions
from flowjury.targets._http_play import Address, Play, Traces
from flowjury.workflow import Workflow

_LOCAL: Final = ("all://localhost", "all://127.0.0.0/8", "all://[::1]")
"""Whatever a proxy is for, it is not for what runs here."""
_ENDED: Final = "the run was ended before the service had answered"


def prepared(target: HttpOptions, environment: Mapping[str, str], file: str) -> Service:
    """Read what a target needs of the environment. Raises InputError with all that is missing."""
    reader = _Reader(environment, file)
    source = target.trace_from
    service = reader.address(target.url, target.headers)
    later = reader.address(source.url, source.headers, "trace_from") if source else None
    if reader.faults:
        raise InputError(reader.faults)
    written = [*target.headers.values(), *(source.headers.values() if source else ())]
    traces = Traces(source, later) if source and later else None
    return Service(target, service, traces, Secrets.of(written, environment))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what a suite refers to, and keeps what is wrong with it."""

    environment: Mapping[str, str] = field(repr=False)
    file: str
    faults: list[Fault] = field(default_factory=list)

    def address(self, url: str, headers: Mapping[str, str], *path: str) -> Address:
        """Read an address with its headers."""
        return Address(
            url=self._read(expanded_url, url, *path, "url"),
            headers={
                name: self._read(expanded, text, *path, "headers", name)
                for name, text in headers.items()
            },
        )

    def _read(self, how: Callable[[str, Mapping[str, str]], str], text: str, *path: str) -> str:
        try:
            return how(text, self.environment)
        except UnusableError as error:
            pointer = join(("target", *path))
            self.faults.append(Fault(file=self.file, pointer=pointer, message=str(error)))
            return ""


class _Loop(asyncio.SelectorEventLoop):
    """The event loop of one case, which a name that is still looked up does not keep open."""

    async def shutdown_default_executor(self, *_: object) -> None:
        """Leave its threads to `close`, which waits for none."""


@dataclass(slots=True)
class Service:
    """A service that several threads may have asked at once, each about a case of its own."""

    target: HttpOptions
    service: Address
    traces: Traces | None
    secrets: Secrets
    fresh: Callable[[], str] = lambda: str(uuid4())
    """Makes the id of a conversation."""
    workflow: Workflow | None = None
    _trust: ssl.SSLContext = field(default_factory=httpx2.create_ssl_context, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)
    _asking: set[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = field(default_factory=set)
    _closed: bool = False
    _logs: Discretion = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._logs = Discretion(self.secrets)

    def observe(self, job: Job) -> Observed:
        """Ask turn by turn, until one is at fault."""
        story = Story(job.mask)
        return story.observed(apart(lambda: self._run(job, story)))

    def close(self) -> None:
        """Stop waiting for whatever is asked at the moment."""
        with self._lock:
            self._closed = True
            for loop, task in self._asking:
                loop.call_soon_threadsafe(task.cancel)
        self._logs.end()

    def _run(self, job: Job, story: Story) -> CaseFault | None:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            return runner.run(self._asked(job, story))

    async def _asked(self, job: Job, story: Story) -> CaseFault | None:
        task = asyncio.ensure_future(self._played(job, story))
        asking = (asyncio.get_running_loop(), task)
        with self._lock:
            self._asking.add(asking)
            if self._closed:
                task.cancel()
        try:
            return await task
        except asyncio.CancelledError:
            if self._closed:
                return CaseFault(kind="target", message=_ENDED)
            raise
        finally:
            with self._lock:
                self._asking.discard(asking)

    async def _played(self, job: Job, story: Story) -> CaseFault | None:
        retries = self.target.retries
        async with self._client() as client:
            caller = Caller(
                client=client,
                secrets=self.secrets,
                mask=job.mask,
                again=retries.on if retries else (),
                tries=retries.n + 1 if retries else 1,
                deadline=asyncio.get_running_loop().time() + job.timeout,
            )
            play = Play(
                job=job,
                target=self.target,
                caller=caller,
                service=self.service,
                traces=self.traces,
                session=self.fresh(),
            )
            return await play.played(story)

    def _client(self) -> httpx2.AsyncClient:
        """Make a client of one case: it follows nothing, and remembers no cookie."""
        return httpx2.AsyncClient(
            verify=self._trust,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            mounts=dict.fromkeys(_LOCAL),
            timeout=None,
            follow_redirects=False,
        )
