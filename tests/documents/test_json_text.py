from __future__ import annotations

import json

import pytest

from flowjury.documents import parse
from flowjury.errors import InputError


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        parse(text, name="a.json")
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"\ud800"', "\ud800"),
        (r'"\ud83d\ude00"', "\U0001f600"),
        ('{"a":1e2}', {"a": 100.0}),
        ("1e-400", 0.0),
        ('{"[{,":"]}\\"","a:b":[]}', {"[{,": ']}"', "a:b": []}),
    ],
)
def test_a_valid_text_is_read_exactly(text, value):
    assert parse(text, name="a.json").value == value


def test_an_integer_that_python_would_not_read_is_exact():
    assert parse("9" * 10_000, name="a.json").value + 1 == 10**10_000


def test_a_text_may_nest_as_deep_as_the_limit():
    text = "[" * 200 + "]" * 200

    assert json.dumps(parse(text, name="a.json").value) == text


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            '{"a": 1, "b": [{"x": 1,\n"x": NaN}],\n"a": 1e400, "a": -Infinity}',
            [
                "a.json:2: /b/0/x: key 'x' occurs twice, first on line 1; keep one",
                "a.json:2: /b/0/x: NaN is not a JSON value; write null or a string",
                "a.json:3: /a: key 'a' occurs twice, first on line 1; keep one",
                "a.json:3: /a: 1e400 is too large for a number; write it as a string",
                "a.json:3: /a: key 'a' occurs twice, first on line 1; keep one",
                "a.json:3: /a: -Infinity is not a JSON value; write null or a string",
            ],
        ),
        (
            '{"a": {"x": 1}, "b": {"x": 1}, "a": {"x": 2}}',
            ["a.json:1: /a: key 'a' occurs twice, first on line 1; keep one"],
        ),
        (
            r'{"a/b": 1, "a\u002fb": 2}',
            ["a.json:1: /a~1b: key 'a/b' occurs twice, first on line 1; keep one"],
        ),
        (
            "[" + "1" * 10_001 + "]",
            ["a.json:1: /0: an integer of 10,001 digits is too long; write it as a string"],
        ),
    ],
)
def test_all_faults_of_values_and_keys_are_placed(text, messages):
    assert faults(text) == messages


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            '{"a": 1\n"b": 2}',
            ["a.json:2: not JSON: expecting ',' delimiter at column 1, near '\"b\": 2}'"],
        ),
        ("[1, 2", ["a.json:1: not JSON: expecting ',' delimiter at column 6, near '[1, 2'"]),
        ("{} x", ["a.json:1: not JSON: extra data at column 4, near '{} x'"]),
        (
            '{"a": 1, "a": 2,\n"x',
            [
                "a.json:1: /a: key 'a' occurs twice, first on line 1; keep one",
                "a.json:2: not JSON: unterminated string starting at column 1, near '\"x'",
            ],
        ),
        (
            '{"NaN \x01": 1}',
            [
                (
                    "a.json:1: not JSON: invalid control character at column 7, near "
                    "'{\"NaN \\x01\": 1}'"
                )
            ],
        ),
        (
            "[NaN, " + '"' + "x" * 99 + '"' + ", nope, NaN]",
            [
                "a.json:1: /0: NaN is not a JSON value; write null or a string",
                (
                    "a.json:1: not JSON: expecting value at column 110,"
                    " near 'xxxxxxxxxxxxxxxxx\", nope, NaN]'"
                ),
            ],
        ),
    ],
)
def test_an_error_of_syntax_is_shown_with_all_faults_before_it(text, messages):
    assert faults(text) == messages


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 201 + "]" * 201, "a.json:1: nested deeper than 200 levels, at column 201"),
        ("[" * 100_000, "a.json:1: nested deeper than 200 levels, at column 201"),
        ('{"a":\n' * 100_000, "a.json:201: nested deeper than 200 levels, at column 1"),
    ],
)
def test_a_text_that_nests_too_deep_is_refused(text, message):
    [fault] = faults(text)

    assert fault.partition(", near")[0] == message
