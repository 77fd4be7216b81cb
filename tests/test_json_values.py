from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury import json_values as jv

VECTORS = json.loads((Path(__file__).parent / "golden" / "canonical_json.json").read_text("ascii"))
HUGE = 10**5000 + 7

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, 1, 1.0, -0.0, True, False, 10**300, 1e300, 2**53, float(2**53)])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4)
    | st.text(st.characters(codec=None, categories=["Cs"]), max_size=2).map(jv.paired)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def nested(levels: int) -> object:
    value: object = []
    for _ in range(levels - 1):
        value = [value]
    return value


def as_floats(value):
    """Rewrite every number that a float holds exactly as that float."""
    if isinstance(value, dict):
        return {key: as_floats(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    exact = type(value) is int and abs(value) < 2**53
    return float(value) if exact else value


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (True, 1, False),
        (False, 0, False),
        (False, 0.0, False),
        (1, 1.0, True),
        (0, -0.0, True),
        (10**300, 1e300, False),
        (int(1e300), 1e300, True),
        (2**53 + 1, float(2**53), False),
        ([HUGE], [HUGE], True),
        (None, False, False),
        (None, 0, False),
        ("1", 1, False),
        ("", None, False),
        ("\ud800", "\ud800", True),
        ("\ud800", "\ud801", False),
        ("é", "e\u0301", False),
        ([], {}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([[True]], [[1]], False),
        ([1, "a", [2.0]], [1.0, "a", [2]], True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": True, "b": 1}, {"b": 1, "a": 1}, False),
        ({"a": [{"b": True}]}, {"a": [{"b": True}]}, True),
    ],
)
def test_equal_compares_as_json_does(a, b, same):
    assert (jv.equal(a, b), jv.equal(b, a)) == (same, same)


def test_equal_reaches_the_nesting_limit():
    assert jv.equal(nested(jv.DOCUMENT_LIMIT), nested(jv.DOCUMENT_LIMIT))


@given(values)
def test_a_value_equals_itself_rewritten(value):
    assert jv.equal(value, as_floats(value))


@given(values, values)
def test_values_are_equal_just_where_their_canonical_texts_are(a, b):
    assert jv.equal(a, b) == (jv.canonical(a) == jv.canonical(b))


@given(values)
def test_a_rewritten_value_has_the_same_canonical_text(value):
    assert jv.canonical(value) == jv.canonical(as_floats(value))


@given(values)
def test_canonical_text_reads_back_as_an_equal_value(value):
    assert jv.equal(jv.loads_strict(jv.canonical(value)), value)


@pytest.mark.parametrize(
    ("actual", "expected", "holds"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2.0}}, True),
        ({"a": 1}, {}, True),
        ([], {}, False),
        ({}, [], False),
        (None, {}, False),
        ([{"a": 1, "b": 2}, 3], [{"a": 1}, 3], True),
        ([1, 2], [1], False),
        ([1, 2], [2, 1], False),
        ([True], [1], False),
        ([1], 1, False),
        ("text", "text", True),
        ("text", "te", False),
    ],
)
def test_matches_is_a_subset_for_objects_and_exact_for_arrays(actual, expected, holds):
    assert jv.matches(actual, expected) == holds


@given(values)
def test_every_value_matches_itself(value):
    assert jv.matches(value, value)


@given(values, values)
def test_equal_values_match(a, b):
    assert jv.matches(a, b) or not jv.equal(a, b)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_every_value_has_a_type_name(value, name):
    assert jv.type_name(value) == name


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_canonical_follows_the_published_vectors(vector):
    value = jv.loads_strict(vector["value"])

    assert jv.canonical(value) == vector["canonical"].encode("ascii")
    assert jv.digest(value) == vector["sha256"]


def test_the_published_vectors_are_sound():
    hashed = [hashlib.sha256(vector["canonical"].encode()).hexdigest() for vector in VECTORS]

    assert hashed == [vector["sha256"] for vector in VECTORS]
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS) >= 20


@pytest.mark.parametrize("write", [jv.canonical, jv.digest, jv.dumps])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_json_number_is_not_written(write, number):
    with pytest.raises(ValueError, match="JSON compliant"):
        write({"a": [number]})


def test_an_integer_of_any_length_is_written_and_read_exactly():
    text = "1" + "0" * 4999 + "7"

    assert jv.canonical({"b": [HUGE, True], "a": 1.0}) == f'{{"a":1,"b":[{text},true]}}'.encode()
    assert jv.dumps([HUGE, -HUGE, 1.0, None]) == f"[{text},-{text},1.0,null]"
    assert jv.loads(text) == jv.loads_strict(text) == HUGE
    assert jv.loads(f"-{text}") == -HUGE


def test_long_integers_leave_the_limit_of_the_interpreter_alone():
    limit = sys.get_int_max_str_digits()
    jv.loads(jv.dumps(HUGE))

    assert sys.get_int_max_str_digits() == limit


@pytest.mark.parametrize("indent", [None, 2])
def test_long_integers_are_written_in_the_same_layout(indent):
    value = {"é": [1, "\ud800", {}, [], {"b": None, "a": 1.5}], "n": 42}
    expected = jv.dumps(value, indent=indent)

    text = jv.dumps(value | {"n": HUGE}, indent=indent)

    assert text == expected.replace("42", jv.dumps(HUGE))


