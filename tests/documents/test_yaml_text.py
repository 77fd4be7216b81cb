from __future__ import annotations

import json

import pytest

from flowjury.documents import parse
from flowjury.errors import InputError


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        parse(text, name="a.yaml")
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(text, None) for text in ("~", "null", "Null", "NULL")],
        *[(text, True) for text in ("true", "True", "TRUE")],
        *[(text, False) for text in ("false", "False", "FALSE")],
        *[(text, text) for text in ("no", "yes", "on", "off", "y", "N", "nULL", "tRUE")],
        *[(text, text) for text in ("2001-12-14", "12:30:45", "1_000", "0b1", "0o8", "-0x1")],
        *[(text, text) for text in (".", "+.", "1e", "e3", "nan", "inf", "1.2.3", "=")],
        ("0", 0),
        ("-19", -19),
        ("+12", 12),
        ("0123", 123),
        ("0o17", 15),
        ("0xfF", 255),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1.5e3", -1500.0),
        ("1e3", 1000.0),
        ("'1'", "1"),
        ('"null"', "null"),
        ("! 1", "1"),
        ("!!str 1", "1"),
    ],
)
def test_a_scalar_is_read_by_the_core_schema_of_yaml_1_2(text, value):
    read = parse(f"a: {text}", name="a.yaml").value["a"]

    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a:\nb: ''", {"a": None, "b": ""}),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y", {"a": "x\ny\n", "b": "x y"}),
        ("!!map {a: !!seq [1]}", {"a": [1]}),
        ("null", None),
        ("--- # one\n- 1\n...", [1]),
        ("a: &x [1, {b: 2}]\nc: *x", {"a": [1, {"b": 2}], "c": [1, {"b": 2}]}),
        ("- &k name\n- *k : 1", ["name", {"name": 1}]),
        ("- &x 1\n- *x\n- &x 2\n- *x", [1, 1, 2, 2]),
        ("a: &x {p: 1, q: 2}\nb: {q: 3, <<: *x}", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}),
        (
            "- &x {p: 1}\n- &y {p: 2, q: 2}\n- <<: [*x, *y]",
            [{"p": 1}, {"p": 2, "q": 2}, {"p": 1, "q": 2}],
        ),
        ("'<<': 1", {"<<": 1}),
        ("a: <<", {"a": "<<"}),
    ],
)
def test_a_document_is_read_as_plain_values(text, value):
    assert parse(text, name="a.yaml").value == value


def test_an_integer_that_python_would_not_read_is_exact():
    assert parse("9" * 10_000, name="a.yaml").value + 1 == 10**10_000


