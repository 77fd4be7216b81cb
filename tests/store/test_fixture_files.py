from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.case import Fixture, Fixtures
from flowjury.errors import InputError
from flowjury.json_values import paired
from flowjury.store.fixture_files import fixture_paths, read_fixtures, write_fixtures
from flowjury.trace import ErrorInfo

ORDER = {"order": {"id": "A-1", "amount": 700.0, "note": "first line\nsecond: line\n"}}
FIXTURES: Fixtures = {
    "look_up": (
        Fixture(output=ORDER, usage={"ai_units": 3}, input="f" * 64),
        Fixture(output=None, index=(0, 2)),
    ),
    "charge": (Fixture(error=ErrorInfo(type="Timeout", message="after 3 s")),),
}
WRITTEN = """\
format: 1
case: over-limit
fixtures:
  charge:
  - error:
      type: Timeout
      message: after 3 s
  look_up:
  - output:
      order:
        id: A-1
        amount: 700.0
        note: |
          first line
          second: line
    usage:
      ai_units: 3
    input: ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
  - output: null
    index:
    - 0
    - 2
"""


def test_fixtures_are_yaml_that_people_can_read_and_edit(tmp_path: Path) -> None:
    path = write_fixtures(tmp_path / "fixtures", "over-limit", FIXTURES)

    assert path == tmp_path / "fixtures/over-limit.yaml"
    assert path.read_text() == WRITTEN


def test_fixtures_come_back_also_what_they_do_not_say(tmp_path: Path) -> None:
    write_fixtures(tmp_path, "over-limit", FIXTURES)

    back = read_fixtures(tmp_path, "over-limit")

    assert back == FIXTURES
    assert dumped(back) == dumped(FIXTURES)


def dumped(fixtures: Fixtures) -> object:
    """Tell `1` from `1.0`, and what is said from what is not."""
    return {
        node: [repr(each.model_dump(exclude_unset=True)) for each in fixtures[node]]
        for node in sorted(fixtures)
    }


def test_a_case_without_a_file_has_no_fixtures(tmp_path: Path) -> None:
    assert read_fixtures(tmp_path / "fixtures", "over-limit") == {}


TRAPS = st.sampled_from(
    [
        *("no", "1e3", "0o7", "1_000", "0x1F", "=", "<<", "~", "", ".inf", "2026-01-01", "12:30"),
        *("- a", "a: b", "#", " a", "a ", "\t", "a\n", "\na", "a\n\n", " a\nb", "a\r\nb", "\u2028"),
        *(
            "\x85",
            "\ufeff",
            "\0",
            "\x7f",
            "😀",
            "\ud800",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`",
            "|",
            ">",
        ),
    ]
)
TEXTS = st.text(st.characters(), max_size=6).map(paired) | TRAPS
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(10**300)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


@given(value=VALUES, node=TEXTS)
def test_every_answer_comes_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, value: object, node: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "law"
    fixtures: Fixtures = {node: (Fixture(output=value),)}

    write_fixtures(folder, "case", fixtures)

    back = read_fixtures(folder, "case")
    assert back == fixtures
    assert back[node][0].output == value


@pytest.mark.parametrize("value", ["\ud800", 10**5000], ids=["surrogate", "integer"])
def test_what_yaml_cannot_hold_is_written_as_json_in_place_of_the_yaml(
    tmp_path: Path, value: object
) -> None:
    write_fixtures(tmp_path, "case", FIXTURES)

    path = write_fixtures(tmp_path, "case", {"a": (Fixture(output=value),)})
    again = write_fixtures(tmp_path, "case", FIXTURES)

    assert (path.name, again.name) == ("case.json", "case.yaml")
    assert [each.name for each in tmp_path.iterdir()] == ["case.yaml"]


def test_a_value_that_occurs_twice_is_written_twice(tmp_path: Path) -> None:
    shared = {"a": [1]}

    path = write_fixtures(tmp_path, "case", {"node": (Fixture(output=[shared, shared]),)})

    assert "&" not in path.read_text()


def test_the_same_fixtures_are_the_same_bytes_whatever_node_answered_first(tmp_path: Path) -> None:
    first = write_fixtures(tmp_path, "case", FIXTURES).read_bytes()
    second = write_fixtures(tmp_path, "case", dict(reversed(FIXTURES.items()))).read_bytes()

    assert first == second


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "format: 2\n",
            "c.yaml:1: /format: format 2 is newer than this FlowJury reads (1); upgrade flowjury",
        ),
        (
            "format: 1\ncase: C\nfixtures: {}\n",
            "c.yaml:2: /case: these are the fixtures of case 'C', not 'c'; rename one of the two",
        ),
        (
            "format: 1\ncase: c\nfixtures: {a: [{}]}\n",
            "c.yaml:3: /fixtures/a/0: a fixture has either an output or an error",
        ),
    ],
)
def test_a_file_that_is_wrong_is_said_and_not_overwritten(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)

    with pytest.raises(InputError) as caught:
        read_fixtures(tmp_path, "c")
    with pytest.raises(InputError):
        write_fixtures(tmp_path, "c", FIXTURES)

    assert str(caught.value) == f"{tmp_path}/{message}"
    assert path.read_text() == text


def test_two_files_of_one_case_are_refused(tmp_path: Path) -> None:
    for path in fixture_paths(tmp_path, "case"):
        path.touch()

    with pytest.raises(InputError) as caught:
        read_fixtures(tmp_path, "case")
    assert str(caught.value) == (
        f"{tmp_path}/case.yaml: case.json holds fixtures of the same case; keep one of the two"
    )
