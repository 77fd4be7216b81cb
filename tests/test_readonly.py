from __future__ import annotations

import copy

import pytest

from flowjury.json_values import dumps
from flowjury.readonly import readonly

VALUE = {"list": [1, {"a": [2]}], "text": "x", "none": None}

CHANGES = [
    lambda v: v.update(a=1),
    lambda v: v.__setitem__("text", 1),
    lambda v: v.__delitem__("text"),
    lambda v: v.pop("text"),
    lambda v: v.popitem(),
    lambda v: v.clear(),
    lambda v: v.setdefault("new", 1),
    lambda v: v.__ior__({"a": 1}),
    lambda v: v["list"].append(1),
    lambda v: v["list"].extend([1]),
    lambda v: v["list"].insert(0, 1),
    lambda v: v["list"].pop(),
    lambda v: v["list"].remove(1),
    lambda v: v["list"].reverse(),
    lambda v: v["list"].sort(),
    lambda v: v["list"].clear(),
    lambda v: v["list"].__setitem__(0, 1),
    lambda v: v["list"].__delitem__(0),
    lambda v: v["list"].__iadd__([1]),
    lambda v: v["list"].__imul__(2),
    lambda v: v["list"][1]["a"].append(3),
]


def test_it_equals_what_it_was_made_of_and_reads_the_same():
    made = readonly(VALUE)

    assert made == VALUE
    assert dumps(made) == dumps(VALUE)
    assert (made["list"][1]["a"][0], [*made], readonly((1, 2))) == (2, [*VALUE], [1, 2])


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_refused_with_a_way_out(change):
    made = readonly(VALUE)

    with pytest.raises(TypeError, match=r"cannot be changed; copy it first \(copy\.deepcopy"):
        change(made)

    assert made == VALUE


def test_a_deep_copy_is_plain_and_can_be_changed():
    copied = copy.deepcopy(readonly(VALUE))
    copied["list"][1]["a"].append(3)

    assert copied["list"] == [1, {"a": [2, 3]}]
    assert (type(copied), type(copied["list"])) == (dict, list)


def test_what_it_was_made_of_is_left_alone():
    value = {"a": [1]}
    made = readonly(value)
    value["a"].append(2)

    assert made == {"a": [1]}
