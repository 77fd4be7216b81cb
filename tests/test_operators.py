from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.operators import NEGATIVE, OPERATORS, UNSET, fault, holds

BIG = 10**400
NESTED = {"a": [{"b": 1, "c": 2}], "d": "x"}


@pytest.mark.parametrize(
    ("op", "actual", "expected", "answer"),
    [
        ("equals", 1, 1.0, True),
        ("equals", True, 1, False),
        ("equals", "A", "a", False),
        ("equals", None, None, True),
        ("not_equals", True, 1, True),
        ("not_equals", 1, 1.0, False),
        ("matches", NESTED, {"a": [{"b": 1}]}, True),
        ("matches", NESTED, {"a": []}, False),
        ("contains", "a manager must", "manager", True),
        ("contains", "a manager must", "Manager", False),
        ("contains", "5", 5, False),
        ("contains", [1, {"a": 1, "b": 2}], {"b": 2}, True),
        ("contains", ["manager"], "man", False),
        ("contains", [True], 1, False),
        ("contains", {"a": 1}, "a", False),
        ("contains", 5, 5, False),
        ("not_contains", "abc", "x", True),
        ("not_contains", "abc", "b", False),
        ("not_contains", [1], 1, False),
        ("exists", None, UNSET, True),
        ("absent", None, UNSET, False),
        ("type", 1, "integer", True),
        ("type", 1, "number", True),
        ("type", 1.0, "number", True),
        ("type", 1.0, "integer", False),
        ("type", True, "integer", False),
        ("type", True, "number", False),
        ("type", None, ["string", "null"], True),
        ("type", [], ["string", "null"], False),
        ("type", 1, ["string", "number"], True),
        ("gt", 2, 1, True),
        ("gt", 1, 1.0, False),
        ("gt", "2", 1, False),
        ("gt", True, 0, False),
        ("gt", None, 0, False),
        ("gt", BIG, 1e308, True),
        ("gt", 2**53 + 1, float(2**53), True),
        ("gte", 1, 1.0, True),
        ("gte", 0, 1, False),
        ("lt", -BIG, -1e308, True),
        ("lt", [], 1, False),
        ("lte", 1, 1, True),
        ("lte", 2, 1, False),
        ("length", "é😀", 2, True),
        ("length", [1, 2], 2, True),
        ("length", {"a": 1}, 1, True),
        ("length", 12, 2, False),
        ("length", None, 0, False),
        ("min_length", "", 0, True),
        ("min_length", "a", 2, False),
        ("max_length", [1], 1, True),
        ("max_length", [1, 2], 1, False),
        ("regex", "order A-12 is", r"A-\d+", True),
        ("regex", "order", r"^rder", False),
        ("regex", "é", r"^.$", True),
        ("regex", 12, r"\d", False),
        ("regex", "\ud800", r".", None),
        ("starts_with", "abc", "ab", True),
        ("starts_with", "abc", "bc", False),
        ("starts_with", ["ab"], "ab", False),
        ("ends_with", "abc", "bc", True),
        ("ends_with", None, "bc", False),
        ("has_keys", {"a": 1, "b": 2}, ["a"], True),
        ("has_keys", {"a": 1}, ["a", "b"], False),
        ("has_keys", ["a"], ["a"], False),
        ("only_keys", {"a": 1}, ["a", "b"], True),
        ("only_keys", {"a": 1, "c": 2}, ["a", "b"], False),
        ("only_keys", [], [], False),
        ("only_keys", {}, [], True),
        ("one_of", 1.0, ["x", 1], True),
        ("one_of", True, ["x", 1], False),
        ("approx", 1.0000001, 1, True),
        ("approx", 1.00001, 1, False),
        ("approx", 0, 0, True),
        ("approx", 1e-12, 0, False),
        ("approx", 0.4, {"value": 0.3, "tolerance": 0.1}, True),
        ("approx", 0.41, {"value": 0.3, "tolerance": 0.1}, False),
        ("approx", 110, {"value": 100, "relative": 0.1}, True),
        ("approx", -111, {"value": -100, "relative": 0.1}, False),
        ("approx", BIG + 1, {"value": BIG, "tolerance": 1}, True),
        ("approx", BIG + 2, {"value": BIG, "tolerance": 1}, False),
        ("approx", 1e308, {"value": -1e308, "tolerance": 1}, False),
        ("approx", "1", 1, False),
        ("approx", True, 1, False),
    ],
)
def test_an_operator_holds_without_coercion(op, actual, expected, answer):
    assert holds(op, actual, expected) is answer


@pytest.mark.parametrize(
    ("op", "actual", "expected", "answer"),
    [
        ("equals", "APPROVED", "approved", True),
        ("equals", "Straße", "STRASSE", True),
        ("equals", 1, "approved", False),
        ("equals", {"a": "X"}, "x", False),
        ("not_equals", "APPROVED", "approved", False),
        ("contains", "The MANAGER must", "manager", True),
        ("contains", ["Manager", 1], "MANAGER", True),
        ("not_contains", "The MANAGER must", "manager", False),
        ("starts_with", "ABC", "ab", True),
        ("ends_with", "ABC", "bc", True),
        ("regex", "ORDER A1", r"order \S\d", True),
        ("regex", "ORDER", r"\d", False),
        ("regex", "\udc00", r"x", None),
        ("one_of", "YES", ["no", "Yes"], True),
        ("one_of", None, ["no", "Yes"], False),
        ("gt", 2, 1, True),
    ],
)
def test_case_can_be_ignored_in_text(op, actual, expected, answer):
    assert holds(op, actual, expected, ignore_case=True) is answer


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("equals", None),
        ("not_equals", {"a": 1}),
        ("matches", {}),
        ("contains", 1),
        ("not_contains", "x"),
        ("exists", UNSET),
        ("absent", UNSET),
        ("type", "number"),
        ("type", ["null", "string"]),
        ("gt", 0.5),
        ("gte", BIG),
        ("lt", -1),
        ("lte", 0),
        ("length", 0),
        ("min_length", 1),
        ("max_length", 10**9),
        ("regex", r"^\d+$"),
        ("starts_with", "a"),
        ("ends_with", ""),
        ("has_keys", ["a"]),
        ("only_keys", []),
        ("one_of", [None]),
        ("approx", 1.5),
        ("approx", {"value": 1, "tolerance": 0}),
        ("approx", {"value": 1, "relative": 0.1}),
    ],
)
def test_a_sound_expectation_has_no_fault(op, value):
    assert fault(op, value) is None


