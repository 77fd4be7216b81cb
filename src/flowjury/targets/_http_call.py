"""The call: one request to a service, sent again where the suite says so, and its JSON."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2
import tenacity

from flowjury.errors import TargetError
from flowjury.json_values import loads, short
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.targets._http_env import Secrets

MOST: Final = 16 * 1024 * 1024
"""Bytes of an answer."""
_SHOWN: Final = 200
_FIRST: Final = 0.2
_LONGEST: Final = 5.0
_BACKOFF: Final = tenacity.wait_exponential(multiplier=_FIRST, max=_LONGEST)
_JSON: Final = "application/json"
_ENCODINGS: Final = ("", "utf-8", "utf8", "us-ascii")


class PassingError(TargetError):
    """A failure after which the suite has a request sent again."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        """Say what failed, and after how many seconds the service wants to be asked again."""
        super().__init__(message)
        self.after = after


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = None


@dataclass(slots=True, kw_only=True)
class Caller:
    """Sends the requests of one case."""

    client: httpx2.AsyncClient
    secrets: Secrets
    mask: tuple[str, ...] = ()
    """Keys, beside the usual ones, whose values are secrets."""
    again: Collection[int | str] = ()
    """After which failures a request is sent again."""
    tries: int = 1
    """How often a request is sent at most."""
    deadline: float
    """When the time of the case is over, on the clock of the event loop."""
    last: str = ""
    """How the last request failed that is to be sent again."""

    async def call(self, request: Request, *, pending: Collection[int] = ()) -> Json:
        """Return the JSON that is answered; None for a status that says that it is pending.

        Raises TargetError for everything else.
        """
        self.last = ""
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(PassingError),
            stop=self._ends,
            wait=_pause,
            reraise=True,
        )
        try:
            return await retrying(self._once, request, pending)
        except PassingError as error:
            tries = retrying.statistics["attempt_number"]
            why = f"; it asks to wait {error.after:g} seconds" if self._too_late(error) else ""
            raise TargetError(f"{error}{f' (try {tries})' if tries > 1 else ''}{why}") from error

    def _ends(self, state: tenacity.RetryCallState) -> bool:
        error = _error(state)
        self.last = str(error)
        return state.attempt_number >= self.tries or self._too_late(error)

    def _too_late(self, error: PassingError) -> bool:
        return 0 < error.after >= self.deadline - asyncio.get_running_loop().time()

    async def _once(self, request: Request, pending: Collection[int]) -> Json:
        where, content = self.secrets.shown(request.url), b""
        try:
            async with self.client.stream(
                request.method, request.url, headers=request.headers, content=request.content
            ) as response:
                if response.status_code in pending:
                    return None
                content = await _content(response)
            if not response.is_success:
                raise self._refusal(response)
            return self.secrets.within(_json(response, content))
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            raise self._unreached(error, where) from error
        except (httpx2.InvalidURL, UnicodeError) as error:
            raise TargetError(f"{where} is no address that can be asked") from error
        except httpx2.HTTPError as error:
            why = self.secrets.without(_reason(error))
            raise TargetError(f"{where} broke off before it had answered: {why}") from error
        except TargetError as error:
            text = f"{where} {self.secrets.without(str(error))}" + self._excerpt(content)
            if isinstance(error, PassingError):
                raise PassingError(text, error.after) from error
            raise TargetError(text) from error

    def _refusal(self, response: httpx2.Response) -> TargetError:
        """Say that a status brings no answer."""
        said = f"answered {response.status_code} {response.reason_phrase}".strip()
        if response.has_redirect_location:
            return TargetError(
                f"{said}, and sends on to {self._location(response)}; a redirect is never"
                " followed, as the headers would go with it: write the address that answers"
            )
        if response.status_code in self.again:
            return PassingError(said, _after(response, time.time()))
        return TargetError(said)

    def _location(self, response: httpx2.Response) -> str:
        with suppress(httpx2.InvalidURL, ValueError):
            return self.secrets.shown(str(response.url.join(response.headers["location"])))
        return "what is no address"

    def _excerpt(self, content: bytes) -> str:
        """Return the beginning of an answer, without secrets, for the end of a message."""
        said: Json = content.decode(errors="backslashreplace").strip()
        with suppress(ValueError):
            said = masked(loads(said), self.mask)
        return f": {short(self.secrets.within(said), _SHOWN)}" if said != "" else ""

    def _unreached(self, error: httpx2.HTTPError, where: str) -> TargetError:
        text = self.secrets.without(_reason(error))
        if _of_tls(error):
            return TargetError(f"{where} cannot be trusted, or speaks no TLS: {text}")
        message = f"{where} cannot be reached: {text}"
        return PassingError(message) if "connect" in self.again else TargetError(message)


async def _content(response: httpx2.Response) -> bytes:
    """Read an answer as it is sent. Raises TargetError for one that is too large."""
    large = f"answers with more than {MOST:,} bytes"
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MOST:
        raise TargetError(large)
    content = bytearray()
    async for chunk in response.aiter_raw():
        content += chunk
        if len(content) > MOST:
            raise TargetError(large)
    return bytes(content)


def _json(response: httpx2.Response, content: bytes) -> Json:
    """Read an answer. Raises TargetError that says why it is none."""
    if not content.strip():
        raise TargetError(f"answered {response.status_code} without content")
    _refuse_type(response)
    try:
        return loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        where = f"byte {content[error.start]:#04x} at offset {error.start}"
        raise TargetError(f"answered in what is not UTF-8: {where}") from error
    except ValueError as error:
        raise TargetError(f"answered what is no JSON: {error}") from error


def _refuse_type(response: httpx2.Response) -> None:
    """Raise TargetError for what is not sent as JSON in UTF-8."""
    packed = response.headers.get("content-encoding", "identity").strip().lower()
    if packed != "identity":
        raise TargetError(f"answered packed by {packed!r}, though it was asked for plain JSON")
    said = response.headers.get("content-type", "")
    kind = said.partition(";")[0].strip().lower()
    if kind != _JSON and not (kind.startswith("application/") and kind.endswith("+json")):
        what = repr(said) if said else "no content type"
        raise TargetError(f"answered with {what}, not {_JSON!r}")
    charset = (response.charset_encoding or "").lower()
    if charset not in _ENCODINGS:
        raise TargetError(f"answered in {charset!r}, not UTF-8")


def _error(state: tenacity.RetryCallState) -> PassingError:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, PassingError) else PassingError("")


def _pause(state: tenacity.RetryCallState) -> float:
    """Return the seconds until a request is sent again: what the service asks for, or our own."""
    return _error(state).after or float(_BACKOFF(state))


def _after(response: httpx2.Response, now: float) -> float:
    """Read Retry-After, in seconds or as a date; what is neither says nothing."""
    said = response.headers.get("retry-after", "").strip()
    if said.isdecimal():
        return float(said)
    with suppress(ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(said).timestamp() - now)
    return 0.0


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _of_tls(error: BaseException) -> bool:
    return any(isinstance(each, ssl.SSLError) for each in _chain(error))


def _reason(error: BaseException) -> str:
    """Return what the system says, which lies deepest, or else the error itself."""
    said = [str(each) for each in _chain(error) if isinstance(each, OSError)]
    texts = (text for text in (*reversed(said), str(error)) if text.strip())
    return next(texts, type(error).__name__)
