from __future__ import annotations

import dataclasses
import math
from collections import OrderedDict, namedtuple
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from flowjury.json_values import NESTING_LIMIT, depth, dumps, is_opaque, loads, opaque
from flowjury.snapshot import snapshot

HERE = __name__


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    BIG = 2


class Plain(Enum):
    ONE = 1


class Celsius(float):
    pass


@dataclasses.dataclass
class Order:
    id: str
    lines: list[object]
    note: object = None


@dataclasses.dataclass(slots=True)
class Slotted:
    id: int
    unset: int = dataclasses.field(init=False)


class Message(BaseModel):
    model_config = ConfigDict(extra="allow")

    role: str
    content: Any


class Old:
    """It looks as a model of pydantic 1 does."""

    __fields__ = {"a": None}  # noqa: RUF012 - as pydantic 1 has it

    def __init__(self) -> None:
        self.a = (1, 2)


Point = namedtuple("Point", "x y")  # noqa: PYI024 - the untyped kind is a case of its own


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


class Leaving:
    def __repr__(self):
        raise SystemExit(0)


class Hostile:
    __pydantic_fields__ = {"a": None}  # noqa: RUF012 - as pydantic has it

    def __getattr__(self, name: str) -> object:
        raise ValueError(name)

    def __repr__(self) -> str:
        return "Hostile at 0x7f00dead, id='1234'"


class Sly(dict):
    def items(self):
        raise RuntimeError

    __iter__ = keys = copy = items


class SlyList(list):
    def __iter__(self):
        raise RuntimeError


def opaque_of(name: str, text: str) -> object:
    return opaque(f"{HERE}.{name}", text)


@pytest.mark.parametrize(
    ("live", "copy"),
    [
        (None, None),
        (True, True),
        (10**300, 10**300),
        (1.5, 1.5),
        ("é\ud800", "é\ud800"),
        ("\ud83d\ude00", "😀"),
        (["\ud83d\ude00", 1.5], ["😀", 1.5]),
        ({"\ud83d\ude00": "é"}, {"😀": "é"}),
        (Colour.RED, "red"),
        (Size.BIG, 2),
        (Celsius(2.5), 2.5),
        ({Colour.RED: Size.BIG, "b": Colour.RED}, {"red": 2, "b": "red"}),
        ((1, (2, [3])), [1, [2, [3]]]),
        (OrderedDict(b=1, a=(2,)), {"b": 1, "a": [2]}),
        (Sly(a=1), {"a": 1}),
        (SlyList([1, (2,)]), [1, [2]]),
        (Point(1, (2,)), {"x": 1, "y": [2]}),
        (Order("A", [Point(1, 2)]), {"id": "A", "lines": [{"x": 1, "y": 2}], "note": None}),
        ([Message(role="user", content=["hi"])], [{"role": "user", "content": ["hi"]}]),
        (Message(role="user", content=1, extra=(2,)), {"role": "user", "content": 1, "extra": [2]}),
        (Old(), {"a": [1, 2]}),
    ],
)
def test_a_snapshot_keeps_what_json_can_hold(live, copy):
    taken = snapshot(live)

    assert repr(taken) == repr(copy)


@pytest.mark.parametrize(
    ("live", "copy"),
    [
        (math.nan, opaque("float", "nan")),
        ([-math.inf], [opaque("float", "-inf")]),
        (Celsius("inf"), opaque("float", "inf")),
        (b"ab", opaque("bytes", "b'ab'")),
        (b"x" * 10**6, opaque("bytes", repr(b"x" * 200))),
        (date(2026, 1, 2), opaque("datetime.date", "datetime.date(2026, 1, 2)")),
        (Decimal("1.0"), opaque("decimal.Decimal", "Decimal('1.0')")),
        ({"b", "a", "c"}, opaque("set", "{'a', 'b', 'c'}")),
        (frozenset(range(2000)), opaque("frozenset", "<2,000 members>")),
        ({1: "a"}, opaque("dict", "{1: 'a'}")),
        ({1: "a", "b": ()}, opaque("dict", "{1: 'a', 'b': ()}")),
        (Plain.ONE, opaque_of("Plain", "<Plain.ONE: 1>")),
        (Order, opaque("type", f"<class '{HERE}.Order'>")),
        (len, opaque("builtin_function_or_method", "<built-in function len>")),
        (opaque_of, opaque("function", "<function opaque_of>")),
        (Leaving(), opaque_of("Leaving", "<repr failed>")),
        (Unprintable(), opaque_of("Unprintable", "<repr failed>")),
        (Slotted(1), opaque_of("Slotted", "<repr failed>")),
        (range(3), opaque("range", "range(0, 3)")),
    ],
)
def test_a_snapshot_stands_in_for_what_json_cannot_hold(live, copy):
    assert snapshot(live) == copy
    assert snapshot({"in": (live,)}) == {"in": [copy]}


