"""One rich suite that passes: whichever of its names is misspelt, it passes no more."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from flowjury import pointer
from flowjury.errors import InputError

FLOW = {
    "format": 1,
    "name": "desk",
    "nodes": {
        "look_up": {"use": "nodes:look_up", "boundary": True, "input": {"id": "/input/id"}},
        "decide": {
            "use": "nodes:decide",
            "outcomes": ["small", "large"],
            "input": {"order": "/look_up"},
        },
        "approval": {"wait": "manager"},
        "pay": {"workflow": "pay.json", "input": {"order": "/look_up"}},
        "refuse": {"use": "nodes:refuse"},
        "reply": {"use": "nodes:reply", "boundary": True, "input": {"paid": "/pay"}},
    },
    "edges": [
        {"from": "look_up", "to": "decide"},
        {"from": "decide", "to": "pay", "outcome": "small"},
        {"from": "decide", "to": "approval", "outcome": "large"},
        {"from": "approval", "to": "pay", "outcome": "approve"},
        {"from": "approval", "to": "refuse", "outcome": "reject"},
        {"from": "pay", "to": "reply"},
    ],
}
PAY = {
    "format": 1,
    "name": "pay",
    "nodes": {"transfer": {"use": "nodes:transfer", "boundary": True}},
}
NODES = """
from flowjury import Outcome


def look_up(given):
    raise NotImplementedError


def decide(given):
    return Outcome("small" if given["order"]["price"] < 100 else "large", {"seen": True})


def transfer(given):
    raise NotImplementedError


def refuse(given):
    return {"message": "refused"}


def reply(given):
    raise NotImplementedError
