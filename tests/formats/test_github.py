from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.finding import Finding
from flowjury.formats.github import LIMIT, render, render_at
from flowjury.report import CaseReport, GateReport, TrialReport
from flowjury.verdict import Status, Verdict

COMMAND = re.compile(
    r"::(error|warning|notice) (file=[^,:\n\r]*,)?(line=\d+,)?title=([^,:\n\r]+)::([^\n\r]+)\n"
)


def test_what_did_not_pass_is_annotated_at_its_line(report, golden):
    def line(pointer):
        return 5 if pointer == "/gates" else 10 * int(pointer.removeprefix("/cases/")) + 20

    golden(
        "formats/github.txt",
        render_at(report, file="shop/refunds.suite.yaml", line=line),
    )


@given(st.data())
def test_every_line_is_one_command_whatever_a_text_holds(reports, data):
    text = render(data.draw(reports))

    assert "".join(match[0] for match in COMMAND.finditer(text)) == text


def test_no_text_ends_its_command_or_starts_another(green):
    text = "100%\n::error::x\r\n::set-output name=a::b, c: d %0A"
    case = CaseReport(id=text, status=Status.ERROR, reason=text)

    assert _rendered(green, case, file="a,b:c%.yaml", line=3) == (
        "::error file=a%2Cb%3Ac%25.yaml,line=3,title=greetings%3A "
        r"100%25\n%3A%3Aerror%3A%3Ax\r\n%3A%3Aset-output name=a%3A%3Ab%2C c%3A d %250A error"
        r"::reason  100%25\n::error::x\r\n::set-output name=a::b, c: d %250A"
        "\n"
    )


@pytest.mark.parametrize(
    ("status", "level"),
    [
        (Status.ERROR, "error"),
        (Status.FAILED, "error"),
        (Status.UNKNOWN, "warning"),
        (Status.NEEDS_JUDGE, "warning"),
        (Status.NOT_RUN, "warning"),
        (Status.SKIPPED, "notice"),
        (Status.PASSED, None),
    ],
)
def test_every_status_has_its_level(green, status, level):
    found = _levels(_rendered(green, CaseReport(id="a", status=status)))

    assert found == ([level] if level else [])


@pytest.mark.parametrize(
    ("enforcement", "verdict", "levels"),
    [
        ("warn", Verdict.FAILED, ["warning"]),
        ("report", Verdict.UNKNOWN, ["notice"]),
        ("warn", Verdict.PASSED, []),
    ],
)
def test_a_passed_case_is_annotated_where_a_check_that_does_not_decide_did_not_pass(
    green, enforcement, verdict, levels
):
    finding = Finding(kind="value", verdict=verdict, message="m", enforcement=enforcement)
    trial = TrialReport(number=1, status=Status.PASSED, findings=(finding,))
    case = CaseReport(id="a", status=Status.PASSED, trials=(trial,))

    assert _levels(_rendered(green, case)) == levels


def test_a_case_that_was_not_selected_is_left_out(green):
    assert _rendered(green, CaseReport(id="a", status=Status.NOT_RUN, reason="not selected")) == ""


def test_of_more_than_github_keeps_the_worst_come_first_and_the_others_are_counted(green):
    failed = [CaseReport(id=f"f{n}", status=Status.FAILED) for n in range(LIMIT)]
    erred = [CaseReport(id=f"e{n}", status=Status.ERROR) for n in range(3)]
    commands = COMMAND.findall(_rendered(green, *failed, *erred))
    titles = [title.removeprefix("greetings%3A ") for *_, title, _ in commands]

    assert titles == [
        *("e0 error", "e1 error", "e2 error"),
        *(f"f{n} failed" for n in range(6)),
        "and 4 more",
    ]
    assert commands[-1][-1] == "4 more errors are not shown here; the first is f6 failed"


def test_as_many_as_github_keeps_are_all_shown(green):
    failed = [CaseReport(id=f"f{n}", status=Status.FAILED) for n in range(LIMIT)]

    assert "more" not in _rendered(green, *failed)


def test_cases_that_did_not_run_for_one_reason_are_one_annotation(green):
    cases = [CaseReport(id=f"c{n}", status=Status.NOT_RUN, reason="stopped") for n in range(40)]

    assert _rendered(green, *cases) == (
        "::warning file=greetings.suite.yaml,title=greetings%3A c0%2C c1%2C c2 and 37 more not-run"
        "::stopped\n"
    )


def test_gates_and_suite_checks_that_did_not_pass_are_annotated(green):
    gates = (
        GateReport(name="critical", bound="0", status="failed", message="1 failed"),
        GateReport(name="pass_rate", bound="1/2", status="open", message="1 open"),
    )
    finding = Finding(kind="value", verdict=Verdict.FAILED, message="too many", enforcement="warn")
    report = green.model_copy(update={"gates": gates, "findings": (finding,)})

    assert [(level, text) for level, *_, text in COMMAND.findall(render(report))] == [
        ("error", "0: 1 failed"),
        ("warning", "1/2: 1 open"),
        ("warning", "✗ value [warn]  too many"),
    ]


@pytest.mark.parametrize(("code", "level"), [(1, "error"), (3, "warning"), (4, "error")])
def test_an_exit_that_nothing_else_tells_of_is_annotated(green, code, level):
    report = green.model_copy(update={"exit": code})

    assert _levels(render(report)) == [level]


def test_a_passed_report_has_no_annotation(green):
    assert render(green) == ""


def _rendered(green, *cases, file="greetings.suite.yaml", line=None):
    report = green.model_copy(update={"cases": cases})
    return render_at(report, file=file, line=lambda _: line)


def _levels(text):
    return [level for level, *_ in COMMAND.findall(text)]
