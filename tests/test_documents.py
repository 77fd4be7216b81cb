from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.documents import Document, parse
from flowjury.errors import InputError


def faults(text: str | bytes, name: str) -> list[str]:
    """Return what is said of a text that is refused."""
    with pytest.raises(InputError) as raised:
        parse(text, name=name)
    return str(raised.value).splitlines()


# Characters that a YAML text may hold as they are; JSON may hold any.
PRINTABLE = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"), max_codepoint=0xD7FF)
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[object]:
    scalars = st.none() | st.booleans() | NUMBERS | texts
    return st.recursive(scalars, lambda v: st.lists(v) | st.dictionaries(texts, v), max_leaves=20)


@given(values(st.text(st.characters())))
def test_json_text_of_a_value_reads_as_the_value(value):
    assert parse(json.dumps(value), name="a.json").value == value


@given(values(PRINTABLE))
def test_json_text_read_as_yaml_is_the_value(value):
    text = json.dumps(value, ensure_ascii=False)

    assert parse(text, name="a.yaml").value == value


@given(st.lists(values(PRINTABLE)))
def test_json_lines_of_cases_read_as_a_suite_with_these_cases(cases):
    text = "\n".join(map(json.dumps, [{"name": "s"}, *cases]))

    assert parse(text, name="a.jsonl").value == {"name": "s", "cases": cases}


@given(values(PRINTABLE), st.sampled_from([None, 1]), st.sampled_from(["a.json", "a.yaml"]))
def test_every_value_of_a_document_has_a_line_inside_it(value, indent, name):
    text = json.dumps({"x": [value]}, indent=indent, ensure_ascii=False)
    line = parse(text, name=name).line("/x/0")

    assert line == (1 if indent is None else 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: [1]\n"),
        ("a.yml", "\ufeffa: [1]\n"),
        ("a.JSON", '{"a": [1]}'),
        ("dir.toml/a.json", b'\xef\xbb\xbf{"a": [1]}'),
        ("a.toml", "a = [1]"),
    ],
)
def test_the_suffix_of_the_name_tells_the_format(name, text):
    assert parse(text, name=name) == Document({"a": [1]}, name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "a.yamll",
            (
                "a.yamll: '.yamll' is not a suffix that is read; nearest is '.yaml'"
                " (known: .yaml, .yml, .json, .jsonl, .ndjson, .toml)"
            ),
        ),
        (
            "suite",
            (
                "suite: '' is not a suffix that is read"
                " (known: .yaml, .yml, .json, .jsonl, .ndjson, .toml)"
            ),
        ),
    ],
)
def test_another_suffix_is_refused_with_the_ones_that_are_read(name, message):
    assert faults("{}", name) == [message]


@pytest.mark.parametrize("suffix", ["yaml", "json", "jsonl", "toml"])
def test_an_empty_file_is_refused(suffix):
    assert faults(" \n", f"a.{suffix}") == [f"a.{suffix}: the file is empty"]


def test_bytes_that_are_not_utf_8_are_refused_with_their_offset():
    assert faults(b'{}\n"\xe9"', "a.json") == [
        "a.json:2: not UTF-8: byte 0xe9 at offset 4; save it as UTF-8"
    ]


def test_a_document_without_a_text_knows_no_lines():
    assert Document({"a": 1}, "a.yaml").line("/a") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: &x\n  b:\n    - 1\n    - c: 2\nd:\n  <<: *x\n  e: 3\n"),
        ("a.json", '{"a":{\n"b":[\n1,\n{"c":2}]},"d":\n{"b":3,"e":\n3}}'),
    ],
)
@pytest.mark.parametrize(
    ("pointer", "yaml_line", "json_line"),
    [
        ("", 1, 1),
        ("/a", 1, 1),
        ("/a/b", 2, 2),
        ("/a/b/0", 3, 3),
        ("/a/b/1/c", 4, 4),
        ("/a/b/1/none/x", 4, 4),
        ("/a/b/7", 2, 2),
        ("/d/b", 2, 5),
        ("/d/e", 7, 5),
    ],
)
def test_a_line_is_that_of_the_key_or_item_or_of_its_nearest_parent(
    name, text, pointer, yaml_line, json_line
):
    assert parse(text, name=name).line(pointer) == (yaml_line if name == "a.yaml" else json_line)


@pytest.mark.parametrize(
    ("pointer", "line"),
    [("", 2), ("/name", 2), ("/cases/0/id", 4), ("/cases/1", 5), ("/cases/2", 2)],
)
def test_a_line_of_json_lines_is_that_of_the_case(pointer, line):
    text = '\n{"name": "s"}\n\n{"id": "a"}\n{"id": "b"}'

    assert parse(text, name="a.jsonl").line(pointer) == line


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            '{"a": 1}\n{"b": 1, "b": 2}\n\n{x}\n[NaN]\n',
            [
                "a.jsonl:2: /cases/0/b: key 'b' occurs twice, first on line 2; keep one",
                (
                    "a.jsonl:4: /cases/1: not JSON:"
                    " expecting property name enclosed in double quotes at column 2, near '{x}'"
                ),
                "a.jsonl:5: /cases/2/0: NaN is not a JSON value; write null or a string",
            ],
        ),
        ("[]\n{}", ["a.jsonl:1: the first line is the suite and must be an object"]),
        (
            '{"cases": [1]}\n{}',
            [
                (
                    "a.jsonl:1: /cases: the first line has cases;"
                    " in JSON Lines each further line is a case"
                )
            ],
        ),
        (
            "{}\n" + "[" * 199 + "]" * 199,
            [
                (
                    "a.jsonl:2: /cases/0: nested deeper than 200 levels, at column 199,"
                    f" near '{'[' * 21}{']' * 19}'"
                )
            ],
        ),
    ],
)
def test_all_bad_lines_of_json_lines_are_named(text, messages):
    assert faults(text, "a.jsonl") == messages


def test_ten_thousand_lines_are_read():
    case = {"id": "a", "input": {"message": "I want a refund"}, "checks": [{"kind": "path"}] * 4}
    text = "\n".join([json.dumps({"format": 1}), *[json.dumps(case)] * 10_000])

    assert parse(text, name="a.jsonl").value["cases"] == [case] * 10_000


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("a = 1\nb = ]", ["a.toml:2: not TOML: invalid value at column 5"]),
        ("a = ", ["a.toml:1: not TOML: invalid value"]),
        (
            "a = 1979-05-27\n[b]\nc = [07:32:00, nan, inf]",
            [
                "a.toml: /a: 1979-05-27 is a date or time; write it as a string, in quotes",
                "a.toml: /b/c/0: 07:32:00 is a date or time; write it as a string, in quotes",
                "a.toml: /b/c/1: nan is not a JSON value; write a string",
                "a.toml: /b/c/2: inf is not a JSON value; write a string",
            ],
        ),
        (".".join("a" * 300) + " = 1", ["a.toml: nested deeper than 200 levels"]),
        ("a = " + "[" * 50_000, ["a.toml: nested deeper than 200 levels"]),
    ],
)
def test_toml_that_is_no_json_value_is_refused(text, messages):
    assert faults(text, "a.toml") == messages


def test_toml_knows_no_lines():
    assert parse("a = 1", name="a.toml").line("/a") is None
