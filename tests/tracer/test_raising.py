"""Where an exception was raised, told by the lines of the user's code alone."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from flowjury.fixtures import Shelf
from flowjury.json_values import digest
from flowjury.trace import Raised
from flowjury.tracer.active import Recording, active
from flowjury.tracer.instruments import boundary
from flowjury.tracer.raising import told

HELPER = """
import json
def look_up(orders, name):
    return orders[name]
def read(text):
    return json.loads(text)
"""


@pytest.fixture
def lookups(tmp_path):
    folder = tmp_path / "shop_of_tests"
    folder.mkdir()
    (folder / "lookups.py").write_text(HELPER)
    before = sys.path[:]
    sys.path.insert(0, str(tmp_path))
    yield import_module("shop_of_tests.lookups")
    sys.path[:] = before
    for name in ("shop_of_tests", "shop_of_tests.lookups"):
        del sys.modules[name]


def raised(function, *args):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it raises
        function(*args)
    return told(caught.value)


def test_a_place_is_the_innermost_line_named_as_its_module_is_found(lookups):
    assert raised(lookups.look_up, {}, "A-17") == Raised(
        type="KeyError", message="'A-17'", where="shop_of_tests/lookups.py:4 in look_up"
    )


def test_the_lines_of_libraries_are_none_of_the_users(lookups):
    assert raised(lookups.read, "").where == "shop_of_tests/lookups.py:6 in read"


def test_a_file_that_no_folder_of_imports_has_is_named_by_its_last_part():
    names = {}
    exec(compile("def fail():\n    return 1 / 0\n", "/nowhere/sums.py", "exec"), names)  # noqa: S102

    assert raised(names["fail"]).where == "sums.py:2 in fail"


def test_what_was_never_raised_has_no_place():
    assert told(ValueError("no")) == Raised(type="ValueError", message="no")
    assert told(ValueError("no")).model_fields_set == {"type", "message"}


def test_what_a_fixture_raises_again_has_no_place():
    @boundary
    def fetch(key):
        raise LookupError(key)

    def run(recording):
        with active(recording), pytest.raises(LookupError) as caught:
            fetch("k")
        return caught.value

    first = Recording(lambda: 0, data="record")
    assert told(run(first)).where is not None
    again = Recording(lambda: 0, data="replay", shelf=Shelf(first.fixtures()))
    assert told(run(again)).where is None
    assert [e.error and e.error.where for e in again.executions()] == [None]


def test_the_evidence_does_not_move_with_the_lines(lookups):
    one = raised(lookups.look_up, {}, "k")

    moved = one.model_copy(update={"where": "lookups.py:99 in look_up"})
    assert digest(moved.described()) == digest(one.described())
