from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.finding import Finding
from flowjury.formats.markdown import LIMIT, SUFFIX, marker, render
from flowjury.report import CaseReport, TrialReport
from flowjury.verdict import Status, Verdict

CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|<code>[^<]*</code>")


def test_its_files_end_with_md():
    assert SUFFIX == ".md"


def test_it_is_a_comment_for_a_pull_request(report, golden):
    golden("formats/markdown.md", render(report))


@pytest.mark.parametrize(
    ("suite", "line"),
    [
        ("refunds", "<!-- flowjury:refunds -->"),
        ("a b/c", "<!-- flowjury:a%20b%2Fc -->"),
        ("--> @me", "<!-- flowjury:--%3E%20%40me -->"),
    ],
)
def test_the_first_line_is_hidden_and_names_the_suite(green, suite, line):
    text = render(green.model_copy(update={"suite": suite}))

    assert text.splitlines()[0] == marker(suite) == line


@given(st.data())
def test_all_text_of_users_stands_in_code(reports, data):
    text = render(data.draw(reports))
    outside = {CODE.sub("", line) for line in text.splitlines()[1:]}

    assert {line for line in outside if re.search(r"[`@&\x1b]|<b>|\]\]>|-->", line)} == set()
    assert len(text) <= LIMIT


def test_what_a_comment_has_no_room_for_is_counted(green):
    finding = Finding(kind="value", verdict=Verdict.FAILED, message="x" * 250)
    trial = TrialReport(number=1, status=Status.FAILED, findings=(finding,) * 10)
    cases = [
        CaseReport(id=f"case-{number}", status=Status.FAILED, trials=(trial,))
        for number in range(100)
    ]
    text = render(green.model_copy(update={"cases": tuple(cases)}))
    shown = text.count("<details>")

    assert len(text) <= LIMIT
    assert text.endswith(
        f"… {100 - shown} sections are left out: a comment has room for no more.\n"
    )


def test_the_worst_cases_come_first(green):
    order = [Status.NEEDS_JUDGE, Status.PASSED, Status.UNKNOWN, Status.ERROR, Status.FAILED]
    cases = [CaseReport(id=status, status=status) for status in order]
    text = render(green.model_copy(update={"cases": tuple(cases)}))

    assert re.findall(r"<code>(.*?)</code>", text) == ["error", "failed", "unknown", "needs-judge"]
