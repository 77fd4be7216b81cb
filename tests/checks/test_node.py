from __future__ import annotations

import pytest

from flowjury.json_values import opaque

FOUND = [
    {"node": "look_up", "input": {"id": "A-1"}, "output": {"amount": 700, "note": "late"}},
    {"node": "look_up", "input": {"id": "A-2"}, "output": {"amount": 20}},
]
TEXT = [{"node": "ask", "output": {"content": '{"amount": 5}'}}]


def node(**fields):
    return {"kind": "node", "node": "look_up", "side": "output", **fields}


@pytest.mark.parametrize(
    ("check", "ran", "verdict", "message"),
    [
        (
            node(at="/amount", op="gte", value=500, visit="first"),
            FOUND,
            "passed",
            "/nodes/look_up/0/output/amount is 700: `gte 500` holds",
        ),
        (
            node(at="/amount", op="gte", value=500),
            FOUND,
            "failed",
            "/nodes/look_up/1/output/amount is 20: `gte 500` does not hold",
        ),
        (
            node(at="/amount", op="lt", value=500, visit=2),
            FOUND,
            "passed",
            "/nodes/look_up/1/output/amount is 20: `lt 500` holds",
        ),
        (
            node(at="/amount", op="gte", value=500, visit="any"),
            FOUND,
            "passed",
            "/nodes/look_up/0/output/amount is 700: `gte 500` holds",
        ),
        (
            node(at="/amount", op="gte", value=500, visit="all"),
            FOUND,
            "failed",
            "/nodes/look_up/1/output/amount is 20: `gte 500` does not hold",
        ),
        (node(op="exists", visit=3), FOUND, "failed", "look_up has 2 visits, not 3"),
        (node(op="exists", visit="all"), "other", "failed", "look_up was not visited"),
        (
            node(side="input", at="/id", op="equals", value="a-2", ignore_case=True),
            FOUND,
            "passed",
            '/nodes/look_up/1/input/id is "A-2": `equals "a-2"` (ignoring case) holds',
        ),
        (
            node(at="/amuont", op="gte", value=500),
            FOUND,
            "failed",
            "/nodes/look_up/1/output resolves, 'amuont' is not a key there; nearest is 'amount'",
        ),
        (
            node(at="/note", op="not_contains", value="late"),
            FOUND,
            "unknown",
            "/nodes/look_up/1/output resolves, 'note' is not a key there",
        ),
        (node(at="/note", op="absent"), FOUND, "passed", None),
        (node(at="/a/note", op="absent"), FOUND, "unknown", None),
        (
            node(op="exists"),
            [{"node": "look_up", "status": "error", "error": {"type": "KeyError", "message": "x"}}],
            "failed",
            "/nodes/look_up/0/output is not there: the visit ended as error (KeyError)",
        ),
        (node(op="exists"), "look_up", "unknown", "the output of look_up was not recorded"),
        (
            node(node="ask", at="/content/amount", op="equals", value=5, decode="json"),
            TEXT,
            "passed",
            "/nodes/ask/0/output/content/amount is 5: `equals 5` holds",
        ),
        (
            node(node="ask", at="/content", op="equals", value={"amount": 5}, decode="json"),
            TEXT,
            "passed",
            None,
        ),
        (
            node(node="ask", op="exists", decode="json"),
            TEXT,
            "failed",
            "/nodes/ask/0/output is no text but of type object: there is nothing to decode",
        ),
        (
            node(at="/note", op="equals", value="late", visit="first", decode="json"),
            FOUND,
            "failed",
            (
                "/nodes/look_up/0/output/note is a text that is not JSON: "
                "Expecting value: line 1 column 1 (char 0)"
            ),
        ),
    ],
)
def test_a_value_of_a_node_is_weighed_where_it_stands(lab, check, ran, verdict, message):
    finding = lab.weigh(check, lab.run(ran), lab.names("look_up, ask, other"))

    assert finding.verdict == verdict
    assert message in {None, finding.message}


def test_only_the_last_attempt_of_a_visit_counts(lab):
    tries = [
        {"node": "look_up", "visit": "one", "status": "error"},
        {"node": "look_up", "visit": "one", "attempt": 2, "output": 1},
    ]
    finding = lab.weigh(
        node(op="equals", value=1, visit="all"), lab.run(tries), lab.names("look_up")
    )

    assert finding.verdict == "passed"


def test_only_visits_of_the_caller_count(lab):
    called = [
        {"node": "sub:look_up", "caller": "sub", "output": 1},
        {"node": "sub:look_up", "caller": "other", "output": 2},
    ]
    known = lab.names("sub -> sub:look_up, other")
    finding = lab.weigh(
        node(op="equals", value=1, caller="sub", visit="all"), lab.run(called), known
    )

    assert (finding.verdict, finding.where) == ("passed", "/nodes/sub:look_up/1/output")


def test_what_is_no_json_cannot_be_decoded(lab):
    seen = lab.run([{"node": "look_up", "output": {"x": opaque("float", "NaN")}}])

    assert lab.weigh(node(op="exists", at="/x", decode="json"), seen).verdict == "unknown"


def test_the_node_and_its_caller_are_references(lab):
    [alone] = lab.check(node(op="exists")).references()
    found = lab.check(node(op="exists", caller="sub")).references()

    assert [(each.at, each.name, each.caller) for each in found] == [
        ("/caller", "sub", None),
        ("/node", "look_up", "sub"),
    ]
    assert (alone.at, alone.caller) == ("/node", None)


@pytest.mark.parametrize(
    ("visit", "value", "verdict"),
    [
        ("first", 700, "unknown"),
        ("last", 20, "unknown"),
        (1, 700, "unknown"),
        (3, 700, "unknown"),
        ("any", 700, "passed"),
        ("any", 1, "unknown"),
        ("all", 700, "failed"),
        ("all", 20, "failed"),
    ],
)
def test_of_incomplete_visits_only_what_one_visit_decides_counts(lab, visit, value, verdict):
    check = node(at="/amount", op="equals", value=value, visit=visit)

    assert lab.weigh(check, lab.run(FOUND, complete={}), lab.names("look_up")).verdict == verdict


def test_all_visits_cannot_hold_while_some_may_be_unrecorded(lab):
    check = node(at="/amount", op="gt", value=0, visit="all")

    assert lab.weigh(check, lab.run(FOUND, complete={}), lab.names("look_up")).verdict == "unknown"


@pytest.mark.parametrize("visit", ["first", "all", "any", 2])
def test_what_is_not_there_makes_a_denied_check_unknown(lab, visit):
    check = {"kind": "not", "check": node(op="exists", visit=visit)}

    assert lab.weigh(check, lab.run("other"), lab.names("look_up, other")).verdict == "unknown"


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (node(op="gtee", value=1), "'gtee' is not an operator; nearest is 'gte'"),
        (node(op="gte"), "gte needs a value: a number"),
        (node(op="exists", value=None), "exists takes no value, not null"),
        (node(op="exists", at="amount"), "'amount' must be empty or start with '/'"),
        (node(op="regex", value="(?=a)"), "regex is not one that RE2 can compile"),
        (node(op="exists", visit=0), "greater than or equal to 1"),
        (node(op="exists", decode="yaml"), "'json'"),
    ],
)
def test_a_node_check_that_cannot_be_meant_is_refused(lab, check, message):
    assert message in lab.fault(check)
