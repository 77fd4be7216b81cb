from __future__ import annotations

import json

import pytest

from flowjury import documents, families
from flowjury.analysis.static import suite_faults
from flowjury.check import Check
from flowjury.names import Names
from flowjury.suite import bound
from flowjury.target import Target
from flowjury.workflow import Declared, Edge, Node, Workflow

WORKFLOW = Workflow(
    name="refunds",
    nodes={
        "start": Node(),
        "look_up": Node(boundary=True),
        "ask": Node(waits="approval", outcomes=("approve", "reject")),
        "sub": Node(reference="sub"),
        "sub:draft": Node(),
        "other:draft": Node(),
        "sub:send": Node(),
    },
    edges=(
        Edge(source="start", target="look_up"),
        Edge(source="start", target="ask"),
        Edge(source="look_up", target="sub"),
        Edge(source="ask", target="sub", outcome="approve"),
    ),
    entry=("start",),
    tools=("find",),
)
NAMES = Names(WORKFLOW, Declared(nodes=("extra",)))


@pytest.fixture(scope="module")
def faults():
    model = bound(families.classes("checks", Check), families.classes("targets", Target))

    def faults(names=NAMES, **fields):
        case = {"id": "c", "input": 1, "expect": "finished"}
        raw = {"format": 1, "name": "s", "target": {"kind": "graph"}, "cases": [case], **fields}
        document = documents.parse(json.dumps(raw, indent=1), name="s.json")
        found = suite_faults(model.model_validate(document.value), names, document)
        return [(fault.pointer, fault.message) for fault in found]

    return faults


def case(*checks, **fields):
    return {"cases": [{"id": "c", "input": 1, "checks": list(checks), **fields}]}


def turns(*steps, **fields):
    return {"cases": [{"id": "c", "steps": list(steps), **fields}]}


def test_a_suite_that_fits_its_workflow_has_no_fault(faults):
    found = faults(
        **case(
            {"kind": "path", "must": ["start", "extra", "send"], "order": ["start", "sub:draft"]},
            {"kind": "tools", "called": ["find"]},
            {"kind": "value", "at": "/nodes/sub:draft/0/output/x", "op": "exists"},
            {"kind": "wait", "wait": "approval", "pending": False},
            fixtures={"look_up": [{"output": 1}], "extra": [{"output": 1}]},
        ),
        checks=[{"kind": "value", "at": "/summary/failed", "op": "equals", "value": 0}],
        ignore={"look_up": ["/time"]},
        pins={"models": {"start": "m"}},
        waivers=[
            {"scenario": "ask#reject", "reason": "r"},
            {"scenario": "look_up#error", "reason": "r"},
            {"scenario": "sub", "reason": "r"},
        ],
    )

    assert found == []


