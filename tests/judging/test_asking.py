from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from flowjury.judging import ask
from flowjury.request import Request
from flowjury.rubric import Rubric

from .conftest import Bench, evidence_of

VECTORS = json.loads((Path(__file__).parents[1] / "golden/requests.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_digest_is_that_of_the_published_vectors(vector):
    request = ask(
        "s", "c", None, Rubric.model_validate(vector["rubric"]), evidence_of(**vector["trace"])
    )

    assert isinstance(request, Request)
    assert hashlib.sha256(vector["canonical"].encode()).hexdigest() == vector["digest"]
    assert request.digest == vector["digest"]


BASE = {"criteria": [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}], "question": "Q"}


@pytest.mark.parametrize(
    "same",
    [
        {"minimum_score": 3},
        {"unsupported_claims": "warn"},
        {"agreement": "unanimous"},
        {"calibration": {"labels": 10}},
        {"criteria": [{"id": "b", "text": "B", "required": False}, {"id": "a", "text": "A"}]},
    ],
)
def test_thresholds_policies_and_order_leave_the_question_the_same(same):
    assert Bench({**BASE, **same}).request.digest == Bench(BASE).request.digest


@pytest.mark.parametrize(
    "other",
    [
        {"question": "P"},
        {"criteria": [{"id": "a", "text": "A"}]},
        {"criteria": [{"id": "a", "text": "B"}, {"id": "b", "text": "A"}]},
        {"criteria": [{"id": "a", "text": "A", "applies": "x"}, {"id": "b", "text": "B"}]},
        {"criteria": [{"id": "a", "text": "A", "reference": 1}, {"id": "b", "text": "B"}]},
        {"criteria": [{"id": "a", "text": "A", "quote": False}, {"id": "b", "text": "B"}]},
        {"evidence": [{"at": "/output", "drop": ["/message"]}, {"at": "/status"}]},
    ],
)
def test_what_a_judge_reads_makes_another_question(other):
    assert Bench({**BASE, **other}).request.digest != Bench(BASE).request.digest


def test_names_of_suite_case_and_step_leave_the_question_the_same():
    rubric, evidence = Bench().rubric, evidence_of(output="x")

    one = ask("s", "c", None, rubric, evidence)
    other = ask("t", "d", "step", rubric, evidence)

    assert isinstance(one, Request)
    assert isinstance(other, Request)
    assert one.digest == other.digest
    assert (other.suite, other.case, other.step) == ("t", "d", "step")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values)
def test_evidence_that_was_dropped_does_not_count(one, other):
    dropping = {"evidence": [{"at": "/output", "drop": ["/noise"]}]}

    digests = {
        Bench(dropping, {"text": "x", "noise": noise}).request.digest for noise in (one, other)
    }

    assert len(digests) == 1


@pytest.mark.parametrize(
    ("double", "message"),
    [
        ({"criteria": [{"id": "a", "text": "A"}, {"id": "a", "text": "B"}]}, "criterion id .* 'a'"),
        ({"evidence": [{"at": "/output"}, {"at": "/output"}]}, "evidence pointer .* '/output'"),
    ],
)
def test_a_rubric_names_each_criterion_and_each_item_once(double, message):
    with pytest.raises(ValidationError, match=message):
        Bench(double)


def test_a_request_carries_what_a_judge_needs():
    bench = Bench({"question": "Q", "minimum_score": 3})

    assert bench.request.question == "Q"
    assert [criterion.id for criterion in bench.request.criteria] == ["a", "b"]
    assert bench.request.evidence == {
        "/output": {"message": "A manager must approve  the refund\nof 700."}
    }
    assert bench.request.digest in bench.request.instructions
    assert "flowjury attach FILE" in bench.request.instructions
    assert "score" in bench.request.answer_schema["required"]


def test_where_there_is_nothing_to_judge_there_is_no_request():
    assert Bench(output=" ").refusal.startswith("nothing to judge: /output")