BOUND = (
    "approx needs a number, or {value, tolerance} or {value, relative} with a bound of at least 0"
)
TYPES = "null, boolean, integer, number, string, array, object"
TEXT = "equals, not_equals, contains, not_contains, regex, starts_with, ends_with, one_of"


@pytest.mark.parametrize(
    ("op", "value", "message"),
    [
        ("equal", 1, "'equal' is not an operator; nearest is 'equals'"),
        ("zzz", 1, f"'zzz' is not an operator; there are {', '.join(OPERATORS)}"),
        ("exists", None, "exists takes no value, not null"),
        ("absent", True, "absent takes no value, not true"),
        ("equals", UNSET, "equals needs a value: any JSON value"),
        ("gt", UNSET, "gt needs a value: a number"),
        ("gt", "1", 'gt needs a number, not "1"'),
        ("lte", True, "lte needs a number, not true"),
        ("length", -1, "length needs a non-negative integer, not -1"),
        ("length", 1.0, "length needs a non-negative integer, not 1.0"),
        ("max_length", False, "max_length needs a non-negative integer, not false"),
        ("type", "int", f'type needs one of {TYPES}, or a list of them, not "int"'),
        ("type", [], f"type needs one of {TYPES}, or a list of them, not []"),
        ("type", ["null", 1], f'type needs one of {TYPES}, or a list of them, not ["null", 1]'),
        ("starts_with", 1, "starts_with needs a string, not 1"),
        ("regex", ["a"], 'regex needs a string, not ["a"]'),
        ("has_keys", "a", 'has_keys needs a list of strings, not "a"'),
        ("only_keys", [1], "only_keys needs a list of strings, not [1]"),
        ("one_of", [], "one_of needs a non-empty list, not []"),
        ("one_of", "a", 'one_of needs a non-empty list, not "a"'),
        ("approx", "1", f'{BOUND}, not "1"'),
        ("approx", {"value": 1}, f'{BOUND}, not {{"value": 1}}'),
        ("approx", {"tolerance": 1}, f'{BOUND}, not {{"tolerance": 1}}'),
        (
            "approx",
            {"value": 1, "tolerance": -1},
            f'{BOUND}, not {{"value": 1, "tolerance": -1}}',
        ),
        (
            "approx",
            {"value": 1, "tolerance": 1, "relative": 1},
            f'{BOUND}, not {{"value": 1, "tolerance": 1, "relative": 1}}',
        ),
        (
            "approx",
            {"value": 1, "tolerance": True},
            f'{BOUND}, not {{"value": 1, "tolerance": true}}',
        ),
    ],
)
def test_a_faulty_expectation_is_told_with_what_would_be_right(op, value, message):
    assert fault(op, value) == message


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "(", "a{9999}", "\ud800"])
def test_what_re2_cannot_compile_is_a_fault(pattern):
    assert str(fault("regex", pattern)).startswith("regex is not one that RE2 can compile: ")


def test_the_fault_of_a_pattern_gives_the_reason_of_re2():
    assert fault("regex", "(?=a)") == (
        'regex is not one that RE2 can compile: "(?=a)": invalid perl operator: (?='
    )


@pytest.mark.parametrize(
    ("op", "value"),
    [("gt", 1), ("exists", UNSET), ("matches", "a"), ("equals", 1), ("one_of", ["a", 1])],
)
def test_case_is_ignored_in_text_only(op, value):
    assert fault(op, value, ignore_case=True) == (
        f"{op} cannot ignore case here: that is for text values of {TEXT}"
    )


@pytest.mark.parametrize(
    ("op", "value"), [("equals", "a"), ("one_of", ["a"]), ("regex", "a"), ("contains", "a")]
)
def test_case_may_be_ignored_in_text(op, value):
    assert fault(op, value, ignore_case=True) is None


def test_a_missing_text_is_told_before_its_case():
    assert fault("contains", UNSET, ignore_case=True) == "contains needs a value: any JSON value"


def test_negative_operators_are_operators():
    assert set(OPERATORS) >= NEGATIVE == {"not_equals", "not_contains", "absent"}


scalars = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "ab", 1.0])
values = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.sampled_from("ab"), scalars)


@given(values, values)
def test_a_negated_operator_is_the_opposite(actual, expected):
    assert holds("not_equals", actual, expected) is not holds("equals", actual, expected)
    assert holds("not_contains", actual, expected) is not holds("contains", actual, expected)


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False), st.integers())
def test_numbers_are_ordered_totally(a, b):
    answers = [holds("lt", a, b), holds("equals", a, b), holds("gt", a, b)]

    assert sorted(answers) == [False, False, True]
    assert holds("lte", a, b) is not holds("gt", a, b)
    assert holds("gte", a, b) is not holds("lt", a, b)
