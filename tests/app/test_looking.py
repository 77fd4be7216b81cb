"""Waiting for changes, with nobody that sleeps."""

from __future__ import annotations

import os

import pytest

from flowjury.app.looking import Woken, states, wait

A, B = (1, 1, 1), (2, 2, 2)


def nobody(_seconds):
    return None


def looks(*each):
    left = list(each)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def test_what_is_as_it_was_seen_wakes_nobody_until_it_changes():
    woken = wait({"a": A}, looks({"a": A}, {"a": A}, {"a": B}), nobody)

    assert woken == Woken("changed", {"a": B}, ("a",))


def test_what_is_being_written_is_waited_for():
    woken = wait({}, looks({"a": A}, {"a": B}, {"a": B, "b": A}, {"a": B, "b": A}), nobody)

    assert woken == Woken("changed", {"a": B, "b": A}, ("a", "b"))


def test_who_asks_is_heard_before_anything_changes():
    assert wait({"a": A}, looks({"a": A}), lambda _: "all") == Woken("all", {"a": A})


def test_a_file_that_goes_has_changed():
    assert wait({"a": A, "b": A}, looks({"b": A}), nobody).changed == ("a",)


def test_files_that_may_be_read_for_a_suite_are_looked_at(tmp_path):
    for name in ("a.py", "in/b.yaml", ".hidden/c.py", "__pycache__/d.py", "e.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")

    found = states([tmp_path], [tmp_path / "e.txt", tmp_path / "none"])

    assert sorted(os.path.relpath(each, tmp_path) for each in found) == [
        "a.py",
        "e.txt",
        "in/b.yaml",
        "none",
    ]
    assert found[str(tmp_path / "none")] is None


@pytest.mark.parametrize("name", ["gone", "a.py"])
def test_a_folder_that_is_none_has_nothing(tmp_path, name):
    (tmp_path / "a.py").write_text("")

    assert states([tmp_path / name], []) == {}
