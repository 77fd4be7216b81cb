from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Literal, Union

import pytest
from pydantic import Field, TypeAdapter, model_validator

from flowjury.documents import Document, parse
from flowjury.errors import InputError
from flowjury.model import JsonField, Model
from flowjury.validation import validate


class Path(Model):
    kind: Literal["path"]
    must: tuple[str, ...] = ()
    path: str = ""


class Value(Model):
    kind: Literal["value"]
    at: str = Field(pattern="^/")
    op: Literal["eq", "gte"] = "eq"
    value: JsonField = None
    n: int = Field(default=0, ge=0)


class All(Model):
    kind: Literal["all"]
    checks: tuple[AnyCheck, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _not_two(self):
        if len(self.checks) == 2:
            raise ValueError("two checks are one too many")
        return self


AnyCheck = Annotated[Union[Path, Value, All], Field(discriminator="kind")]  # noqa: UP007 - above
All.model_rebuild()


class Wrong(Model):
    type: str
    message: str | None = None


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Suite(Model):
    name: str = Field(default="s", min_length=1)
    target: AnyCheck | None = None
    checks: tuple[AnyCheck, ...] = ()
    expect: Literal["finished", "wait"] | Wrong = "wait"
    colour: Colour = Colour.RED
    with_: dict[str, list[int]] = Field(default_factory=dict, alias="with")
    usage: int | float | list[str] | None = None
    more: dict[str, list[Wrong]] = Field(default_factory=dict)
    flag: bool = False
    seconds: float = Field(default=1, gt=0)


def faults(value: object, model: object = Suite) -> list[str]:
    """Return what is said of a value, written as YAML in one line."""
    document = parse(json.dumps(value), name="s.yaml")
    with pytest.raises(InputError) as raised:
        validate(document, model)
    return [line.removeprefix("s.yaml:1: ") for line in str(raised.value).splitlines()]


def test_a_valid_document_becomes_the_model():
    document = parse("name: a\nchecks:\n- {kind: path, must: [b]}", name="s.yaml")

    assert validate(document, Suite) == Suite(name="a", checks=[Path(kind="path", must=["b"])])


def test_a_type_adapter_may_stand_for_a_model():
    document = parse("[1, 2]", name="s.yaml")

    assert validate(document, TypeAdapter(tuple[int, ...])) == (1, 2)
    assert faults(["x"], TypeAdapter(list[int])) == ["/0: 'x' is not an integer"]


def test_faults_are_in_the_order_of_the_file():
    text = "flag: x\nchecks:\n" + "- {kind: path}\n" * 2 + "- {kind: pth}\n" * 9 + "name: 3\n"
    with pytest.raises(InputError) as raised:
        validate(parse(text, name="s.yaml"), Suite)

    assert [(fault.line, fault.pointer) for fault in raised.value.faults] == [
        (1, "/flag"),
        *[(n + 3, f"/checks/{n}/kind") for n in range(2, 11)],
        (14, "/name"),
    ]


KNOWN = "(known: checks, colour, expect, flag, more, name, seconds, target, usage, with)"


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ({"chekcs": []}, [f"/chekcs: 'chekcs' is not a key here; nearest is 'checks' {KNOWN}"]),
        ({"zzz": 1, "with_": {}}, [f"/zzz: 'zzz' is not a key here {KNOWN}"]),
        (
            {"expect": {"typ": "x", "z": 1}},
            [
                "/expect/typ: 'typ' is not a key here; nearest is 'type' (known: message, type)",
                "/expect/z: 'z' is not a key here (known: message, type)",
            ],
        ),
        (
            {"checks": [{"kind": "value", "att": "/", "value": {"at": 1}}]},
            [
                ("/checks/0/att: 'att' is not a key here; nearest is 'at'"
                " (known: at, kind, n, op, value)")
            ],
        ),
        (
            {"target": {"kind": "all", "checks": [{"kind": "path", "path": "x", "mst": 1}]}},
            [("/target/checks/0/mst: 'mst' is not a key here; nearest is 'must' "
             "(known: kind, must, path)")],
        ),
    ],
)  # fmt: skip
def test_an_unknown_key_is_shown_with_the_nearest_of_its_place(value, messages):
    assert faults(value) == messages


