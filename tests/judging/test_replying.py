from __future__ import annotations

import json
from typing import Any

import pytest

from flowjury.errors import JudgeFailure
from flowjury.judging import Reply, content_of, read_reply

RULING = {"id": "a", "quotes": [], "reason": "see ```json {} ```", "verdict": "met"}
GOOD: dict[str, Any] = {"criteria": [RULING], "unsupported_claims": []}
TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\n {json.dumps(GOOD, indent=2)}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```\n",
        f"Here it is: {TEXT} I hope it helps.",
        f"A brace {{ and then {TEXT}",
        f"Sure!\n```json\n{TEXT}\n```",
    ],
)
def test_json_is_read_pure_fenced_or_as_the_first_whole_object(text):
    assert read_reply(text) == Reply.model_validate(GOOD)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("All criteria are met.", "the reply holds no JSON object"),
        (TEXT[:-20], "the reply is no answer"),
        ('{"criteria": [], "criteria": [], "unsupported_claims": []}', "no JSON object"),
        ("[]", "the reply is no answer"),
        ("{}", "/criteria: Field required; /unsupported_claims: Field required"),
        (json.dumps({"criteria": [RULING]}), "/unsupported_claims: Field required"),
        (TEXT.replace('"met"', '"MET"'), "/criteria/0/verdict: Input should be 'met'"),
        (TEXT.replace('"verdict": "met"', '"x": 1'), "/criteria/0/verdict: Field required"),
        (json.dumps({**GOOD, "thoughts": "x"}), "/thoughts: Extra inputs are not permitted"),
        (json.dumps({**GOOD, "score": "5"}), "/score: Input should be a valid integer"),
        (json.dumps({**GOOD, "score": 98989}), "/score: Input should be less than or equal to 5"),
        ('{"score": 9.2e+999}', "no JSON object"),
        ("{" * 100_000, "no JSON object"),
    ],
)
def test_nothing_is_repaired_filled_in_or_clamped(text, message):
    with pytest.raises(ValueError, match=message):
        read_reply(text)


def test_a_lone_surrogate_is_kept():
    reply = read_reply(TEXT.replace("see", "\\ud83d"))

    assert reply.criteria[0].reason.startswith("\ud83d")


def completion(finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"finish_reason": finish, "message": message}]}


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ({"choices": []}, "garbled"),
        ({"error": {"message": "overloaded"}}, "garbled"),
        (completion("length", content="{"), "truncated"),
        (completion("length", content=None), "truncated"),
        (completion("content_filter", content=""), "filtered"),
        (completion(content=None, refusal="I can't"), "refused"),
        (completion(content=None), "empty"),
        (completion(content=" \n"), "empty"),
        (completion(content=["x"]), "empty"),
        ({"choices": [{"finish_reason": "stop", "message": None}]}, "empty"),
    ],
)
def test_a_completion_without_a_whole_text_is_a_failure_of_its_own_kind(reply, code):
    with pytest.raises(JudgeFailure) as caught:
        content_of(reply)

    assert caught.value.code == code


def test_a_whole_text_is_returned():
    assert content_of(completion(content="x")) == "x"