"""
CASES = [
    {
        "id": "small",
        "tags": ["smoke"],
        "input": {"id": "A-1"},
        "expect": "finished",
        "fixtures": {
            "look_up": [{"output": {"id": "A-1", "price": 7, "lines": [{"sku": "x"}]}}],
            "pay:transfer": [{"output": {"status": "done"}}],
            "reply": [{"output": {"message": "Paid 7."}, "usage": {"coins": 2}}],
        },
        "checks": [
            {
                "kind": "path",
                "must": ["look_up", "pay"],
                "must_not": ["approval", "refuse"],
                "order": ["look_up", "decide", "reply"],
                "critical": True,
                "enforcement": "fail",
            },
            {
                "kind": "node",
                "node": "look_up",
                "side": "output",
                "at": "/price",
                "op": "lt",
                "value": 100,
                "visit": "first",
            },
            {
                "kind": "node",
                "node": "look_up",
                "at": "/lines/0/sku",
                "side": "output",
                "op": "equals",
                "value": "x",
            },
            {
                "kind": "node",
                "node": "decide",
                "at": "/order/price",
                "side": "input",
                "op": "equals",
                "value": 7,
            },
            {"kind": "count", "node": "transfer", "caller": "pay", "exactly": 1},
            {"kind": "count", "node": "refuse", "exactly": 0},
            {"kind": "count", "node": "approval", "of": "visits", "max": 0},
            {"kind": "budget", "unit": "coins", "max": 5, "node": "reply"},
            {"kind": "budget", "unit": "coins", "max": 5},
            {
                "kind": "value",
                "at": "/output/message",
                "op": "contains",
                "value": "PAID",
                "ignore_case": True,
            },
            {"kind": "value", "at": "/output/message", "op": "not_contains", "value": "refused"},
            {"kind": "value", "at": "/nodes/reply/0/output/message", "op": "exists"},
            {
                "kind": "all",
                "checks": [
                    {
                        "kind": "any",
                        "checks": [
                            {
                                "kind": "value",
                                "at": "/output/message",
                                "op": "starts_with",
                                "value": "Paid",
                            }
                        ],
                    },
                    {
                        "kind": "not",
                        "check": {
                            "kind": "value",
                            "at": "/output/message",
                            "op": "equals",
                            "value": "no",
                        },
                    },
                ],
            },
        ],
        "rubric": {
            "evidence": [
                {"at": "/output", "drop": ["/id"], "replace": [{"regex": "Pa", "with": "PA"}]},
                {"at": "/nodes/look_up/0/output/price"},
            ],
            "criteria": [
                {"id": "amount", "text": "Names the amount", "quote": False, "required": True}
            ],
        },
    },
    {
        "id": "large",
        "steps": [
            {
                "id": "ask",
                "input": {"id": "B-2"},
                "expect": "wait",
                "fixtures": {"look_up": [{"output": {"id": "B-2", "price": 700}}]},
                "checks": [{"kind": "path", "must_not": ["pay", "refuse"]}],
            },
            {
                "id": "reject",
                "resume": {"wait": "manager", "action": "reject", "content": {"by": "mia"}},
                "checks": [
                    {"kind": "value", "at": "/output/message", "op": "equals", "value": "refused"}
                ],
            },
        ],
        "checks": [
            {"kind": "wait", "wait": "manager", "suspensions": 1, "resumptions": 1},
            {"kind": "value", "at": "/steps/ask/status", "op": "equals", "value": "wait"},
            {"kind": "value", "at": "/steps/reject/output/message", "op": "exists"},
            {"kind": "path", "must": ["refuse"], "must_not": ["pay"]},
        ],
    },
]
SUITE = {
    "format": 1,
    "name": "desk",
    "workflow": "desk.json",
    "target": {"kind": "graph", "path": ["."]},
    "data": "replay",
    "judges": ["ann"],
    "trials": {"n": 1, "pass": "1"},
    "checks": [
        {"kind": "value", "at": "/summary/failed", "op": "equals", "value": 0},
        {"kind": "value", "at": "/summary/failed", "op": "not_equals", "value": 9},
        {"kind": "value", "at": "/cases/0/status", "op": "equals", "value": "passed"},
        {"kind": "value", "at": "/summary/open", "op": "equals", "value": 0, "enforcement": "warn"},
    ],
    "gates": {"pass_rate": "1", "critical": 0, "warnings": 0},
    "cases": CASES,
}
FREE = {"title", "text", "input", "output", "content", "value", "with", "regex", "tags", "usage"}
"""Keys behind which stands what names nothing."""
LABELS = {"/name", "/cases/0/id", "/cases/1/id"}
"""Names that only reports show, but for answers that were attached to them."""
NOT_ASKED_FOR = {
    "/cases/0/rubric/evidence/0/drop/0",  # nothing is there to drop, spelt either way
    "/target/path/0",  # this process searches the folder of the runs before, too
}


def names(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield every key and every text of a suite that names something, by its pointer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            place = at + pointer.join([key])
            yield "key", place
            if key not in FREE:
                yield from names(inner, place)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from names(inner, f"{at}/{number}")
    elif isinstance(value, str) and value != "" and at not in LABELS | NOT_ASKED_FOR:
        yield "text", at


def misspelt(value: Any, what: str, at: str) -> Any:
    """Return the suite with one name a letter longer, at the same place among its siblings."""
    made = copy.deepcopy(value)
    *above, last = pointer.parse(at)
    holder = made
    for token in above:
        holder = holder[int(token)] if isinstance(holder, list) else holder[token]
    if isinstance(holder, list):
        holder[int(last)] += "x"
    elif what == "text":
        holder[last] += "x"
    else:
        items = [(f"{key}x" if key == last else key, inner) for key, inner in holder.items()]
        holder.clear()
        holder.update(items)
    return made


@pytest.fixture
def desk(shop):
    shop.write("desk.json", FLOW)
    shop.write("pay.json", PAY)
    shop.write("nodes.py", NODES)
    shop.write("desk.suite.json", SUITE)
    shop.run()
    [asked] = shop.pending()
    shop.write(".flowjury/results/ann.json", shop.answer(asked.request))
    shop.attach()
    return shop


def exit_of(desk) -> int:
    try:
        return desk.run().exit
    except InputError:
        return 2


def test_spelt_right_it_passes(desk):
    assert desk.run().exit == 0


@pytest.mark.parametrize("part", ["top", "first", "second"])
def test_whichever_name_is_misspelt_it_passes_no_more(desk, part):
    green = []
    for what, at in names(SUITE):
        owner = {"/cases/0": "first", "/cases/1": "second"}.get(at[:8], "top")
        if owner != part:
            continue
        desk.write("desk.suite.json", misspelt(SUITE, what, at))
        green += [(what, at)] if exit_of(desk) == 0 else []

    assert green == []


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("desk.json", '"outcome": "small"', '"outcome": "smal"'),
        ("desk.json", '"to": "reply"', '"to": "repyl"'),
        ("desk.json", "nodes:decide", "nodes:decied"),
        ("desk.json", "/look_up", "/lookup"),
        ("desk.json", "pay.json", "pya.json"),
        ("desk.json", '"boundary"', '"boundry"'),
        ("desk.json", '"wait": "manager"', '"wait": "manger"'),
        ("pay.json", '"transfer"', '"tranfser"'),
        ("nodes.py", '"small"', '"smal"'),
    ],
)
def test_nor_does_it_where_the_workflow_is_misspelt(desk, file, text, wrong):
    path = desk.root / file
    content = path.read_text()
    assert text in content
    path.write_text(content.replace(text, wrong))
    del sys.modules["nodes"]  # a process loads it once

    assert exit_of(desk) != 0