TAGS = "(known: all, path, value)"


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        (
            {"checks": [{"kind": "pth", "must": []}]},
            [f"/checks/0/kind: 'pth' is not a kind of check; nearest is 'path' {TAGS}"],
        ),
        ({"target": {"kind": 3}}, [f"/target/kind: 3 is not a kind of target {TAGS}"]),
        ({"target": {"kind": ["x"]}}, [f'/target/kind: ["x"] is not a kind of target {TAGS}']),
        ({"checks": [{}]}, ["/checks/0: key 'kind' is missing; it is one of all, path, value"]),
        ({"checks": ["path"]}, ["/checks/0: 'path' is not an object; write `{kind: path}`"]),
    ],
)
def test_a_wrong_tag_is_one_fault_with_the_nearest_tag(value, messages):
    assert faults(value) == messages


def test_a_wrong_tag_at_the_root_is_a_known_kind():
    assert faults({"kind": "pth"}, TypeAdapter(AnyCheck)) == [
        f"/kind: 'pth' is not a known kind; nearest is 'path' {TAGS}"
    ]


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ([], ["[] is not an object"]),
        (
            {"more": {"a": [{"type": ""}, {"tpe": ""}]}},
            ["/more/a/1/tpe: 'tpe' is not a key here; nearest is 'type' (known: message, type)"],
        ),
        ({"name": None}, ["/name: null is not a string"]),
        ({"checks": {}}, ["/checks: {} is not an array"]),
        ({"flag": "maybe"}, ["/flag: 'maybe' is not true or false"]),
        ({"seconds": []}, ["/seconds: [] is not a number"]),
        ({"seconds": -1}, ["/seconds: -1 is not greater than 0"]),
        ({"name": ""}, ["/name: '' is too short; the minimum length is 1"]),
        ({"colour": "bleu"}, ["/colour: 'bleu' is not one of red, blue; nearest is 'blue'"]),
        ({"with": {"a/b": [1, "x"]}}, ["/with/a~1b/1: 'x' is not an integer"]),
        ({"with": {"a": True}}, ["/with/a: true is not an array"]),
        ({"name": ["x" * 99]}, [f'/name: ["{"x" * 78}… (1 items) is not a string']),
        ({"with": "x" * 99}, [f"/with: '{'x' * 80}'… is not an object"]),
    ],
)
def test_a_wrong_value_is_shown_with_what_would_be_right(value, messages):
    assert faults(value) == messages


@pytest.mark.parametrize(
    ("check", "messages"),
    [
        ({"kind": "value", "value": {"at": 1}}, ["/checks/0: key 'at' is missing"]),
        (
            {"kind": "value", "at": "/", "value": "x", "op": "x"},
            ["/checks/0/op: 'x' is not one of eq, gte"],
        ),
        ({"kind": "value", "at": "/", "value": 3, "n": -3}, ["/checks/0/n: -3 is not at least 0"]),
        ({"kind": "value", "at": "x"}, ["/checks/0/at: 'x' does not match the pattern ^/"]),
        ({"kind": "path", "path": 3}, ["/checks/0/path: 3 is not a string"]),
        (
            {"kind": "all", "checks": [{"kind": "path"}] * 2},
            ["/checks/0: two checks are one too many"],
        ),
    ],
)
def test_a_pointer_has_no_tags_even_where_a_key_is_called_like_one(check, messages):
    assert faults({"checks": [check]}) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        (
            {"expect": "finishd"},
            [
                ("/expect: 'finishd' is not one of finished, wait or an object;"
                " nearest is 'finished'")
            ],
        ),
        ({"expect": {"message": "x"}}, ["/expect: key 'type' is missing"]),
        ({"usage": "x"}, ["/usage: 'x' is not a number or an array; write `[x]`"]),
        ({"usage": [1]}, ["/usage/0: 1 is not a string"]),
    ],
)  # fmt: skip
def test_a_union_without_a_tag_is_one_fault_of_the_branch_that_was_meant(value, messages):
    assert faults(value) == messages


def test_lone_surrogates_do_no_harm():
    document = Document({"name": "\ud800", "\ud801": 1}, "s.json")
    with pytest.raises(InputError) as raised:
        validate(document, Suite)

    assert str(raised.value).isascii()


def test_ten_thousand_faults_are_all_found():
    document = parse(json.dumps({"checks": [{"kind": "pth"}] * 10_000}), name="s.json")
    with pytest.raises(InputError) as raised:
        validate(document, Suite)

    assert len(raised.value.faults) == 10_000


class Client(Model):
    api_key: str
    n: int


def test_a_fault_does_not_show_a_secret():
    key = f"sk-{'a' * 20}"
    document = Document({"api_key": [f"{key}"], "n": f"key {key}", key: 1}, "s.json")
    with pytest.raises(InputError) as raised:
        validate(document, Client)

    assert [fault.message for fault in raised.value.faults] == [
        "'***' is not a string",
        "'key ***' is not an integer",
        "'***' is not a key here (known: api_key, n)",
    ]
