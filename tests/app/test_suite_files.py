from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from flowjury.app.suite_files import suite_paths
from flowjury.errors import InputError, UsageError


def test_suites_are_found_in_folders_but_not_in_hidden_or_foreign_ones(shop):
    for name in (
        "a/x.suite.yaml",
        "b.suite.json",
        ".hidden/c.suite.yaml",
        "node_modules/d.suite.yaml",
        "env/e.suite.yaml",
        "a/other.yaml",
    ):
        shop.write(name, "")
    shop.write("env/pyvenv.cfg", "")
    found = suite_paths(shop.project, ())

    assert [path.relative_to(shop.root).as_posix() for path in found] == [
        "a/x.suite.yaml",
        "b.suite.json",
    ]


def test_a_suite_that_is_named_twice_is_one(shop):
    path = shop.write("a/x.suite.yaml", "")

    assert suite_paths(
        shop.project, [path, shop.root / "a", path.parent / "../a/x.suite.yaml"]
    ) == [path]


def test_configured_patterns_say_which_suites_there_are(shop):
    shop.write("flowjury.toml", 'suites = ["in/*.yaml"]')
    shop.write("b.suite.yaml", "")
    with pytest.raises(UsageError, match="matches no file"):
        suite_paths(shop.project, ())
    path = shop.write("in/x.yaml", "")

    assert suite_paths(shop.project, ()) == [path]


def test_a_folder_without_suites_is_refused(shop):
    (shop.root / "empty").mkdir()

    with pytest.raises(UsageError, match="no suite file"):
        suite_paths(shop.project, [shop.root / "empty"])


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("../*", "it leads out of the project"),
        ("a/../../*", "it leads out of the project"),
        ("/etc/*", "it leads out of the project"),
        ("", "it names nothing"),
        (".", "it names nothing"),
        ("a\0b", "no file name has a NUL in it"),
        ("a**", "'**' must be a whole part of the path"),
    ],
)
def test_patterns_that_are_none_or_leave_the_project_are_refused(shop, pattern, reason):
    shop.write("flowjury.toml", f"suites = [{json.dumps(pattern)}]")

    with pytest.raises(UsageError) as caught:
        suite_paths(shop.project, ())
    said = str(caught.value)
    assert said.startswith(f"suites = [{pattern!r}] in the configuration: {reason}")
    assert said.endswith("relative to the project, such as 'tests/**/*.suite.yaml'")


def test_a_folder_that_cannot_be_read_is_passed_over_and_told(shop, monkeypatch):
    path = shop.suite({"id": "c"})
    top = shop.root
    monkeypatch.chdir(top)
    for _ in range(20):  # deeper than a path may be long
        Path("d" * 250).mkdir()
        monkeypatch.chdir("d" * 250)
    told = []

    assert suite_paths(shop.project, (), tell=told.append) == [path]
    assert [line.split(": ", 1)[1] for line in told] == [
        "passed over, as it cannot be read: File name too long"
    ]
    monkeypatch.chdir(top)


def test_what_is_named_like_a_suite_and_is_no_file_is_told_with_the_rest(shop):
    shop.suite({"id": "c"}, name="other", cases=3)
    (shop.root / "loop.suite.yaml").symlink_to("loop.suite.yaml")
    os.mkfifo(shop.root / "pipe.suite.yaml")

    with pytest.raises(InputError) as caught:
        shop.ran()
    assert [fault.message.partition(";")[0] for fault in caught.value.faults] == [
        "cannot be read: Too many levels of symbolic links",
        "3 is not an array",
        "this is a pipe or a device, which may never end",
    ]
