"""What a stored trace depends on, where a program made it."""

from __future__ import annotations

import json

import pytest

from flowjury.app.project import load_suites
from flowjury.app.stimuli import Stimuli
from flowjury.job import job_of

SUITE = {
    "format": 1,
    "name": "s",
    "data": "live",
    "target": {"kind": "command", "run": ["sh", "tool.sh"], "workspace": "work/{id}"},
    "cases": [{"id": "a", "input": 1}, {"id": "b", "input": 1}],
}


@pytest.fixture
def parts(tmp_path):
    (tmp_path / ".flowjury").mkdir()
    (tmp_path / "s.suite.json").write_text(json.dumps(SUITE))
    (tmp_path / "tool.sh").write_text("echo 1")
    for case in "ab":
        (tmp_path / "work" / case).mkdir(parents=True)
        (tmp_path / "work" / case / "notes.txt").write_text("notes")

    def of(case):
        [loaded] = load_suites([tmp_path / "s.suite.json"])
        chosen = next(each for each in loaded.suite.cases if each.id == case)
        job = job_of(loaded.suite, chosen, trial=1, recorded={})
        return Stimuli(loaded).of(job, {}).parts

    return of


@pytest.mark.parametrize(
    ("file", "changes"),
    [("tool.sh", {"a": True, "b": True}), ("work/a/notes.txt", {"a": True, "b": False})],
)
def test_a_change_of_the_program_or_its_workspace_counts(parts, tmp_path, file, changes):
    before = {case: parts(case) for case in "ab"}
    (tmp_path / file).write_text("something else")
    after = {case: parts(case) for case in "ab"}

    assert {case: before[case]["program"] != after[case]["program"] for case in "ab"} == changes


def test_a_file_that_is_added_to_a_workspace_counts(parts, tmp_path):
    before = parts("a")
    (tmp_path / "work" / "a" / "more.txt").write_text("")

    assert parts("a")["program"] != before["program"]
    assert parts("b")["program"] == parts("b")["program"]