def test_a_text_may_nest_as_deep_as_the_limit():
    text = "[" * 200 + "]" * 200

    assert json.dumps(parse(text, name="a.yaml").value) == text


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "a: 1\nb: [{c: 1, c: 2}]\na: 3\na: 4",
            [
                "a.yaml:2: /b/0/c: key 'c' occurs twice, first on line 2; keep one",
                "a.yaml:3: /a: key 'a' occurs twice, first on line 1; keep one",
                "a.yaml:4: /a: key 'a' occurs twice, first on line 1; keep one",
            ],
        ),
        (
            "1: a\n2.5: b\ntrue: c\n~: d\n? [x]\n: e\n? {y: 1}\n: f\n'': g\n? \n: h",
            [
                'a.yaml:1: /1: key 1 is read as a number; quote it: "1"',
                'a.yaml:2: /2.5: key 2.5 is read as a number; quote it: "2.5"',
                'a.yaml:3: /true: key true is read as a boolean; quote it: "true"',
                'a.yaml:4: /~0: key ~ is read as null; quote it: "~"',
                "a.yaml:5: /array: a key must be a string, not an array",
                "a.yaml:7: /object: a key must be a string, not an object",
                'a.yaml:10: /: key (empty) is read as null; quote it: ""',
                "a.yaml:10: /: key '' occurs twice, first on line 9; keep one",
            ],
        ),
        (
            "a: .nan\nb: [-.inf, 1e999, .Inf]",
            [
                "a.yaml:1: /a: .nan is not a JSON value; write null or a string",
                "a.yaml:2: /b/0: -.inf is not a JSON value; write null or a string",
                "a.yaml:2: /b/1: 1e999 is too large for a number; write it as a string",
                "a.yaml:2: /b/2: .Inf is not a JSON value; write null or a string",
            ],
        ),
        (
            "a: !!python/object:os.x {}\nb: !mine 1\nc: !!int 3\nd: !!set [x]",
            [
                "a.yaml:1: /a: the tag '!!python/object:os.x' is not read; write a plain value",
                "a.yaml:2: /b: the tag '!mine' is not read; write a plain value",
                "a.yaml:3: /c: the tag '!!int' is not read; write a plain value",
                "a.yaml:4: /d: the tag '!!set' is not read; write a plain value",
            ],
        ),
        (
            "a: &limits {x: 1}\nb: *limit\nc: &c [*c]\nd: *zzzzzz",
            [
                (
                    "a.yaml:2: /b: alias '*limit' has no anchor '&limit' before it;"
                    " nearest is '&limits'"
                ),
                "a.yaml:3: /c/0: alias '*c' stands inside the value of its own anchor",
                "a.yaml:4: /d: alias '*zzzzzz' has no anchor '&zzzzzz' before it",
            ],
        ),
        (
            "a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\nc: {<<: 1}",
            [
                "a.yaml:4: /b/<<: key '<<' occurs twice, first on line 3; keep one",
                "a.yaml:5: /c/<<: '<<' takes a mapping or a list of mappings",
            ],
        ),
        ("a: 1\n---\nb: 2", ["a.yaml:2: a second document starts here; keep one in a file"]),
        ("# nothing", ["a.yaml: the file is empty"]),
        ("---\n...", ["a.yaml: the file is empty"]),
    ],
)
def test_all_faults_of_a_text_are_placed(text, messages):
    assert faults(text) == messages


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "a: 1\na: 2\nb: c: d",
            [
                "a.yaml:2: /a: key 'a' occurs twice, first on line 1; keep one",
                (
                    "a.yaml:3: not YAML: mapping values are not allowed in this context"
                    " at column 5, near 'b: c: d'; a text that holds ': ' needs quotes"
                ),
            ],
        ),
        (
            "a:\n\tb: 1",
            [
                (
                    "a.yaml:2: not YAML: found character that cannot start any token at column 1,"
                    " near 'b: 1'; indent with spaces, and quote a text that starts with @ or `"
                )
            ],
        ),
        (
            "a: [1\nb: 2",
            ["a.yaml:2: not YAML: did not find expected ',' or ']' at column 2, near 'b: 2'"],
        ),
        (
            r'a: "\ud83d\ude00"',
            [
                (
                    "a.yaml:1: not YAML: found invalid Unicode character escape code at column 7,"
                    " near 'a: \"\\\\ud83d\\\\ude00\"'; write the character itself"
                )
            ],
        ),
        (
            "é: 1\nb: \x7f",
            [
                (
                    "a.yaml:2: not YAML: the character '\\x7f' is not allowed at column 4,"
                    " near 'b: \\x7f'"
                )
            ],
        ),
        (
            "a: \ud800",
            [
                (
                    "a.yaml:1: not YAML: the lone surrogate '\\ud800' is not allowed"
                    " at column 4, near 'a: \\ud800'"
                )
            ],
        ),
    ],
)
def test_an_error_of_syntax_is_shown_with_all_faults_before_it(text, messages):
    assert faults(text) == messages


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)
LADDER = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 300))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LAUGHS, "a.yaml:5: aliases stand for more than 100,000 values; use fewer"),
        (LADDER, "a.yaml:200: nested deeper than 200 levels, at column 14"),
        ("[" * 201 + "]" * 201, "a.yaml:1: nested deeper than 200 levels, at column 201"),
        ("[" * 100_000, "a.yaml:1: nested deeper than 200 levels, at column 1001"),
        ("- " * 100_000, "a.yaml:1: nested deeper than 200 levels, at column 401"),
    ],
)
def test_a_text_without_bounds_is_refused(text, message):
    assert faults(text) == [message]


def test_a_merged_value_has_the_line_where_it_is_written():
    document = parse("a: &x\n  p: 1\nb:\n  <<: [*x]\n  q: 2", name="a.yaml")

    assert [document.line(p) for p in ("/b/p", "/b/q", "/b", "/a/p/x")] == [2, 5, 3, 2]
