"""The chat: what servers of chat completions can be sent, and what it means when they refuse."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from textwrap import shorten
from typing import Any, Final, Literal, TypeAlias

from flowjury.errors import JudgeFailure
from flowjury.model import Json

Mode: TypeAlias = Literal["json_schema", "json_object", "none"]
"""How the server is told the form of the answer; `none`: only the prompt says it."""

_TRANSIENT: Final = frozenset({"rate-limited", "unavailable", "timeout", "unreachable"})
_ONCE_MORE: Final = frozenset({"truncated", "malformed", "half-filled", "empty", "garbled"})
_FORMAL: Final = frozenset({"format-refused", "malformed", "half-filled"})
_WEAKER: Final[dict[Mode, Mode]] = {"json_schema": "json_object", "json_object": "none"}
_BY_STATUS: Final = {401: "auth", 403: "auth", 404: "not-found", 413: "too-long"}
_BUSY: Final = frozenset({408, 409, 425})
_NO_QUOTA: Final = ("insufficient_quota", "billing_hard_limit_reached")
_TOO_LONG: Final = (
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context window",
    "prompt is too long",
)
_FORMAT: Final = ("response_format", "response format", "json_schema")
_INDISPENSABLE: Final = frozenset({"model", "messages", "response_format"})
_REFUSING: Final = ("unsupported", "not support", "unknown", "unrecognized", "not permitted")
_SECRET: Final = re.compile(r"\bsk-[\w*.-]+|(?<=[Bb]earer )\S+")
_LONGEST: Final = 400
_ADVICE: Final = {
    "auth": "check the key and what it may use",
    "not-found": "check the model's name and base_url",
    "quota": "the account behind the key has none left",
    "too-long": "let the rubric drop evidence, or take a model with a larger window",
}


class ParameterRefused(JudgeFailure):
    """The server does not take a parameter that it was sent."""

    def __init__(self, parameter: str, message: str) -> None:
        """Name the parameter."""
        super().__init__("rejected", message)
        self.parameter = parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a request is sent: what the server was found to take, and what was tried already."""

    mode: Mode
    auto: bool
    """Whether the mode may be weakened where the server does not know it."""
    cap: int
    cap_name: str
    """The parameter that limits how much the model writes, and its name."""
    wanted: Mapping[str, float | None]
    """Parameters that are sent unless they are None or were refused."""
    without: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()

    def parameters(self, schema: Json) -> dict[str, Any]:
        """Return what is sent beside the model's name and the messages."""
        named = {**self.wanted, self.cap_name: self.cap}
        sent: dict[str, Any] = {
            name: value
            for name, value in named.items()
            if value is not None and name not in self.without
        }
        if self.mode == "json_object":
            sent["response_format"] = {"type": "json_object"}
        elif self.mode == "json_schema":
            form = {"name": "answer", "strict": True, "schema": schema}
            sent["response_format"] = {"type": "json_schema", "json_schema": form}
        return sent

    def after(self, failure: JudgeFailure) -> Plan | None:
        """Return another way to send the same request, if this failure leaves one."""
        if isinstance(failure, ParameterRefused) and failure.parameter not in self.without:
            return replace(self, without=self.without | {failure.parameter})
        tried = self.tried | {failure.code}
        if failure.code in _FORMAL and self.auto and self.mode in _WEAKER:
            return replace(self, mode=_WEAKER[self.mode], tried=tried)
        if failure.code not in _ONCE_MORE - self.tried:
            return None
        doubled = self.cap * 2 if failure.code == "truncated" else self.cap
        return replace(self, cap=doubled, tried=tried)

    def learned(self, cap: int) -> Plan:
        """Return the plan for the next request: what the server takes stays known."""
        return replace(self, cap=cap, tried=frozenset())


@dataclass
class Tally:
    """What one answer took, over everything that was sent for it."""

    requests: int = 0
    spent: list[tuple[Any, Any]] = field(default_factory=list)

    def add(self, usage: object) -> None:
        """Add what one reply reports, or that it reports nothing."""
        tokens = [getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
        self.spent.append((tokens[0], tokens[1]))

    @property
    def usage(self) -> dict[str, int | float] | None:
        """The sum; unknown where a reply reports nothing."""
        numbers = [number for pair in self.spent for number in pair]
        if not numbers or not all(isinstance(number, int) for number in numbers):
            return None
        return {"input_tokens": sum(numbers[::2]), "output_tokens": sum(numbers[1::2])}


def refusal(status: int, error: Mapping[str, Any], sent: Collection[str]) -> JudgeFailure:
    """Say what a server means by a status that is no success, and by the error in its body."""
    told = str(error.get("message") or "no reason given")
    text = " ".join(
        str(error.get(key) or "") for key in ("code", "type", "param", "message")
    ).lower()
    message = f"the server answered {status}: {told}"
    if parameter := _refused_parameter(status, error, text, sent):
        return ParameterRefused(parameter, message)
    code = _code(status, text)
    return JudgeFailure(code, f"{message}; {_ADVICE[code]}" if code in _ADVICE else message)


def _code(status: int, text: str) -> str:
    if status == 429:  # noqa: PLR2004 - too many requests
        return "quota" if any(sign in text for sign in _NO_QUOTA) else "rate-limited"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if any(sign in text for sign in _TOO_LONG):
        return "too-long"
    if any(sign in text for sign in _FORMAT):
        return "format-refused"
    return "unavailable" if status in _BUSY or status >= 500 else "rejected"  # noqa: PLR2004


def _refused_parameter(
    status: int, error: Mapping[str, Any], text: str, sent: Collection[str]
) -> str | None:
    """Name the optional parameter that a server refuses, if that is what it says."""
    if status not in {400, 422} or not any(sign in text for sign in _REFUSING):
        return None
    optional = [name for name in sent if name not in _INDISPENSABLE]
    if error.get("param"):
        return next((name for name in optional if name == error["param"]), None)
    return next((name for name in optional if re.search(rf"\b{re.escape(name)}\b", text)), None)


def seconds_to_wait(headers: Mapping[str, str], now: str) -> float | None:
    """Return how long a server asks to be left alone, if it says so in a way that can be read."""
    for name, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers[name]) / divisor)
        except (KeyError, ValueError):
            continue
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (moment - datetime.fromisoformat(now)).total_seconds())
    except (TypeError, ValueError):  # TypeError: a date without a time zone
        return None


def is_transient(failure: BaseException) -> bool:
    """Tell whether the same request may be sent again."""
    return isinstance(failure, JudgeFailure) and failure.code in _TRANSIENT


def without_secrets(text: str, key: str) -> str:
    """Keep a key out of a message, also where a server echoes it, and the message short."""
    return shorten(_SECRET.sub("[key]", text.replace(key, "[key]")), _LONGEST, placeholder="…")