def test_an_object_that_refuses_its_attributes_is_opaque_without_its_address():
    assert snapshot([Hostile()]) == [opaque_of("Hostile", "Hostile,")]


def test_a_snapshot_does_not_follow_later_changes():
    live = {"items": [{"n": 1}], "order": Order("A", [1])}
    taken = snapshot(live)

    live["items"][0]["n"] = 2
    live["items"].append(3)
    live["order"].lines.append(2)

    assert taken == {"items": [{"n": 1}], "order": {"id": "A", "lines": [1], "note": None}}


def test_a_snapshot_consumes_no_iterator():
    numbers = iter([1, 2, 3])
    lazy = (n for n in [1])

    taken = snapshot({"numbers": numbers, "lazy": lazy})

    assert (list(numbers), list(lazy)) == ([1, 2, 3], [1])
    assert taken["numbers"] == opaque("list_iterator", "<list_iterator object>")


def test_a_cycle_is_cut_where_it_closes():
    live: dict[str, object] = {"n": 1}
    live["self"] = live
    live["list"] = [live, live]
    cycle = opaque("dict", "<cycle>")

    assert snapshot(live) == {"n": 1, "self": cycle, "list": [cycle, cycle]}


def test_a_cycle_of_objects_is_cut_where_it_closes():
    parent = Order("parent", [])
    parent.lines.append(Order("child", [], note=parent))

    taken = snapshot(parent)

    assert taken["lines"][0]["note"] == opaque_of("Order", "<cycle>")


def test_what_is_shared_is_copied_each_time():
    shared = [{"a": [1]}]

    assert snapshot([shared, shared]) == [[{"a": [1]}], [{"a": [1]}]]


def test_sharing_that_would_explode_is_cut():
    live: list[object] = [1]
    for _ in range(150):
        live = [live, live]

    assert "<shared too often to be copied>" in dumps(snapshot(live))


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}])
@pytest.mark.parametrize("levels", [NESTING_LIMIT - 1, NESTING_LIMIT, 300, 5000])
def test_what_nests_too_deep_is_cut_at_the_limit(wrap, levels):
    live: object = []
    for _ in range(levels - 1):
        live = wrap(live)

    taken = snapshot(live)

    assert depth(taken) == min(levels, NESTING_LIMIT)
    assert ("nested deeper than 200 levels" in dumps(taken)) == (levels > NESTING_LIMIT)


def at_the_end_of_the_stack(live: object) -> Any:
    try:
        return at_the_end_of_the_stack(live)
    except RecursionError:
        return snapshot(live)


def test_a_snapshot_does_not_raise_where_the_stack_ends():
    live: list[object] = []
    for _ in range(100):
        live = [live]

    assert is_opaque(at_the_end_of_the_stack(live))


json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=10,
)
anything = st.recursive(
    st.none() | st.floats() | st.text(max_size=2) | st.binary(max_size=2) | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text(max_size=2), inner, max_size=3)
        | st.builds(Order, st.text(max_size=1), inner)
    ),
    max_leaves=10,
)


@given(json_like)
def test_the_snapshot_of_a_json_value_is_that_value(value):
    assert repr(snapshot(value)) == repr(value)


@given(anything)
def test_every_snapshot_is_json_and_its_own_snapshot(live):
    taken = snapshot(live)

    assert repr(loads(dumps(taken))) == repr(taken) == repr(snapshot(taken))
