from __future__ import annotations

import pytest

from flowjury.finding import ABSENT, Actual, Finding
from flowjury.json_values import opaque
from flowjury.verdict import Verdict

FILES = {
    "out/report.json": '{"total": 3, "lines": [1, 2]}',
    "notes.txt": "Refunded 700.",
    "bad.json": "{not json",
    "nan.json": '{"n": NaN}',
    "large": opaque("file", "2000000 bytes, which are too many to capture"),
    "link": opaque("link", "a link, which is not followed"),
}
EFFECTS = {"writes": ["out/report.json"], "deletes": ["tmp/old.txt"]}


def files(**fields):
    return {"kind": "files", **fields}


def match(file, op, value=None, **fields):
    given = {} if op in {"exists", "absent"} else {"value": value}
    return files(match=[{"file": file, "op": op, **given, **fields}])


def denied(check):
    return {"kind": "not", "check": check}


@pytest.fixture
def seen(lab):
    def of(**fields):
        return lab.run(**{"files": FILES, "effects": EFFECTS, **fields})

    return of


def test_a_file_that_is_not_there_is_told_with_the_nearest_name(lab, seen):
    assert lab.weigh(files(exist=["out/reprot.json"]), seen()) == Finding(
        kind="files",
        verdict=Verdict.FAILED,
        message='"out/reprot.json" is not there; nearest is "out/report.json"',
        actual=ABSENT,
        where="/files/out~1reprot.json",
    )


@pytest.mark.parametrize(
    ("check", "verdict", "message"),
    [
        (files(exist=["notes.txt"]), "passed", '"notes.txt" is there'),
        (files(exist=["large"]), "passed", '"large" is there'),
        (files(exist=["link"]), "unknown", '"link": a link, which is not followed'),
        (files(exist=["out"]), "failed", '"out" is a folder'),
        (files(absent=["other.txt"]), "passed", '"other.txt" is not there'),
        (files(absent=["out/other.txt"]), "passed", '"out/other.txt" is not there'),
        (files(absent=["tmp/old.txt"]), "passed", '"tmp/old.txt" is not there'),
        (files(absent=["notes.txt"]), "failed", '"notes.txt" is there'),
        (files(absent=["out"]), "failed", '"out" is a folder'),
        (files(absent=["link"]), "unknown", '"link": a link, which is not followed'),
        (
            files(absent=["otu/a.txt"]),
            "unknown",
            '"otu/a.txt" is not there; nothing was ever in a folder "otu"',
        ),
        (
            files(valid=["out/report.json"]),
            "passed",
            '"out/report.json" is JSON: {"total": 3, "lines": [1, 2]}',
        ),
        (
            files(valid=["nan.json"]),
            "failed",
            '"nan.json" is no JSON: NaN is not a number that JSON can hold; write a finite one',
        ),
        (files(valid=["large"]), "unknown", f'"large": {FILES["large"]["text"]}'),
        (files(valid=["link"]), "unknown", '"link": a link, which is not followed'),
        (
            files(valid=["report.json"]),
            "failed",
            '"report.json" is not there; nearest is "out/report.json"',
        ),
        (
            match("notes.txt", "contains", "700"),
            "passed",
            '/files/notes.txt is "Refunded 700.": `contains "700"` holds',
        ),
        (
            match("notes.txt", "contains", "800"),
            "failed",
            '/files/notes.txt is "Refunded 700.": `contains "800"` does not hold',
        ),
        (
            match("out/report.json", "equals", 3, at="/total"),
            "passed",
            "/files/out~1report.json/total is 3: `equals 3` holds",
        ),
        (
            match("out/report.json", "absent", at="/error"),
            "passed",
            "/files/out~1report.json resolves, 'error' is not a key there",
        ),
        (match("large", "not_contains", "x"), "unknown", f'"large": {FILES["large"]["text"]}'),
        (
            match("note.txt", "not_contains", "x"),
            "unknown",
            '"note.txt" is not there; nearest is "notes.txt"',
        ),
        (match("note.txt", "absent"), "unknown", '"note.txt" is not there; nearest is "notes.txt"'),
        (
            files(schema={"out/report.json": {"required": ["total"]}}),
            "passed",
            "/files/out~1report.json fits the schema",
        ),
        (
            files(schema={"out/report.json": {"required": ["sum"]}}),
            "failed",
            "/files/out~1report.json lacks 'sum'",
        ),
        (
            files(schema={"large": {"type": "object"}}),
            "unknown",
            f'"large": {FILES["large"]["text"]}',
        ),
        (
            files(schema={"nan.json": {"type": "object"}}),
            "unknown",
            "/files/nan.json holds what could not be recorded as JSON",
        ),
    ],
)
def test_files_are_weighed_by_what_was_captured(lab, seen, check, verdict, message):
    finding = lab.weigh(check, seen())

    assert (finding.verdict, finding.message) == (verdict, message)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (match("bad.json", "equals", 1, at="/a"), "failed"),
        (match("bad.json", "not_equals", 1, at="/a"), "failed"),
        (denied(match("bad.json", "equals", 1, at="/a")), "unknown"),
        (files(schema={"bad.json": {"type": "object"}}), "failed"),
        (denied(files(schema={"bad.json": {"type": "object"}})), "unknown"),
        (files(valid=["bad.json"]), "failed"),
        (denied(files(valid=["bad.json"])), "passed"),
    ],
)
def test_a_file_that_is_no_json_has_no_values_in_it(lab, seen, check, verdict):
    assert lab.weigh(check, seen()).verdict == verdict


