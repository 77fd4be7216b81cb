from __future__ import annotations

import pytest

from flowjury.cli import completion


@pytest.fixture
def ran(flowjury):
    flowjury.suite("passes", "asks")
    flowjury("run")
    flowjury.write("judges/our_judge.py", "")
    return flowjury


@pytest.mark.parametrize(
    ("offer", "incomplete", "offered"),
    [
        (completion.modes, "re", ["replay", "record"]),
        (completion.formats, "j", ["json", "junit"]),
        (completion.reports, "ju", ["junit="]),
        (completion.schemas, "sui", ["suite"]),
        (completion.hosts, "o", ["openai_rubric", "our_judge"]),
        (completion.cases, "", ["asks", "passes"]),
        (completion.cases, "p", ["passes"]),
        (completion.cases, "x", []),
    ],
)
def test_a_shell_is_offered_what_fits(ran, offer, incomplete, offered):
    assert offer(incomplete) == offered
    assert ran


def test_where_nothing_is_stored_or_all_is_broken_no_case_is_offered(flowjury):
    assert completion.cases("") == []
    flowjury.write(".flowjury/runs.db", "no database")
    assert completion.cases("") == []
    flowjury.write("flowjury.toml", "hots = 3")
    assert (completion.cases(""), completion.hosts("")) == ([], [])


def test_a_shell_asks_by_the_environment(ran):
    asked = {"_FLOWJURY_COMPLETE": "complete_bash", "COMP_CWORD": "2"}
    done = ran.process(env={**asked, "COMP_WORDS": "flowjury show pa"})

    assert done.stdout.split() == ["passes"]
