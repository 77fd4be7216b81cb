from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from flowjury.errors import JudgeFailure
from flowjury.judging import chat

PLAN = chat.Plan(
    mode="json_schema",
    auto=True,
    cap=100,
    cap_name="max_tokens",
    wanted={"temperature": 0, "seed": None},
)
SENT = {"model", "messages", "temperature", "seed", "max_tokens", "response_format"}


@pytest.mark.parametrize(
    ("mode", "form"),
    [
        (
            "json_schema",
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "strict": True, "schema": {"x": 1}},
                }
            },
        ),
        ("json_object", {"response_format": {"type": "json_object"}}),
        ("none", {}),
    ],
)
def test_a_plan_sends_what_is_wanted_and_not_refused(mode, form):
    plan = replace(PLAN, mode=mode)

    assert plan.parameters({"x": 1}) == {"temperature": 0, "max_tokens": 100, **form}
    assert (
        replace(plan, without=frozenset({"temperature", "max_tokens"})).parameters({"x": 1}) == form
    )


@pytest.mark.parametrize("code", ["format-refused", "malformed", "half-filled"])
def test_the_mode_is_weakened_step_by_step(code):
    failure = JudgeFailure(code, "")

    second = PLAN.after(failure)
    third = second and second.after(failure)

    assert second == replace(PLAN, mode="json_object", tried=frozenset({code}))
    assert third == replace(PLAN, mode="none", tried=frozenset({code}))
    assert third is not None
    assert third.after(failure) is None
    assert third.learned(100) == replace(PLAN, mode="none")


def test_a_mode_that_was_chosen_stays():
    chosen = replace(PLAN, auto=False)

    assert chosen.after(JudgeFailure("format-refused", "")) is None
    again = chosen.after(JudgeFailure("malformed", ""))
    assert again == replace(chosen, tried=frozenset({"malformed"}))
    assert again is not None
    assert again.after(JudgeFailure("malformed", "")) is None


def test_an_answer_that_was_cut_off_gets_one_more_try_with_twice_the_room():
    again = PLAN.after(JudgeFailure("truncated", ""))

    assert again == replace(PLAN, cap=200, tried=frozenset({"truncated"}))
    assert again is not None
    assert again.after(JudgeFailure("truncated", "")) is None
    assert again.learned(100) == PLAN


@pytest.mark.parametrize("code", ["refused", "filtered", "auth", "quota", "too-long", "rejected"])
def test_other_failures_leave_no_way(code):
    assert PLAN.after(JudgeFailure(code, "")) is None


def test_a_parameter_is_dropped_once():
    failure = chat.ParameterRefused("temperature", "")

    again = PLAN.after(failure)

    assert again == replace(PLAN, without=frozenset({"temperature"}))
    assert again is not None
    assert again.after(failure) is None


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (429, {"code": "rate_limit_exceeded"}, "rate-limited"),
        (429, {"code": "insufficient_quota"}, "quota"),
        (429, {"type": "billing_hard_limit_reached"}, "quota"),
        (401, {}, "auth"),
        (403, {}, "auth"),
        (404, {}, "not-found"),
        (413, {}, "too-long"),
        (400, {"code": "context_length_exceeded"}, "too-long"),
        (400, {"code": 400, "type": "exceed_context_size_error"}, "too-long"),
        (400, {"message": "This model's maximum context length is 8192"}, "too-long"),
        (400, {"message": "does not support response format `json_schema`"}, "format-refused"),
        (500, {"message": "json_schema"}, "format-refused"),
        (422, {"param": "response_format", "message": "unknown"}, "format-refused"),
        (400, {"message": "The model `x` does not support messages"}, "rejected"),
        (422, {}, "rejected"),
        (408, {}, "unavailable"),
        (409, {}, "unavailable"),
        (425, {}, "unavailable"),
        (500, {}, "unavailable"),
        (529, {}, "unavailable"),
    ],
)
def test_a_refusal_has_one_meaning(status, error, code):
    failure = chat.refusal(status, error, SENT)

    assert failure.code == code
    assert str(failure).startswith(f"the server answered {status}: ")


@pytest.mark.parametrize(
    ("error", "parameter"),
    [
        ({"code": "unsupported_value", "param": "temperature"}, "temperature"),
        ({"message": "Unsupported value: 'temperature' does not support 0"}, "temperature"),
        ({"code": "unsupported_parameter", "param": "max_tokens"}, "max_tokens"),
        ({"message": "Unknown argument: seed"}, "seed"),
    ],
)
def test_a_refused_parameter_is_named(error, parameter):
    failure = chat.refusal(400, error, SENT)

    assert isinstance(failure, chat.ParameterRefused)
    assert failure.parameter == parameter


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3),
        ({"retry-after": "-3"}, 0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30),
        ({"retry-after": "Wed, 31 Dec 2025 00:00:00 GMT"}, 0),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:30"}, None),
        ({"retry-after": "soon"}, None),
    ],
)
def test_a_server_may_say_how_long_to_wait(headers, seconds):
    assert chat.seconds_to_wait(headers, "2026-01-01T00:00:00Z") == seconds


def test_usage_is_summed_over_every_reply():
    tally = chat.Tally()

    tally.add(SimpleNamespace(prompt_tokens=1, completion_tokens=2))
    tally.add(SimpleNamespace(prompt_tokens=10, completion_tokens=20))

    assert tally.usage == {"input_tokens": 11, "output_tokens": 22}


def test_usage_is_unknown_where_one_reply_reports_none():
    tally = chat.Tally()
    assert tally.usage is None

    tally.add(None)
    tally.add(SimpleNamespace(prompt_tokens=1, completion_tokens=2))

    assert tally.usage is None


def test_no_key_is_in_a_message_and_a_message_is_short():
    text = "key my-key, sk-proj-abc*** and Bearer xyz " + "word " * 200

    safe = chat.without_secrets(text, "my-key")

    assert safe.startswith("key [key], [key] and Bearer [key] word")
    assert len(safe) <= 400
