from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, GitHub

SCRIPT = ROOT / ".ci" / "action" / "comment.py"
OWN = {"number": 7, "head": {"repo": {"full_name": "o/r"}}}
FORKED = {"number": 7, "head": {"repo": {"full_name": "else/r"}}}
DELETED_FORK = {"number": 7, "head": {"repo": None}}


@dataclass
class Job:
    """A step of a job, on GitHub's side and on ours."""

    folder: Path
    github: GitHub

    def comment(self, text: str = "one\n", pull: Any = OWN, **more: str) -> str:
        event, summary = self.folder / "event.json", self.folder / "summary.md"
        event.write_text(json.dumps({"pull_request": pull} if pull else {"ref": "main"}))
        summary.write_text(text)
        environment = {
            "GITHUB_API_URL": self.github.url,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "o/r",
            "NAME": "flowjury",
            "SUMMARY": str(summary),
            "TOKEN": "secret",
            **more,
        }
        ran = subprocess.run(
            [sys.executable, SCRIPT],
            env={"PATH": os.environ["PATH"], **environment},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert ran.stderr == ""
        return ran.stdout

    @property
    def bodies(self) -> list[str]:
        return [comment["body"] for comment in self.github.comments]


@pytest.fixture
def job(tmp_path: Path, github: GitHub) -> Job:
    return Job(tmp_path, github)


def test_the_first_run_writes_a_comment_and_later_ones_change_it(job):
    job.github.add("Looks good to me", login="ann", kind="User")
    first, second = job.comment("one\n"), job.comment("two\n")

    assert (first, second) == ("comment https://x/2\n", "comment https://x/2\n")
    assert job.bodies == ["Looks good to me", "<!-- flowjury -->\ntwo\n"]


def test_it_is_found_among_hundreds(job):
    for number in range(150):
        job.github.add(f"note {number}")
    job.github.add("<!-- flowjury -->\r\nold")
    job.comment("new\n")

    assert (len(job.bodies), job.bodies[-1]) == (151, "<!-- flowjury -->\nnew\n")


def test_jobs_with_names_of_their_own_have_comments_of_their_own(job):
    job.comment("a\n")
    job.comment("b\n", NAME="live --> x")
    job.comment("c\n", NAME="live --> x")

    assert job.bodies == ["<!-- flowjury -->\na\n", "<!-- flowjury live%20--%3E%20x -->\nc\n"]


def test_a_marker_that_somebody_else_copied_is_left_alone(job):
    job.github.add("<!-- flowjury -->\nall is well", login="mallory", kind="User")
    job.comment("failed\n")

    assert job.bodies == ["<!-- flowjury -->\nall is well", "<!-- flowjury -->\nfailed\n"]


def test_with_a_token_of_a_person_the_comment_of_that_person_is_changed(job):
    job.github.account = "ann"
    job.github.add("<!-- flowjury -->\nold", login="ann", kind="User")
    job.comment("new\n")

    assert job.bodies == ["<!-- flowjury -->\nnew\n"]


@pytest.mark.parametrize(
    ("code", "pull", "said"),
    [
        (401, OWN, "::warning title=FlowJury::no comment: GitHub answered 401; give the job "),
        (403, FORKED, "::notice title=FlowJury::no comment: the token of a fork's pull request "),
        (404, DELETED_FORK, "::notice title=FlowJury::no comment: the token of a fork's pull "),
    ],
)
def test_without_permission_it_says_so_and_ends_well(job, code, pull, said):
    job.github.refusal = code

    assert job.comment(pull=pull).startswith(said)


def test_a_server_that_fails_is_a_warning(job):
    job.github.refusal = 500

    assert job.comment() == "::warning title=FlowJury::no comment: GitHub answered 500\n"


def test_a_server_that_is_not_there_is_a_warning(job):
    said = job.comment(GITHUB_API_URL="http://127.0.0.1:9")

    assert said.startswith("::warning title=FlowJury::no comment: URLError(")


def test_outside_of_a_pull_request_nothing_is_asked(job):
    assert job.comment(pull=None) == "no comment: this run is not of a pull request\n"
    assert job.github.asked == []


def test_a_comment_has_no_more_than_github_takes_and_says_so(job):
    job.comment("line of the report\n" * 10_000)
    [body] = job.bodies

    assert 64_900 < len(body) <= 65_000
    assert body.startswith("<!-- flowjury -->\nThe report is too long for a comment: ")
    assert body.endswith("\nline of the report")
