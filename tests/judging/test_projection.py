from __future__ import annotations

from typing import Any

import pytest

from flowjury.json_values import opaque
from flowjury.judging.projection import Unaskable, project
from flowjury.rubric import Projection

from .conftest import evidence_of

DOC = {"text": "on 2026-01-31", "id": 7, "list": ["a", "b", "c"], "deep": {"x": 1, "y": None}}


def projected(output: Any, *items: dict[str, Any]) -> Any:
    evidence = evidence_of(output=output, input="in")
    return project([Projection.model_validate(item) for item in items], evidence)


@pytest.mark.parametrize(
    ("item", "seen"),
    [
        ({"at": "/output/text"}, "on 2026-01-31"),
        ({"at": "/output/deep", "drop": ["/x"]}, {"y": None}),
        ({"at": "/output/deep", "drop": ["/x/z", "/nowhere", "/y"]}, {"x": 1}),
        ({"at": "/output/list", "drop": ["/0", "/1", "/9", "/01"]}, ["c"]),
        (
            {"at": "/output/text", "replace": [{"regex": r"\d+", "with": r"\1{}"}]},
            r"on \1{}-\1{}-\1{}",
        ),
        (
            {
                "at": "/output/list",
                "replace": [{"regex": "a", "with": "b"}, {"regex": "b", "with": "c"}],
            },
            ["c", "c", "c"],
        ),
        ({"at": "/output/deep", "replace": [{"regex": "x", "with": "z"}]}, {"x": 1, "y": None}),
        ({"at": "/output/nope", "optional": True}, {"absent": True}),
        ({"at": "/tools", "optional": True}, {"absent": True}),
    ],
)
def test_a_judge_sees_the_value_without_what_is_dropped_and_with_what_is_replaced(item, seen):
    assert projected(DOC, {"at": "/input"}, item) == {"/input": "in", item["at"]: seen}


def test_projecting_leaves_the_evidence_as_it_was():
    output = {"a": {"b": "x", "c": 1}}

    projected(output, {"at": "/output", "drop": ["/a/c"], "replace": [{"regex": "x", "with": "y"}]})

    assert output == {"a": {"b": "x", "c": 1}}


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (
            {"at": "/output/texd"},
            "/output/texd: /output resolves, 'texd' is not a key there; nearest is 'text'",
        ),
        ({"at": "/tools"}, "/tools: tools was not recorded"),
        ({"at": "/nodes/a/0/output"}, "/nodes/a/0/output: nodes was not recorded"),
    ],
)
def test_what_is_not_there_or_was_not_recorded_cannot_be_judged(item, reason):
    assert projected(DOC, item) == Unaskable(reason)


@pytest.mark.parametrize("at", ["/output", "/output/o", "/output/o/text"])
@pytest.mark.parametrize("optional", [False, True])
def test_what_could_not_be_recorded_as_json_cannot_be_judged(at, optional):
    output = {"text": "x", "o": opaque("float", "NaN")}

    seen = projected(output, {"at": at, "optional": optional})

    assert seen == Unaskable(f"{at} holds what could not be recorded as JSON")


def test_what_could_not_be_recorded_may_be_dropped():
    output = {"text": "x", "o": opaque("float", "NaN")}

    assert projected(output, {"at": "/output", "drop": ["/o"]}) == {"/output": {"text": "x"}}


def test_a_lone_surrogate_is_shown_but_cannot_be_searched():
    rule = {"regex": "x", "with": "y"}

    assert projected("\ud83d x", {"at": "/output"}) == {"/output": "\ud83d x"}
    assert projected(["\ud83d x"], {"at": "/output", "replace": [rule]}) == Unaskable(
        "/output cannot be searched: a text in it holds a lone surrogate"
    )


@pytest.mark.parametrize(
    "blank", ["", " \n\t\u200b\ufeff", None, [], {}, [None, ""], {"text": " "}]
)
def test_blank_evidence_is_nothing_to_judge(blank):
    items = {"at": "/output"}, {"at": "/output/nope/deep", "optional": True}

    assert projected(blank, *items) == Unaskable(
        "nothing to judge: /output, /output/nope/deep hold no text, number or truth value"
    )


@pytest.mark.parametrize("content", [0, False, ".", {"text": " ", "n": 0}])
def test_a_number_a_truth_value_or_visible_text_is_something_to_judge(content):
    assert projected(content, {"at": "/output"}) == {"/output": content}


def test_evidence_that_is_wholly_dropped_is_nothing_to_judge():
    assert isinstance(projected(DOC, {"at": "/output", "drop": [""]}), Unaskable)