@pytest.mark.parametrize(
    "part",
    [
        {"exist": ["notes.tx"]},
        {"valid": ["notes.tx"]},
        {"match": [{"file": "notes.tx", "op": "contains", "value": "a"}]},
        {"match": [{"file": "notes.tx", "op": "equals", "value": "a", "at": "/x"}]},
        {"match": [{"file": "notes.tx", "op": "not_contains", "value": "a"}]},
        {"match": [{"file": "notes.tx", "op": "exists"}]},
        {"match": [{"file": "notes.tx", "op": "absent"}]},
        {"schema": {"notes.tx": {"type": "object"}}},
    ],
)
def test_a_misspelt_path_never_passes_denied(lab, seen, part):
    assert lab.weigh(denied(files(**part)), seen()).verdict == "unknown"


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(
    "part",
    [
        {"exist": ["a"]},
        {"absent": ["a"]},
        {"valid": ["a"]},
        {"match": [{"file": "a", "op": "contains", "value": "a"}]},
        {"match": [{"file": "a", "op": "not_contains", "value": "a"}]},
        {"schema": {"a": {"type": "object"}}},
    ],
)
@pytest.mark.parametrize("fields", [{"files": None}, {"complete": {}}])
def test_what_was_not_captured_is_unknown(lab, seen, fields, part, negated):
    check = files(**part)

    assert lab.weigh(denied(check) if negated else check, seen(**fields)).verdict == "unknown"


def test_of_files_that_were_not_all_captured_those_that_were_count(lab, seen):
    found = seen(complete={})

    assert lab.weigh(files(exist=["notes.txt"]), found).verdict == "passed"
    assert lab.weigh(files(absent=["notes.txt"]), found).verdict == "failed"
    assert lab.weigh(match("notes.txt", "contains", "800"), found).verdict == "failed"


def test_a_file_that_was_recorded_as_a_value_is_taken_as_it_is(lab, seen):
    found = seen(files={"a.json": {"n": 1}})

    assert lab.weigh(match("a.json", "equals", 1, at="/n"), found).verdict == "passed"
    assert lab.weigh(files(valid=["a.json"]), found).verdict == "passed"


def test_all_parts_count(lab, seen):
    finding = lab.weigh(files(exist=["notes.txt", "no.txt"], absent=["large"]), seen())

    assert (finding.verdict, [child.verdict for child in finding.children]) == (
        "failed",
        ["passed", "failed", "failed"],
    )
    assert finding.children[0].actual == Actual.of("notes.txt")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "it asserts nothing: write at least one of exist, absent, valid, match, schema"),
        ({"exist": ["a"], "absent": ["a"]}, "'a' must and must not be there"),
        ({"exist": ["../a"]}, "'../a' is no path in a workspace"),
        ({"absent": ["/a"]}, "'/a' is no path in a workspace"),
        ({"absent": ["./a"]}, "'./a' is no path in a workspace"),
        ({"match": [{"file": "a", "op": "contains", "value": ""}]}, "tells nothing apart"),
        ({"match": [{"file": "a", "op": "equal", "value": ""}]}, "nearest is 'equals'"),
        ({"schema": {"a": {}}}, "allows everything"),
    ],
)
def test_a_check_that_cannot_mean_what_it_says_is_refused(lab, fields, message):
    assert message in lab.fault(files(**fields))
