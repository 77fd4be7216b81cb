from __future__ import annotations

import pytest

from flowjury.json_values import opaque

RUN = {
    "output": {"message": "A manager must approve", "nothing": None},
    "tools": [{"name": "send", "arguments": {"to": "x"}}],
    "files": {"a.txt": "A"},
}


def value(at, op, *expected, **fields):
    given = {"value": expected[0]} if expected else {}
    return {"kind": "value", "at": at, "op": op, **given, **fields}


@pytest.mark.parametrize(
    ("check", "verdict", "message"),
    [
        (
            value("/output/message", "contains", "MANAGER", ignore_case=True),
            "passed",
            (
                '/output/message is "A manager must approve": '
                '`contains "MANAGER"` (ignoring case) holds'
            ),
        ),
        (
            value("/output/mesage", "contains", "manager"),
            "failed",
            "/output resolves, 'mesage' is not a key there; nearest is 'message'",
        ),
        (
            value("/output/mesage", "not_contains", "refused"),
            "unknown",
            "/output resolves, 'mesage' is not a key there; nearest is 'message'",
        ),
        (value("/output/other", "absent"), "passed", None),
        (value("/output/other/deep", "absent"), "unknown", None),
        (value("/output/nothing", "equals", None), "passed", None),
        (value("/output/nothing", "exists"), "passed", None),
        (value("/messages", "max_length", 3), "unknown", "messages was not recorded"),
        (value("/tools", "length", 1), "passed", None),
        (value("/tools/1", "absent"), "passed", None),
        (value("/tools/0/result", "absent"), "unknown", "/tools/0: result not recorded"),
        (value("/tools/0/argument", "absent"), "unknown", None),
        (value("/files/b.txt", "absent"), "passed", None),
        (value("/nodes/a/0/status", "equals", "ok"), "passed", None),
        (value("/nodes/a/0/output", "absent"), "unknown", "/nodes/a/0: output not recorded"),
        (value("/nodes/a/0/usage/tokens", "absent"), "unknown", "/nodes/a/0: usage not recorded"),
        (value("/nodes/a/1", "absent"), "passed", None),
        (value("/nodes/typo", "absent"), "unknown", None),
        (value("/nodes/a/0/statsu", "absent"), "unknown", None),
        (value("/nodes/b", "equals", []), "passed", None),
        (value("/usage/tokens", "absent"), "unknown", "usage was not recorded"),
        (value("/statsu", "absent"), "unknown", None),
        (value("/error", "absent"), "passed", None),
        (value("/exit_code", "equals", 0), "unknown", "exit_code was not recorded"),
        (value("", "has_keys", ["status"]), "passed", None),
    ],
)
def test_a_pointer_into_the_evidence_is_followed_as_far_as_it_leads(lab, check, verdict, message):
    finding = lab.weigh(check, lab.run("a", **RUN), lab.names("a, b"))

    assert finding.verdict == verdict
    assert message in {None, finding.message}