def test_a_gate_for_which_a_check_counts_is_no_fault(faults):
    check = {"kind": "value", "at": "/output", "op": "exists", "critical": True}
    budget = {"kind": "budget", "unit": "x", "max": 1, "on_missing": "warn"}

    assert faults(**case(check, budget), gates={"critical": 0, "warnings": 0}) == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            case({"kind": "path", "must": ["start", "lookup"]}),
            [
                (
                    "/cases/0/checks/0/must/1",
                    (
                        "no node is named 'lookup'; nearest is 'look_up' "
                        "(known: ask, extra, look_up, other:draft, start, sub, sub:draft, sub:send)"
                    ),
                )
            ],
        ),
        (
            case({"kind": "not", "check": {"kind": "count", "node": "draft", "max": 1}}),
            [
                (
                    "/cases/0/checks/0/check/node",
                    "'draft' is ambiguous: write one of other:draft, sub:draft",
                )
            ],
        ),
        (
            case({"kind": "tools", "times": {"fidn": 1}}),
            [
                (
                    "/cases/0/checks/0/times/fidn",
                    "no tool is named 'fidn'; nearest is 'find' (known: find)",
                )
            ],
        ),
        (
            case({"kind": "path", "order": ["look_up", "ask"]}),
            [
                (
                    "/cases/0/checks/0/order/1",
                    (
                        "look_up and ask run at once after start forks, "
                        "so neither comes first: leave one out"
                    ),
                )
            ],
        ),
        (
            case(
                {
                    "kind": "all",
                    "critical": True,
                    "checks": [
                        {"kind": "path", "must": ["start"], "enforcement": "warn"},
                        {"kind": "path", "must": ["start"], "critical": True},
                        {"kind": "budget", "unit": "u", "max": 1, "on_missing": "skip"},
                        {"kind": "budget", "unit": "u", "max": 1, "on_missing": "fail"},
                    ],
                }
            ),
            [
                (
                    "/cases/0/checks/0/checks/0/enforcement",
                    "`enforcement` stands on a whole check, not inside one: move it up",
                ),
                (
                    "/cases/0/checks/0/checks/1/critical",
                    "`critical` stands on a whole check, not inside one: move it up",
                ),
                (
                    "/cases/0/checks/0/checks/2/on_missing",
                    "`on_missing` stands on a whole check, not inside one: move it up",
                ),
            ],
        ),
        (
            case(fixtures={"start": [{"output": 1}], "lookup": [{"output": 1}]}),
            [
                (
                    "/cases/0/fixtures/start",
                    "start is no boundary node: no fixture is served to it (boundary: look_up)",
                ),
                (
                    "/cases/0/fixtures/lookup",
                    (
                        "no node is named 'lookup'; nearest is 'look_up' "
                        "(known: ask, extra, look_up, other:draft, start, sub, sub:draft, sub:send)"
                    ),
                ),
            ],
        ),
        (
            turns(
                {"id": "one", "input": 1},
                {"id": "two", "resume": {"wait": "aproval", "action": "approve"}},
                fixtures={"look_up": [{"output": 1, "step": "thre", "caller": "sub"}]},
                checks=[
                    {"kind": "value", "at": "/steps/tow/output", "op": "exists"},
                    {"kind": "budget", "unit": "u", "max": 1, "step": "one"},
                ],
            ),
            [
                (
                    "/cases/0/steps/1/resume/wait",
                    "no wait is named 'aproval'; nearest is 'approval' (known: approval)",
                ),
                (
                    "/cases/0/fixtures/look_up/0/step",
                    "no step is named 'thre' (known: one, two)",
                ),
                (
                    "/cases/0/checks/0/at",
                    "no step is named 'tow'; nearest is 'two' (known: one, two)",
                ),
            ],
        ),
        (
            {
                "ignore": {"lookup": []},
                "pins": {"models": {"lookup": "m"}},
                "waivers": [
                    {"scenario": "strat", "reason": "r"},
                    {"scenario": "strat#error", "reason": "r"},
                    {"scenario": "ask#rejct", "reason": "r"},
                ],
            },
            [
                ("/ignore/lookup", None),
                ("/pins/models/lookup", None),
                ("/waivers/0/scenario", None),
                ("/waivers/1/scenario", None),
                (
                    "/waivers/2/scenario",
                    (
                        "no outcome of ask is named 'rejct'; nearest is 'reject' "
                        "(known: approve, error, reject)"
                    ),
                ),
            ],
        ),
        (
            {"gates": {"critical": 0, "warnings": 1}},
            [
                (
                    "/gates/critical",
                    (
                        "no check counts for this gate: write `critical: true` on checks, "
                        "or remove the gate"
                    ),
                ),
                (
                    "/gates/warnings",
                    (
                        "no check counts for this gate: write `enforcement: warn` on checks, "
                        "or remove the gate"
                    ),
                ),
            ],
        ),
        (
            {
                "checks": [
                    {"kind": "wait", "wait": "approval", "pending": True},
                    {"kind": "not", "check": {"kind": "budget", "unit": "x", "max": 1}},
                ]
            },
            [
                (
                    "/checks/0",
                    "wait asks about one run; checks of the suite see all cases: move it",
                ),
                (
                    "/checks/1/check",
                    "budget asks about one run; checks of the suite see all cases: move it",
                ),
            ],
        ),
        (
            {"checks": [{"kind": "path", "must": ["start"]}]},
            [
                (
                    "/checks/0",
                    "path asks about one run; checks of the suite see all cases: move it",
                )
            ],
        ),
        (
            case(
                rubric={
                    "criteria": [{"id": "c", "text": "t"}],
                    "evidence": [{"at": "/output"}, {"at": "/otput"}],
                }
            ),
            [("/cases/0/rubric/evidence/1/at", None)],
        ),
    ],
)
def test_every_fault_is_found_with_its_place(faults, fields, expected):
    found = faults(**fields)

    assert sorted(at for at, _ in found) == sorted(at for at, _ in expected)
    assert {each for each in expected if each[1]} <= set(found)


def test_faults_stand_in_file_order_with_their_lines():
    model = bound(families.classes("checks", Check), families.classes("targets", Target))
    text = """\
format: 1
name: s
target: {kind: graph}
waivers: [{scenario: nowhere, reason: r}]
cases:
  - id: c
    input: 1
    checks:
      - {kind: path, must: [start, nothing]}
      - kind: path
        must:
          - elsewhere
checks:
  - {kind: value, at: /sumary, op: exists}
"""
    document = documents.parse(text, name="s.yaml")
    found = suite_faults(model.model_validate(document.value), NAMES, document)

    assert [(fault.line, fault.pointer) for fault in found] == [
        (4, "/waivers/0/scenario"),
        (9, "/cases/0/checks/0/must/1"),
        (12, "/cases/0/checks/1/must/0"),
        (14, "/checks/0/at"),
    ]


def test_where_nothing_is_declared_no_name_is_wrong(faults):
    found = faults(
        Names(),
        **case(
            {"kind": "path", "must": ["anything"]},
            {"kind": "tools", "called": ["any"]},
            {"kind": "wait", "wait": "any", "pending": True},
            {"kind": "value", "at": "/nodes/any/0", "op": "exists"},
            fixtures={"any": [{"output": 1}]},
        ),
    )

    assert found == []


def test_where_no_node_is_known_to_reach_outside_every_node_may_have_fixtures(faults):
    plain = Names(Workflow(name="w", nodes={"a": Node()}))

    assert faults(plain, **case(fixtures={"a": [{"output": 1}]})) == []


def test_only_fifty_unknown_names_are_compared_with_the_known_ones(faults):
    unknown = [f"n{number}" for number in range(60)]
    found = faults(**case({"kind": "path", "must": [*unknown, "n0"]}))

    assert len(found) == 61
    assert found[55] == ("/cases/0/checks/0/must/55", "no node is named 'n55'")
