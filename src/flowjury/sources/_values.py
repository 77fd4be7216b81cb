"""Values: what a span says was given, answered, raised, spent and said to models."""

from __future__ import annotations

import re
from typing import Final

from flowjury.json_values import loads
from flowjury.model import Json
from flowjury.sources._spans import Event, Span, plain
from flowjury.trace import Raised

_ENTITY: Final = ("traceloop.entity", "ioa_observe.entity")
_JSON: Final = "json"
_WRAPPED: Final = ("inputs", "outputs", "output")
_WRAPPING: Final = frozenset({"tags", "metadata", "kwargs", "input_str"})
"""What an instrumentation of LangChain puts beside a value."""
_NAMED: Final = {
    "input": ("haystack.component.input", "gen_ai.task.input", "gen_ai.input.messages"),
    "output": ("haystack.component.output", "gen_ai.task.output", "gen_ai.output.messages"),
}
_TOOL: Final = {
    "arguments": ("gen_ai.tool.call.arguments", "tool_arguments", "tool.parameters"),
    "result": ("gen_ai.tool.call.result", "tool_response"),
}
_SPENT: Final = {
    "input_tokens": (
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "llm.token_count.prompt",
        "llm.usage.prompt_tokens",
    ),
    "output_tokens": (
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.token_count.completion",
        "llm.usage.completion_tokens",
    ),
    "cost_usd": ("gen_ai.usage.cost", "llm.cost.total"),
}
_NUMBERED: Final = re.compile(
    r"(?P<list>gen_ai\.prompt|gen_ai\.completion|llm\.input_messages|llm\.output_messages)"
    r"\.(?P<number>\d{1,6})\.(?:message\.)?(?P<key>.+)"
)
_SAID: Final = {
    "input": ("gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages"),
    "output": ("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages"),
}
_PART: Final = re.compile(
    r"(?:(?P<call>tool_calls)|contents)\.(?P<number>\d{1,6})\."
    r"(?:tool_call\.|message_content\.)?(?:function\.)?(?P<key>.+)"
)


def side(span: Span, which: str) -> list[Json]:
    """Return what was given or answered, in a list; an empty one where it was not recorded."""
    value = span.attributes.get(f"{which}.value")
    if value is not None:
        mime = span.text(f"{which}.mime_type") or ""
        return [_decoded(value) if mime.endswith(_JSON) else value]
    if (value := span.first(*(f"{start}.{which}" for start in _ENTITY))) is not None:
        return [_unwrapped(_decoded(value))]
    return [_decoded(each) for each in [span.first(*_NAMED[which])] if each is not None]


def tool_side(span: Span, which: str) -> list[Json]:
    """Return the arguments or the result of a call, in a list; empty where not recorded."""
    value = span.first(*_TOOL[which])
    if value is not None:
        return [_unwrapped(_decoded(value))]
    return side(span, "input" if which == "arguments" else "output")


def spent(span: Span) -> dict[str, int | float]:
    """Return what a span says was spent, by unit."""
    found = {unit: _amount(span.first(*keys)) for unit, keys in _SPENT.items()}
    return {unit: number for unit, number in found.items() if number is not None}


def raised(span: Span) -> Raised | None:
    """Return the exception that a span ended by, or what its status says instead."""
    event = _exception(span)
    if event is not None:
        kind, text = (event.attributes.get(f"exception.{key}") for key in ("type", "message"))
        return Raised(
            type=_class_name(kind or "Exception"), message=plain(str(text or span.message))
        )
    if span.status != "error":
        return None
    kind = span.first("error.type", "exception.type") or "Error"
    text = span.first("exception.message", "error.message") or span.message
    return Raised(type=_class_name(kind), message=plain(str(text)))


def said(span: Span, which: str) -> list[Json]:
    """Return the messages that a model was given, or that it answered."""
    whole, *numbered = _SAID[which]
    value = _decoded(span.attributes.get(whole))
    if isinstance(value, list):
        return [_message(each) for each in value]
    return next(filter(None, (_numbered(span, key) for key in numbered)), [])


def _decoded(value: Json) -> Json:
    """Read text that is JSON of a list or an object; other text stays."""
    if isinstance(value, str) and value[:1] in {"{", "["}:
        try:
            return loads(value)
        except ValueError:
            return value
    return value


def _unwrapped(value: Json) -> Json:
    """Take a value out of what an instrumentation of LangChain wraps around it."""
    if not isinstance(value, dict) or _WRAPPING.isdisjoint(value):
        return value
    inner = [key for key in _WRAPPED if key in value]
    return value[inner[0]] if len(inner) == 1 and value.keys() - _WRAPPING == {*inner} else value


def _amount(value: Json) -> int | float | None:
    """Return a number that is no less than nothing; some exporters write it as text."""
    if isinstance(value, str) and value.isdecimal() and value.isascii():
        return int(value)
    usable = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return value if usable else None


def _exception(span: Span) -> Event | None:
    """Return the last exception that was told; the cause comes before what it became."""
    found = (event for event in reversed(span.events) if event.name == "exception")
    return next(found, None)


def _class_name(kind: Json) -> str:
    return plain(str(kind)).rpartition(".")[2] or "Error"


def _message(value: Json) -> Json:
    """Write a message of parts as one with content, if text is all that it has."""
    parts = value.get("parts") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(parts, list):
        return value
    return {key: item for key, item in value.items() if key != "parts"} | {
        "content": _joined(parts)
    }


def _joined(parts: list[Json]) -> Json:
    texts = [_text(part) for part in parts]
    return parts if None in texts else "".join(filter(None, texts))


def _text(part: Json) -> str | None:
    """Return the text of a part of a message, if it is one of text."""
    if not isinstance(part, dict) or part.get("type") != "text":
        return None
    text = part.get("content", part.get("text"))
    return text if isinstance(text, str) else None


def _numbered(span: Span, start: str) -> list[Json]:
    """Gather the messages of which each part is an attribute of its own."""
    messages: dict[int, dict[str, Json]] = {}
    parts: dict[tuple[int, str], dict[int, dict[str, Json]]] = {}
    for key, value in span.attributes.items():
        if not key.startswith(start) or (found := _NUMBERED.fullmatch(key)) is None:
            continue
        number = int(found["number"])
        message = messages.setdefault(number, {})
        if part := _PART.fullmatch(found["key"]):
            name = "tool_calls" if part["call"] else "content"
            listed = parts.setdefault((number, name), {})
            listed.setdefault(int(part["number"]), {})[part["key"]] = value
        else:
            message[found["key"]] = value
    for (number, name), listed in parts.items():
        ordered: list[Json] = [listed[each] for each in sorted(listed)]
        messages[number][name] = _joined(ordered) if name == "content" else ordered
    return [messages[number] for number in sorted(messages)]
