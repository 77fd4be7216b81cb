"""The options of the target `http`: what is sent, where, and what the answer says where."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from flowjury.masking import hides, masked_text
from flowjury.model import Model
from flowjury.rubric import Pointer
from flowjury.scalars import Real, Whole
from flowjury.target import Target
from flowjury.targets._http_env import refuse_reference, refuse_url, refuse_value

_OURS: Final = frozenset(
    (
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
"""Headers that say how a request is sent, which is not for a suite to say."""
_TOKEN: Final = r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
_ID: Final = "{id}"


def _plain(name: str) -> str:
    if name.lower() in _OURS:
        raise ValueError(f"the header {name!r} is set by FlowJury itself; leave it out")
    return name


def _headers(headers: dict[str, str]) -> dict[str, str]:
    seen: dict[str, str] = {}
    for name, value in headers.items():
        if (other := seen.setdefault(name.lower(), name)) != name:
            raise ValueError(f"{other!r} and {name!r} are one header; leave one out")
        refuse_reference(value)
        try:
            refuse_value(value)
        except ValueError as error:
            raise ValueError(f"the value of the header {name!r} {error}") from error
        if "$" not in value and (hides(name) or masked_text(value) != value):
            raise ValueError(
                f"the header {name!r} is a secret, which stays outside of the suite: write"
                " $NAME, with the name of the environment variable that holds it"
            )
    return headers


HeaderName = Annotated[str, Field(pattern=_TOKEN), AfterValidator(_plain)]
"""The name of a header."""
Headers = Annotated[dict[HeaderName, str], AfterValidator(_headers)]
"""Headers, in whose values `$NAME` stands for an environment variable."""
Url = Annotated[str, AfterValidator(refuse_url)]
"""An address, in which `$NAME` stands for an environment variable."""


class Session(Model):
    """Where a request carries the id of its conversation, which is new for every trial."""

    key: str | None = Field(default=None, min_length=1)
    """The key of the body."""
    header: HeaderName | None = None
    """The header."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.key is None) == (self.header is None):
            raise ValueError("write one of `key`, for the body, and `header`")
        return self


class Retries(Model):
    """After which failures a request is sent again."""

    n: Annotated[Whole, Field(ge=1, le=20)]
    """How often it is sent again at most."""
    on: tuple[Literal["connect", 408, 425, 429, 500, 502, 503, 504], ...] = Field(min_length=1)
    """Statuses, and `connect`: the service could not be reached, so that nothing was sent."""


class TraceSource(Model):
    """Where the trace of an answer is fetched from."""

    url: Url
    """Its address; `{id}` in it stands for what the answer has at `id`."""
    id: Pointer
    """Where the answer names its trace."""
    at: Pointer = ""
    """Where the trace is in what is fetched."""
    within: Annotated[Real | Whole, Field(gt=0)] = 10
    """Seconds after the answer in which it must be there."""
    headers: Headers = Field(default_factory=dict)
    """Headers of this request; those of the service are not sent here."""

    @model_validator(mode="after")
    def _told(self) -> Self:
        if _ID not in self.url:
            raise ValueError("`url` has no {id}, so that every answer would have the same trace")
        return self


class HttpOptions(Target):
    """How a service is asked, and how its answers are read."""

    url: Url
    """Where it is sent; `$NAME` in it stands for an environment variable."""
    method: Literal["POST", "PUT", "PATCH"] = "POST"
    """How it is sent."""
    headers: Headers = Field(default_factory=dict)
    """Headers; `$NAME` in a value stands for an environment variable."""
    under: str | None = Field(default=None, min_length=1)
    """The key of the body that has the input; without it, the input is the body."""
    session: Session | None = None
    """Where requests carry an id that tells the turns of one conversation from all others."""
    output: Pointer = ""
    """Where the output is in the answer."""
    error: Pointer | None = None
    """Where the answer says what the workflow raised: a text, or `{type, message}`."""
    wait: Pointer | None = None
    """Where the answer names the wait at which the workflow is suspended."""
    usage: Pointer | None = None
    """Where the answer says what was spent, by unit."""
    trace: Pointer | None = None
    """Where the answer has a trace."""
    trace_from: TraceSource | None = None
    """Where the trace is fetched from, instead."""
    retries: Retries | None = None
    """When a request is sent again; without it, never."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.trace is not None and self.trace_from is not None:
            raise ValueError("`trace` and `trace_from` exclude each other: a trace is in one place")
        if self.session and self.session.key and self.session.key == self.under:
            raise ValueError(f"`session` and `under` both name the key {self.under!r}")
        header = self.session and self.session.header
        if header and header.lower() in map(str.lower, self.headers):
            raise ValueError(f"`session` and `headers` both set the header {header!r}")
        return self
