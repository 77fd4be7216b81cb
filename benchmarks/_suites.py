"""The suites that the benchmarks run, written into a folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

REFUNDS: Final = Path(__file__).resolve().parent.parent / "workflows" / "refunds"
NODES: Final = ("classify", "check_limit", "create_refund", "write_reply", "send")
NAMES: Final = 2_000


def stored(root: Path, cases: int) -> Path:
    """Write small cases on stored traces of five executions, with two checks each."""
    (root / ".flowjury").mkdir(parents=True)
    (root / "traces").mkdir()
    target = {"kind": "trace", "trace": "traces/{id}.json"}
    head = {"format": 1, "name": "stored", "target": target, "declares": {"nodes": NODES}}
    for number in range(cases):
        _write(root / f"traces/case-{number}.json", _small_trace(number))
    return _suite(root / "stored.suite.jsonl", head, [_small_case(n) for n in range(cases)])


def long(root: Path, executions: int) -> Path:
    """Write one case on a long trace: a path, an order of 2,000 names, counts and node checks."""
    (root / ".flowjury").mkdir(parents=True)
    names = [f"node-{number}" for number in range(NAMES)]
    _write(root / "trace.json", _long_trace(names, executions))
    head = {"format": 1, "name": "long", "target": {"kind": "trace"}, "declares": {"nodes": names}}
    checks: list[dict[str, Any]] = [
        {"kind": "path", "must": names, "order": names},
        {"kind": "path", "order": names[::-1]},  # cannot hold, so that its message is made, too
        {"kind": "count", "node": names[7], "min": 1},
        {"kind": "node", "node": names[7], "side": "output", "at": "/n", "op": "gte", "value": 0},
    ]
    case = {"id": "long", "input": {}, "trace": "trace.json", "checks": checks}
    return _suite(root / "long.suite.jsonl", head, [case])


def refunds(root: Path, cases: int) -> Path:
    """Write cases on the native graph of the sample workflow, with its own checks."""
    shutil.copytree(REFUNDS, root, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    (root / ".flowjury").mkdir()
    (root / "refunds.suite.yaml").unlink()
    head = {
        "format": 1,
        "name": "refunds",
        "workflow": "workflow.yaml",
        "target": {"kind": "graph"},
    }
    return _suite(root / "many.suite.jsonl", head, [_refund(number) for number in range(cases)])


def _small_trace(number: int) -> dict[str, Any]:
    given = {"order": f"A-{number}", "amount": number}
    executions = [
        _execution(place, node, given, {"amount": number, "ok": True})
        for place, node in enumerate(NODES)
    ]
    return {
        "format": 1,
        "status": "finished",
        "input": given,
        "output": {"message": f"We refunded {number}."},
        "executions": executions,
        "tools": [],
        "complete": {"executions": True, "tools": True, "usage": True},
    }


def _small_case(number: int) -> dict[str, Any]:
    says = f"We refunded {number}."
    return {
        "id": f"case-{number}",
        "input": {"order": f"A-{number}", "amount": number},
        "checks": [
            {"kind": "path", "must": ["check_limit"], "order": ["classify", "write_reply"]},
            {"kind": "value", "at": "/output/message", "op": "equals", "value": says},
        ],
    }


def _long_trace(names: list[str], executions: int) -> dict[str, Any]:
    # In one loop each node runs once; all loops after the last are of the last node.
    nodes = [names[min(number, NAMES - 1)] for number in range(executions)]
    return {
        "format": 1,
        "status": "finished",
        "input": {},
        "output": {},
        "executions": [_execution(n, node, {"n": n}, {"n": n}) for n, node in enumerate(nodes)],
        "complete": {"executions": True, "usage": True},
    }


def _execution(number: int, node: str, given: object, answer: object) -> dict[str, Any]:
    return {
        "id": f"e{number}",
        "node": node,
        "visit": f"v{number}",
        "status": "ok",
        "input": given,
        "output": answer,
        "usage": {"input_tokens": 120, "output_tokens": 20},
        "start_ns": number * 1_000,
        "end_ns": number * 1_000 + 900,
    }


def _refund(number: int) -> dict[str, Any]:
    order = {"id": f"A-{number}", "amount": 1 + number % 400}
    refund = {"id": f"R-{number}", "order": order["id"], "amount": order["amount"]}
    words = f"We have refunded ${order['amount']}."
    return {
        "id": f"refund-{number}",
        "input": {"message": f"Order {order['id']} arrived broken. I want my money back."},
        "fixtures": {
            "look_up_order": [{"output": order}],
            "auto_refund:create_refund": [{"output": refund}],
            "reply": [{"output": {"message": words}, "usage": {"ai_units": 3}}],
        },
        "checks": [
            {"kind": "path", "must": ["check_limit", "reply"], "must_not": ["manager_approval"]},
            {"kind": "count", "node": "create_refund", "caller": "auto_refund", "exactly": 1},
            {"kind": "budget", "unit": "ai_units", "max": 5},
            {"kind": "value", "at": "/output/message", "op": "equals", "value": words},
        ],
    }


def _suite(path: Path, head: dict[str, Any], cases: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in [head, *cases]), encoding="utf-8")
    return path


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
