"""Suite files are collected as tests, one for each case, and no code is run for it."""

from __future__ import annotations

import json

import pytest

pytest_plugins = ["pytester"]

EXPLODES = 'raise RuntimeError("imported")\n'


def _collected(adopter, *arguments):
    result = adopter.run("--collect-only", "-q", *arguments)
    return [line for line in result.outlines if "::" in line]


def test_each_case_is_a_test_and_no_code_is_loaded_for_that(adopter):
    adopter.suite("passes", "fails")
    adopter.write("nodes.py", EXPLODES)

    assert _collected(adopter) == ["shop.suite.yaml::passes", "shop.suite.yaml::fails"]
    assert not (adopter.root / ".flowjury").exists()


@pytest.mark.parametrize("suffix", ["yml", "json", "jsonl"])
def test_suites_are_collected_in_every_notation(adopter, suffix):
    head = '{"format": 1, "name": "s", "target": {"kind": "python", "call": "m:f"}'
    texts = {
        "yml": "format: 1\nname: s\ntarget: {kind: python, call: 'm:f'}\ncases: [{id: one}]\n",
        "json": head + ', "cases": [{"id": "one"}]}',
        "jsonl": head + '}\n{"id": "one"}\n',
    }
    adopter.write(f"s.suite.{suffix}", texts[suffix])

    assert _collected(adopter) == [f"s.suite.{suffix}::one"]


def test_other_files_are_left_alone(adopter):
    adopter.write("my.suite.txt", "no suite")
    adopter.write("suite.yaml", "no suite")

    assert _collected(adopter) == []


def test_a_test_stands_at_the_line_of_its_case(adopter):
    path = adopter.suite("passes", "unknown")
    line = path.read_text().splitlines().index("  - id: unknown") + 1
    adopter.run("--junitxml=out.xml", "--flowjury-incomplete=skip")

    place = f">shop.suite.yaml:{line}: messages was not recorded<"
    assert place in (adopter.root / "out.xml").read_text()


def test_a_faulty_suite_is_an_error_of_collection_without_a_traceback(adopter):
    path = adopter.suite("passes", "fails")
    path.write_text(path.read_text().replace("title:", "titel:").replace("/output/text", "/ouput"))
    result = adopter.run()

    assert result.ret == 2
    assert [line.replace(str(path), "S") for line in adopter.lines(result, "ERRORS")] == [
        "_______________________ ERROR collecting shop.suite.yaml _______________________",
        *(
            f"S:{line}: /cases/{case}/titel: 'titel' is not a key here; nearest is 'title' (known: "
            "checks, expect, fixtures, id, input, rubric, skip, steps, tags, timeout, title, trace,"
            " trials)"
            for case, line in enumerate((7, 13))
        ),
    ]


def test_a_name_that_the_workflow_lacks_is_found_before_anything_runs(adopter):
    path = adopter.suite("passes")
    check = "{kind: path, must: [look_upp]}"
    path.write_text(path.read_text().replace("checks: [", f"checks: [{check}, "))
    result = adopter.run()

    assert result.ret == 2
    result.stdout.fnmatch_lines(["*: /cases/0/checks/0/must/0: *'look_upp'; nearest is 'look_up'*"])


def test_two_suites_of_one_name_are_an_error_of_collection(adopter):
    adopter.suite("passes", folder="one")
    adopter.suite("passes", folder="two")
    result = adopter.run()

    assert result.ret == 2
    result.stdout.fnmatch_lines(["*: /name: 'shop' is also the name of *give each suite its own"])


def test_code_that_cannot_be_imported_is_the_error_of_each_case(adopter):
    adopter.suite("passes", "fails")
    adopter.write("nodes.py", EXPLODES)
    result = adopter.run()

    assert result.ret == 1
    assert adopter.summary(result) == "2 failed"
    result.stdout.fnmatch_lines(["error: *RuntimeError: imported*"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (["-m", "smoke"], 2),
        (["-m", "flowjury and not smoke"], 1),
        (["-k", "smoke"], 2),
        (["-k", "two-words"], 1),
        (["-k", "case and that and fails"], 1),
        (["shop.suite.yaml::fails"], 1),
    ],
)
def test_tags_titles_and_ids_select(adopter, chosen, expected):
    adopter.suite("passes", "fails", tags="smoke, slow-path")
    adopter.suite("asks", name="other", folder="other", tags="two-words")

    assert len(_collected(adopter, *chosen)) == expected


def test_a_tag_named_like_a_mark_of_pytest_is_only_a_word(adopter):
    adopter.suite("fails", tags="xfail, skip, with space, _own")
    result = adopter.run()

    assert adopter.summary(result) == "1 failed"
    assert _collected(adopter, "-k", "xfail") == ["shop.suite.yaml::fails"]


def test_what_was_selected_is_kept_with_the_run(adopter):
    adopter.suite("passes", "fails")
    adopter.run("-k", "passes")
    report = json.loads((adopter.root / ".flowjury/reports/shop/latest/report.json").read_text())

    assert report["partial"] is True
    assert [case["reason"] for case in report["cases"]] == [None, "not selected"]


def test_the_last_failed_are_run_again(adopter):
    adopter.suite("passes", "fails", "asks")
    adopter.run()

    assert adopter.summary(adopter.run("--lf")) == "1 failed, 1 needs-judge"


def test_the_first_failure_can_end_the_run_which_is_not_finished_then(adopter):
    adopter.suite("unknown", "passes")
    result = adopter.run("-x")

    assert result.ret == 1
    assert adopter.summary(result) == "1 unknown"
    assert adopter.stored() == [("shop", False, 1)]


def test_an_interruption_keeps_what_is_done(adopter):
    adopter.suite("passes", "fails", "unknown")
    nodes = adopter.root / "nodes.py"
    nodes.write_text(
        "import os\nimport signal\n\ncalls = []\n"
        + nodes.read_text().replace(
            'print("answering")',
            "calls.append(1)\n    if len(calls) == 2:\n        os.kill(os.getpid(), signal.SIGINT)",
        )
    )
    result = adopter.run()

    assert result.ret == 2
    result.stdout.fnmatch_lines(["*KeyboardInterrupt*"])
    assert adopter.stored() == [("shop", False, 1)]
