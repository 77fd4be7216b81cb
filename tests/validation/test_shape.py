"""A value in the wrong shape is shown in the right one, where it is obvious what is meant."""

from __future__ import annotations

import pytest

from flowjury.app.project import suite_model
from flowjury.documents import Document
from flowjury.errors import InputError
from flowjury.model import Model
from flowjury.validation import validate

CASE = {"id": "c", "input": 1}
SUITE = {"format": 1, "name": "s", "target": {"kind": "python", "call": "m:f"}, "cases": [CASE]}


class Table(Model):
    rows: tuple[dict[str, int], ...]


def faults(value):
    with pytest.raises(InputError) as raised:
        validate(Document({**SUITE, **value}, "s.json"), suite_model())
    return [f"{fault.pointer}: {fault.message}" for fault in raised.value.faults]


def of_case(value):
    return faults({"cases": [{**CASE, **value}]})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"trials": 3}, "/trials: 3 is not an object; write `{n: 3}`"),
        ({"mask": "k"}, "/mask: 'k' is not an array; write `[k]`"),
        ({"mask": "No"}, "/mask: 'No' is not an array; write `[\"No\"]`"),
        ({"mask": "two words"}, "/mask: 'two words' is not an array; write `[\"two words\"]`"),
        ({"ignore": {"a": "/x"}}, "/ignore/a: '/x' is not an array; write `[\"/x\"]`"),
        (
            {"target": "python"},
            "/target: 'python' is not an object; write `{kind: python, call: …}`",
        ),
        ({"target": "pyhton"}, "/target: 'pyhton' is not an object"),
        ({"trials": "often"}, "/trials: 'often' is not an object"),
        ({"mask": 3}, "/mask: 3 is not an array"),
        ({"cases": {"a": {"input": 1}}}, '/cases: {"a": {"input": 1}} is not an array'),
    ],
)
def test_a_part_of_a_suite_is_shown_as_it_should_be(value, message):
    assert faults(value) == [message]


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        (
            {"fixtures": [{"output": 1}]},
            ['/fixtures: [{"output": 1}] is not an object; write `{…: [{output: 1}]}`'],
        ),
        (
            {"fixtures": {"a": {"output": 1}}},
            ['/fixtures/a: {"output": 1} is not an array; write `[{output: 1}]`'],
        ),
        ({"checks": ["path"]}, ["/checks/0: 'path' is not an object; write `{kind: path}`"]),
        (
            {"checks": [{"path": {"must": ["a"]}}]},
            ["/checks/0: key 'kind' is missing; write `{kind: path, must: [a]}`"],
        ),
        (
            {"checks": {"kind": "path"}},
            ['/checks: {"kind": "path"} is not an array; write `[{kind: path}]`'],
        ),
        (
            {"expect": {"wait": "x"}},
            [
                "/expect: key 'error' is missing",
                "/expect/wait: 'wait' is not a key here: write `wait` alone",
            ],
        ),
        (
            {"rubric": {"criteria": ["kind"], "evidence": ["/output"]}},
            [
                "/rubric/criteria/0: 'kind' is not an object; write `{id: kind, text: …}`",
                "/rubric/evidence/0: '/output' is not an object; write `{at: \"/output\"}`",
            ],
        ),
        ({"tags": "x" * 79}, [f"/tags: '{'x' * 79}' is not an array"]),
    ],
)
def test_a_part_of_a_case_is_shown_as_it_should_be(value, messages):
    assert of_case(value) == [f"/cases/0{message}" for message in messages]


def test_an_object_for_a_list_of_objects_is_shown_as_its_item():
    with pytest.raises(InputError) as raised:
        validate(Document({"rows": {"a": 1}}, "t.json"), Table)

    assert raised.value.faults[0].message == '{"a": 1} is not an array; write `[{a: 1}]`'


def test_an_object_whose_only_key_is_no_tag_is_told_all_of_them():
    [fault] = of_case({"checks": [{"paht": {}}]})

    assert fault.startswith("/cases/0/checks/0: key 'kind' is missing; it is one of all, any, ")