@pytest.mark.parametrize("at", ["/output/nan", "/output/nan/deep", "/output", ""])
@pytest.mark.parametrize("op", ["exists", "absent"])
def test_what_could_not_be_recorded_as_json_is_unknown(lab, at, op):
    finding = lab.weigh(value(at, op), lab.run("a", output={"nan": opaque("float", "NaN")}))

    message = f"{at or 'the document'} holds what could not be recorded as JSON"
    assert (finding.verdict, finding.message) == ("unknown", message)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (value("/tools", "min_length", 1), "passed"),
        (value("/tools", "min_length", 2), "unknown"),
        (value("/tools", "max_length", 1), "unknown"),
        (value("/tools", "max_length", 0), "failed"),
        (value("/tools", "contains", {"name": "send"}), "passed"),
        (value("/tools", "not_contains", {"name": "send"}), "failed"),
        (value("/tools", "not_contains", {"name": "drop"}), "unknown"),
        (value("/tools", "length", 1), "unknown"),
        (value("/tools", "type", "array"), "passed"),
        (value("/tools", "absent"), "failed"),
        (value("/tools/0/name", "equals", "send"), "unknown"),
        (value("/tools/1", "absent"), "unknown"),
        (value("/files/a.txt", "equals", "A"), "passed"),
        (value("/files/b.txt", "absent"), "unknown"),
        (value("/nodes/a", "min_length", 1), "unknown"),
        (value("/nodes/b", "length", 0), "unknown"),
        (value("/nodes/a/0/status", "equals", "ok"), "unknown"),
        (value("/output/other", "absent"), "passed"),
        (value("/status", "equals", "finished"), "passed"),
        (value("", "only_keys", ["status"]), "failed"),
        (value("", "has_keys", ["status"]), "passed"),
    ],
)
def test_of_incomplete_evidence_only_what_more_cannot_change_counts(lab, check, verdict):
    assert lab.weigh(check, lab.run("a", complete={}, **RUN), lab.names("a, b")).verdict == verdict


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (value("/usage/tokens", "gte", 5), "passed"),
        (value("/usage/tokens", "lte", 5), "unknown"),
        (value("/usage/tokens", "lte", 4), "failed"),
        (value("/usage", "has_keys", ["tokens"]), "passed"),
        (value("/usage/tokens", "equals", 5), "unknown"),
    ],
)
def test_incomplete_spending_is_a_lower_bound(lab, check, verdict):
    seen = lab.run([{"node": "a", "usage": {"tokens": 5}}], complete={"executions": True})

    assert lab.weigh(check, seen).verdict == verdict


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (value("/steps/one/nodes/a/0/status", "equals", "ok"), "passed"),
        (value("/steps/one/output", "equals", 1), "passed"),
        (value("/steps/one/tools/3", "absent"), "unknown"),
        (value("/steps/typo", "absent"), "unknown"),
        (value("/steps/one/typo", "absent"), "unknown"),
        (value("/steps/one", "has_keys", ["status"]), "passed"),
        (value("/steps", "has_keys", ["one"]), "passed"),
        (value("/steps/two/nodes/a/0/status", "equals", "ok"), "unknown"),
        (value("/steps/two/output", "contains", "x"), "failed"),
    ],
)
def test_each_turn_is_a_document_of_its_own(lab, check, verdict):
    one = lab.run("a", output=1)
    two = lab.run("a", status="error", complete={})
    turns = [{"id": "one", "trace": one}, {"id": "two", "trace": two}]

    assert lab.weigh(check, lab.run(None, steps=turns), lab.names("a")).verdict == verdict


def test_a_pointer_that_fails_in_a_turn_is_shown_whole(lab):
    turns = [{"id": "one", "trace": lab.run("a", output={"x": 1})}]
    finding = lab.weigh(value("/steps/one/output/y", "exists"), lab.run(None, steps=turns))

    assert finding.message == "/steps/one/output resolves, 'y' is not a key there"


def test_in_the_document_of_the_suite_nothing_is_surely_absent(lab):
    assert (
        lab.weigh(value("/output/x", "absent"), lab.run(output={}), cases=[]).verdict == "unknown"
    )


def test_the_pointer_of_a_value_is_an_address(lab):
    assert list(lab.check(value("/output", "exists")).addresses()) == [("/at", "/output")]


@pytest.mark.parametrize(
    ("op", "value"),
    [
        *((op, "") for op in ("contains", "not_contains", "regex", "starts_with", "ends_with")),
        ("min_length", 0),
        ("has_keys", []),
    ],
)
def test_what_holds_for_all_or_nothing_is_no_expectation(lab, op, value):
    check = {"kind": "value", "at": "/output", "op": op, "value": value}

    assert "tells nothing apart; write what must be there, or must not" in lab.fault(check)


@pytest.mark.parametrize("output", [None, 7, True, {"a": 1}])
@pytest.mark.parametrize(("op", "verdict"), [("contains", "failed"), ("not_contains", "unknown")])
def test_what_has_no_parts_contains_nothing_and_lacks_nothing(lab, output, op, verdict):
    check = {"kind": "value", "at": "/output", "op": op, "value": "a"}
    seen = lab.run(output=output)

    assert lab.weigh(check, seen).verdict == verdict
    assert lab.weigh({"kind": "not", "check": check}, seen).verdict == "unknown"
