from __future__ import annotations

import jsonschema
import pytest
from pydantic import ValidationError

from flowjury.judging import check_answer, content_hash

from .conftest import Bench

APPLIES = [{"id": "a", "text": "A", "applies": "if paid"}, {"id": "b", "text": "B"}]


@pytest.mark.parametrize(
    ("rubric", "answers", "faults"),
    [
        ({}, {"a": "met", "b": "not-met"}, []),
        ({}, {"a": "met"}, ["half-filled: no answer to criterion 'b'"]),
        ({"criteria": APPLIES}, {"a": "not-applicable", "b": "met"}, []),
        (
            {"criteria": APPLIES},
            {"a": "met", "b": "not-applicable"},
            ["criterion 'b' cannot be not-applicable: it has no `applies`"],
        ),
        ({"minimum_score": 2}, {"a": "met", "b": "met", "score": 1}, []),
        (
            {"minimum_score": 2},
            {"a": "met", "b": "met"},
            ["half-filled: the request asks for a score from 1 to 5 and there is none"],
        ),
        ({}, {"a": "met", "b": "met", "score": 1}, []),
    ],
)
def test_an_answer_answers_exactly_what_is_asked(rubric, answers, faults):
    bench = Bench(rubric)

    assert check_answer(bench.request, bench.judgement(**answers)) == faults


def test_strange_and_doubled_answers_are_named():
    bench = Bench()
    rulings = [{"id": name, "verdict": "not-met"} for name in ("a", "b", "b", "names-manager")]

    judgement = bench.judgement(criteria=rulings)

    assert check_answer(bench.request, judgement) == [
        "criterion 'b' is answered 2 times",
        "no criterion is named 'names-manager'; asked are 'a', 'b'",
    ]


def test_an_answer_to_another_request_is_none():
    bench = Bench()

    judgement = bench.judgement(a="met", b="met", request="0" * 64)

    digest = bench.request.digest[:12]
    assert check_answer(bench.request, judgement) == [
        f"it answers request 000000000000, not {digest}"
    ]


@pytest.mark.parametrize(
    ("time", "message"),
    [("yesterday", "is not a time such as"), ("2026-01-01T00:00:00", "has no time zone")],
)
def test_an_answer_says_when_it_was_given(time, message):
    with pytest.raises(ValidationError, match=message):
        Bench().judgement(a="met", b="met", created=time)


@pytest.mark.parametrize("score", ["3", 3.5, 0, 6, True])
def test_a_score_is_neither_coerced_nor_clamped(score):
    with pytest.raises(ValidationError):
        Bench().judgement(a="met", b="met", score=score)


def test_the_schema_wants_quotes_and_reason_before_the_verdict():
    schema = Bench({"criteria": APPLIES, "minimum_score": 3}).request.answer_schema

    item = schema["properties"]["criteria"]["items"]
    assert list(item["properties"]) == ["id", "quotes", "reason", "verdict"]
    assert item["properties"]["id"]["enum"] == ["a", "b"]
    assert "not-applicable" in item["properties"]["verdict"]["enum"]
    assert "not-applicable" not in str(Bench().request.answer_schema)
    assert "score" not in str(Bench().request.answer_schema)


def test_the_schema_is_valid_and_takes_an_answer_as_a_model_writes_it():
    bench = Bench()
    answer = bench.judgement(a="met", b="cannot-tell").model_dump(mode="json")
    written = {key: answer[key] for key in ("criteria", "unsupported_claims")}

    jsonschema.Draft202012Validator.check_schema(bench.request.answer_schema)
    jsonschema.validate(written, bench.request.answer_schema)


def test_equal_answers_have_one_name_and_others_another():
    bench = Bench()

    assert content_hash(bench.judgement(a="met")) == content_hash(
        bench.judgement(a="met", score=None)
    )
    assert content_hash(bench.judgement(a="met")) != content_hash(bench.judgement(a="not-met"))


def test_a_lone_surrogate_in_an_answer_is_kept():
    ruling = {
        "verdict": "met",
        "quotes": [{"pointer": "/output", "text": "\ud83d"}],
        "reason": "\ud83d",
    }

    judgement = Bench(output="\ud83d!").judgement(a=ruling)

    assert judgement.criteria[0].quotes[0].text == "\ud83d"
    assert len(content_hash(judgement)) == 64
