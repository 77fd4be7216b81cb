"""What comes of cases is shown, counted and explained by pytest."""

from __future__ import annotations

import re
import sys

import pytest

pytest_plugins = ["pytester"]

ALL = ("passes", "fails", "asks", "unknown", "breaks", "skipped")


def test_each_status_has_an_outcome_of_its_own(adopter):
    adopter.suite(*ALL)
    result = adopter.run()

    assert result.ret == 1
    assert adopter.summary(result) == ("2 failed, 1 passed, 1 skipped, 1 needs-judge, 1 unknown")


def test_each_status_has_a_word_and_a_letter(adopter):
    adopter.suite(*ALL)

    adopter.run("-q").stdout.fnmatch_lines([".FJUFs*"])
    adopter.run("-v").stdout.fnmatch_lines(
        [
            "shop.suite.yaml::passes PASSED*",
            "shop.suite.yaml::fails FAILED*",
            "shop.suite.yaml::asks NEEDS-JUDGE*",
            "shop.suite.yaml::unknown UNKNOWN*",
            "shop.suite.yaml::breaks FAILED*",
            "shop.suite.yaml::skipped SKIPPED (not yet)*",
        ]
    )


def test_a_failure_reads_like_a_report_and_has_no_traceback(adopter):
    adopter.suite("fails")
    result = adopter.run("--show-capture=no")

    assert adopter.lines(result, "FAILURES") == [
        "____________________________________ fails _____________________________________",
        "FAILED  fails  The case that fails",
        '  ✗ value  /output/text is "A-1 costs 80": `equals "no"` does not hold',
        '      at /output/text   expected "no"   found "A-1 costs 80"',
    ]
    assert "Traceback" not in result.stdout.str()


def test_what_a_case_prints_is_shown_with_its_failure(adopter):
    adopter.suite("fails")

    adopter.run().stdout.fnmatch_lines(["*- Captured stdout call -*", "answering"])


def test_an_error_says_so_first(adopter):
    adopter.suite("breaks")
    result = adopter.run()

    [_, first, *_] = adopter.lines(result, "FAILURES")
    assert first.startswith("error: fixture-miss: no fixture answers boundary node 'look_up'")


def test_open_cases_are_explained_and_listed(adopter):
    adopter.suite("asks", "unknown")
    result = adopter.run()

    assert adopter.lines(result, "UNKNOWN") == [
        "___________________________________ unknown ____________________________________",
        "UNKNOWN  unknown  The case that unknown",
        "  ? value  messages was not recorded",
        "      at /messages/0",
        "UNKNOWN shop.suite.yaml::unknown - messages was not recorded",
    ]
    judged = adopter.lines(result, "NEEDS-JUDGE")
    assert judged[1] == "NEEDS JUDGE  asks  The case that asks"
    assert judged[-1].startswith("`flowjury pending` lists the open questions")


def test_open_cases_are_skipped_where_that_is_asked_for(adopter):
    adopter.suite("passes", "asks", "unknown")
    result = adopter.run("--flowjury-incomplete=skip")

    assert result.ret == 0
    assert adopter.summary(result) == "1 passed, 1 needs-judge, 1 unknown"
    result.stdout.fnmatch_lines(["UNKNOWN shop.suite.yaml::unknown - messages was not recorded"])


def test_a_failure_is_no_less_where_open_cases_are_skipped(adopter):
    adopter.suite("fails", "breaks")

    assert adopter.run("--flowjury-incomplete=skip").ret == 1


def test_a_judgement_that_is_there_counts(adopter):
    adopter.suite("asks")
    adopter.run()
    [request] = (adopter.root / ".flowjury" / "requests").glob("*.json")
    answer = (
        f'{{"format": 1, "request": "{request.stem}", "judge": {{"name": "ann"}},'
        ' "criteria": [{"id": "clear", "verdict": "met"}], "created": "2026-01-01T00:00:00Z"}'
    )
    adopter.write("answer.json", answer)
    command = [sys.executable, "-m", "flowjury.cli.main", "attach", "answer.json"]
    adopter.pytester.run(*command)

    assert adopter.summary(adopter.run()) == "1 passed"


def test_junit_tells_the_statuses_and_why(adopter):
    adopter.suite("passes", "fails", "asks", "unknown")
    adopter.run("--junitxml=out.xml", "--flowjury-incomplete=skip")

    text = (adopter.root / "out.xml").read_text()
    statuses = re.findall(r'<property name="flowjury" value="(.+?)" />', text)
    messages = re.findall(r'<(failure|skipped)[^>]* message="(.+?)"', text)
    assert statuses == ["passed", "failed", "needs-judge", "unknown"]
    assert messages == [
        (
            "failure",
            "/output/text is &quot;A-1 costs 80&quot;: `equals &quot;no&quot;` does not hold",
        ),
        ("skipped", "needs-judge: no judgement yet"),
        ("skipped", "messages was not recorded"),
    ]


def test_what_is_asserted_of_the_whole_suite_is_one_test_more(adopter):
    adopter.suite("passes", "fails", more="gates: {case_pass_rate: 1/2}\n")
    result = adopter.run()

    assert adopter.summary(result) == "1 failed, 2 passed"


def test_a_gate_that_fails_makes_a_run_fail_whose_cases_pass(adopter):
    check = "{kind: value, at: /summary/cases/passed, op: gte, value: 9}"
    adopter.suite("passes", more=f"checks: [{check}]\n")
    result = adopter.run()

    assert result.ret == 1
    assert adopter.summary(result) == "1 failed, 1 passed"
    result.stdout.fnmatch_lines(["FAILED shop.suite.yaml::the whole suite - *"])


@pytest.mark.parametrize("answer", ["True", "False"])
def test_evaluators_answer_when_their_case_has_run(adopter, answer):
    adopter.write("judge.py", f"def short(context, parameters):\n    return {answer}\n")
    path = adopter.suite("passes")
    path.write_text(
        path.read_text().replace(
            "[{kind: value", "[{kind: evaluator, use: judge:short}, {kind: value"
        )
    )

    assert adopter.summary(adopter.run()) == ("1 passed" if answer == "True" else "1 failed")


def test_trials_are_all_run_and_decide_together(adopter):
    adopter.write(
        "flaky.py",
        "calls = []\n\n\ndef flaky(given):\n    calls.append(1)\n    return len(calls)\n",
    )
    adopter.write(
        "flaky.suite.yaml",
        """\
format: 1
name: flaky
target: {kind: python, call: flaky:flaky}
cases:
  - id: mostly
    trials: {n: 4, pass: 3/4}
    checks: [{kind: value, at: /output, op: gt, value: 1}]
  - id: always
    trials: {n: 2}
    checks: [{kind: value, at: /output, op: gt, value: 5}]
""",
    )
    result = adopter.run()

    assert adopter.summary(result) == "1 failed, 1 passed"
    result.stdout.fnmatch_lines(["FAILED  always  1/2 (needs 2)"])
    assert adopter.stored() == [("flaky", True, 6)]
