"""The reply: what a model wrote, read as an answer; nothing is repaired or filled in."""

from __future__ import annotations

import json
import re
from typing import Final

from pydantic import Field, ValidationError

from flowjury.errors import JudgeFailure
from flowjury.json_values import loads_strict
from flowjury.model import Json, Model
from flowjury.request import Ruling

_FENCE: Final = re.compile(r"\A\s*```[A-Za-z]*\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)
_DECODER: Final = json.JSONDecoder()
_MOST_TRIES: Final = 100


class Reply(Model):
    """The part of a judgement that a model itself writes."""

    criteria: tuple[Ruling, ...]
    """One answer per criterion."""
    unsupported_claims: tuple[str, ...]
    """Claims of the judged text that the evidence does not support."""
    score: int | None = Field(default=None, ge=1, le=5, strict=True)
    """From 1 to 5, where one is asked for."""


def content_of(completion: Json) -> str:
    """Return the text of a chat completion that was written to its end.

    Raises:
        JudgeFailure: there is none, it was cut off, filtered or refused.
    """
    choices = completion.get("choices")
    if not choices:
        told = completion.get("error") or "no choices"
        raise JudgeFailure("garbled", f"the reply holds no answer: {told}")
    message = choices[0].get("message") or {}
    content = message.get("content")
    if choices[0].get("finish_reason") == "length":
        raise JudgeFailure("truncated", "the answer was cut off; raise max_output_tokens")
    if choices[0].get("finish_reason") == "content_filter":
        raise JudgeFailure("filtered", "the server's content filter stopped the answer")
    if message.get("refusal"):
        raise JudgeFailure("refused", f"the model refused: {message['refusal']}")
    if not isinstance(content, str) or not content.strip():
        raise JudgeFailure("empty", "the model wrote nothing")
    return content


def read_reply(text: str) -> Reply:
    """Read a reply: pure JSON, else fenced JSON, else the first whole object in the text.

    Raises:
        ValueError: there is no such object, or it is no answer; the reply itself is not quoted.
    """
    try:
        return Reply.model_validate(_value(text))
    except ValidationError as error:
        faults = (
            f"/{'/'.join(map(str, fault['loc']))}: {fault['msg']}"
            for fault in error.errors(include_input=False, include_url=False)
        )
        raise ValueError(f"the reply is no answer: {'; '.join(faults)}") from None


def _value(text: str) -> Json:
    fence = _FENCE.match(text)
    for candidate in (text, fence[1] if fence else None, _first_object(text)):
        if candidate is None:
            continue
        try:
            return loads_strict(candidate)
        except ValueError:
            continue
    raise ValueError("the reply holds no JSON object")


def _first_object(text: str) -> str | None:
    start = text.find("{")
    for _ in range(_MOST_TRIES):
        if start < 0:
            return None
        try:
            _, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
        else:
            return text[start:end]
    return None