@given(st.integers(4200, 20_000), st.integers())
def test_integers_survive_at_every_length(length, offset):
    number = 10**length + offset

    assert jv.loads(jv.dumps([number, -number])) == [number, -number]


@given(values, st.sampled_from([None, 0, 2]))
def test_what_is_written_reads_back_the_same(value, indent):
    text = jv.dumps(value, indent)

    assert text.isascii()
    assert repr(jv.loads(text)) == repr(jv.loads_strict(text.encode())) == repr(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (1.0, "1.0"),
        ("Grüße 😀", '"Grüße 😀"'),
        ("a\ud800b", '"a\\ud800b"'),
        ("\x1b[31m\x9b\u202e\n", '"\\u001b[31m\\u009b\\u202e\\n"'),
        ({"a": [1, "b", {}], "c": []}, '{"a": [1, "b", {}], "c": []}'),
        ("x" * 118, '"' + "x" * 118 + '"'),
        ("x" * 120, '"' + "x" * 119 + "… (120 characters)"),
        ("x" * 50_000, '"' + "x" * 119 + "… (50,000 characters)"),
        ([0] * 1000, ("[" + "0, " * 40)[:120] + "… (1,000 items)"),
        ({"k" * 300: 1}, '{"' + "k" * 118 + "… (1 keys)"),
    ],
)
def test_short_writes_readable_text_and_says_what_was_cut(value, text):
    assert jv.short(value) == text


def test_short_cuts_a_long_integer():
    assert jv.short(HUGE) == "1" + "0" * 119 + "… (5,001 digits)"


def test_short_takes_a_limit():
    assert jv.short("abcdef", limit=4) == '"abc… (6 characters)'


def test_depth_counts_levels_of_containers():
    depths = [jv.depth(value) for value in (1, [], {"a": 1}, [[], {"a": [1]}], nested(5000))]

    assert depths == [0, 1, 1, 3, 5000]
    assert [jv.too_deep(nested(levels)) for levels in (200, 201)] == [False, True]


def test_an_opaque_value_is_seen_wherever_it_is():
    stand_in = jv.opaque("datetime.date", "today")

    assert stand_in == {"$flowjury.opaque": "datetime.date", "text": "today"}
    assert jv.is_opaque(stand_in)
    assert jv.holds_opaque(stand_in)
    assert jv.holds_opaque({"a": [1, {"b": stand_in}]})
    assert not jv.is_opaque([stand_in])
    assert not jv.holds_opaque({"a": [1, {"text": "today"}]})
    assert not jv.holds_opaque("$flowjury.opaque")


def test_the_text_of_an_opaque_value_is_cut():
    assert jv.opaque("bytes", "x" * 201)["text"] == "x" * 199 + "…"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("plain", "plain"),
        ("é😀", "é😀"),
        ("\ud83d\ude00", "😀"),
        ("\ude00\ud83d", "\ude00\ud83d"),
        ("a\ud83d\ud83d\ude00", "a\ud83d😀"),
    ],
)
def test_a_surrogate_pair_becomes_one_character(text, whole):
    assert jv.paired(text) == whole == json.loads(json.dumps(text))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_a_number_that_is_none_is_opaque_in_data(number):
    assert jv.loads(f"[{number}]") == [jv.opaque("float", number)]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_a_number_that_is_none_is_refused_in_suites(number):
    with pytest.raises(ValueError, match=f"^{number} is not a number that JSON can hold"):
        jv.loads_strict(f"[{number}]")


@pytest.mark.parametrize("read", [jv.loads, jv.loads_strict])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"b": 1, "c": 2, "b": 1}}', 'the key "b" occurs 2 times in one object'),
        ("[1, ]", "Expecting value|Illegal trailing comma"),
        ("", "Expecting value"),
        ("[1] 2", "Extra data"),
        (b'"\xff"', "utf-8"),
        ("[" * 241 + "]" * 241, "nested deeper than 2.0 levels"),
        ("[" * 100_000 + "]" * 100_000, "nested deeper than 2.0 levels"),
        ('{"a":' * 100_000, "nested deeper than 2.0 levels"),
    ],
)
def test_bad_json_text_is_refused_with_a_reason(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_data_may_nest_a_document_deeper_than_a_value():
    assert jv.loads("[" * 240 + "]" * 240) == nested(240)
    assert jv.loads_strict("[" * 200 + "]" * 200) == nested(200)

    with pytest.raises(ValueError, match="nested deeper than 200 levels"):
        jv.loads_strict("[" * 201 + "]" * 201)


@pytest.mark.parametrize(
    "text",
    ['\ufeff{"a": "é"}', '{"a": "é"}'.encode("utf-8-sig"), '{"a": "é"}'.encode("utf-16")],
)
def test_a_byte_order_mark_is_tolerated(text):
    assert jv.loads(text) == {"a": "é"}


def test_lone_surrogates_are_kept():
    assert jv.loads('"\\ud800"') == "\ud800"
