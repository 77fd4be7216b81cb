from __future__ import annotations

import pytest

CALLS = [
    {"name": "find", "arguments": {"id": 1, "deep": True}},
    {"name": "send", "arguments": {"to": "x"}, "status": "refused"},
    {"name": "find", "arguments": {"id": 2}},
    {"name": "bare"},
]
REFUSED = "{} was called after {} only if calls that were refused count, which did not run"
TOOLS = ("find", "send", "bare", "drop")
SCHEMA = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


def tools(**fields):
    return {"kind": "tools", **fields}


@pytest.mark.parametrize(
    "denied",
    [
        tools(called=["send"]),
        tools(not_called=["send"]),
        tools(order=["find", "send"]),
        tools(times={"send": {"min": 1}}),
        tools(times={"send": {"max": 0}}),
    ],
)
def test_nothing_is_proved_by_denying_what_a_refused_call_leaves_open(lab, denied):
    check = {"kind": "not", "check": denied}
    finding = lab.weigh(check, lab.run("a", tools=CALLS), lab.names("a", tools=TOOLS))

    assert finding.verdict == "unknown"


@pytest.mark.parametrize(
    ("check", "verdict", "message"),
    [
        (tools(called=["find"]), "passed", "find was called 2 times"),
        (tools(called=["drop"]), "failed", "drop was not called"),
        (
            tools(called=["send"]),
            "unknown",
            "send was asked for, and refused: it did not run",
        ),
        (tools(not_called=["drop"]), "passed", "drop was not called"),
        (
            tools(not_called=["send"]),
            "failed",
            "send was asked for, and refused: it did not run",
        ),
        (tools(order=["find", "bare"]), "passed", None),
        (tools(order=["send", "find"]), "unknown", REFUSED.format("find", "send")),
        (
            tools(order=["find", "send", "find"]),
            "unknown",
            f"{REFUSED.format('send', 'find')}; {REFUSED.format('find', 'send')}",
        ),
        (
            tools(times={"send": {"min": 1}}),
            "unknown",
            "calls of send: 1; at least 1 cannot be decided: 1 of them refused, which did not run",
        ),
        (tools(times={"send": 1}), "unknown", None),
        (
            tools(times={"send": {"max": 0}}),
            "failed",
            "calls of send: 1; at most 0 does not hold: 1 of them refused, which did not run",
        ),
        (tools(times={"send": {"max": 1}}), "passed", None),
        (tools(order=["find", "find", "find"]), "failed", "no call of find came after one of find"),
        (tools(order=["send", "drop"]), "failed", "drop was not called"),
        (tools(times={"find": 2, "drop": {"max": 0}}), "passed", None),
        (tools(times={"find": {"min": 3}}), "failed", "calls of find: 2; at least 3 does not hold"),
        (tools(status={"send": "refused"}), "passed", "/tools/1: send ended as refused"),
        (tools(status={"send": "ok"}), "failed", "/tools/1: send ended as refused"),
        (tools(status={"drop": "ok"}), "failed", "drop was not called"),
        (
            tools(arguments={"find": {"matches": {"id": 1}}}),
            "failed",
            '/tools/2/arguments is {"id": 2}: `matches {"id": 1}` does not hold',
        ),
        (tools(arguments={"find": {"matches": {"id": 1}, "calls": "any"}}), "passed", None),
        (tools(arguments={"find": {"schema": SCHEMA}}), "passed", None),
        (tools(arguments={"send": {"schema": SCHEMA}}), "failed", "/tools/1/arguments lacks 'id'"),
        (tools(arguments={"drop": {"schema": SCHEMA}}), "failed", "drop was not called"),
        (
            tools(arguments={"bare": {"matches": {}}}),
            "unknown",
            "the arguments of /tools/3 were not recorded",
        ),
    ],
)
def test_calls_are_weighed_by_tool(lab, check, verdict, message):
    finding = lab.weigh(check, lab.run("a", tools=CALLS), lab.names("a", tools=TOOLS))

    assert finding.verdict == verdict
    assert message in {None, finding.message}


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (tools(called=["find"]), "passed"),
        (tools(called=["drop"]), "unknown"),
        (tools(not_called=["drop"]), "unknown"),
        (tools(not_called=["send"]), "failed"),
        (tools(order=["find", "bare"]), "passed"),
        (tools(order=["find", "send"]), "unknown"),
        (tools(order=["send", "send"]), "unknown"),
        (tools(times={"find": {"max": 2}}), "unknown"),
        (tools(times={"find": 1}), "failed"),
        (tools(status={"find": "ok"}), "unknown"),
        (tools(status={"send": "ok"}), "failed"),
        (tools(status={"drop": "ok"}), "unknown"),
        (tools(arguments={"find": {"schema": SCHEMA}}), "unknown"),
    ],
)
def test_of_incomplete_calls_only_what_was_seen_counts(lab, check, verdict):
    seen = lab.run("a", tools=CALLS, complete={})

    assert lab.weigh(check, seen, lab.names("a", tools=TOOLS)).verdict == verdict


@pytest.mark.parametrize("declared", [None, TOOLS])
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(
    "check",
    [
        tools(called=["fnid"]),
        tools(not_called=["fnid"]),
        tools(order=["send", "fnid"]),
        tools(times={"fnid": 0}),
        tools(status={"fnid": "ok"}),
        tools(arguments={"fnid": {"matches": {}}}),
    ],
)
def test_a_misspelt_or_undeclared_tool_makes_no_check_pass(lab, declared, negated, check):
    asked = {"kind": "not", "check": check} if negated else check
    finding = lab.weigh(asked, lab.run("a", tools=CALLS), lab.names("a", tools=declared))

    assert finding.verdict in {"failed", "unknown"}


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (tools(), "it asserts nothing: write at least one of called, not_called"),
        (tools(order=["a"]), "`order` needs at least two tools, not only 'a'"),
        (tools(called=["a"], not_called=["a"]), "'a' must and must not be called"),
        (tools(arguments={"a": {}}), "write either `matches` or `schema`"),
        (tools(arguments={"a": {"matches": 1, "schema": False}}), "write either"),
        (tools(arguments={"a": {"schema": {"type": "objekt"}}}), "not a JSON Schema: /type"),
        (tools(status={"a": "fine"}), "'ok', 'error' or 'refused'"),
        (tools(times={"a": {}}), "it bounds nothing"),
    ],
)
def test_a_tools_check_that_cannot_be_meant_is_refused(lab, check, message):
    assert message in lab.fault(check)


def test_every_tool_is_a_reference(lab):
    asked = tools(
        called=["a"],
        not_called=["b"],
        order=["c", "d"],
        times={"e/f": 1},
        status={"g": "ok"},
        arguments={"h": {"matches": 1}},
    )

    assert [(each.kind, each.at, each.name) for each in lab.check(asked).references()] == [
        ("tool", "/called/0", "a"),
        ("tool", "/not_called/0", "b"),
        ("tool", "/order/0", "c"),
        ("tool", "/order/1", "d"),
        ("tool", "/times/e~1f", "e/f"),
        ("tool", "/status/g", "g"),
        ("tool", "/arguments/h", "h"),
    ]
