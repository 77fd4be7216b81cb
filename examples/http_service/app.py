"""A service that decides refunds, and tells what it did: `uvicorn app:app` starts it."""

from __future__ import annotations

import os
import time
from typing import Annotated, Any, TypeAlias
from uuid import uuid4

from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

ORDERS = {"A-1": 700, "B-2": 80}
LIMIT = 500

Json: TypeAlias = Any

app = FastAPI()
waiting: dict[str, str] = {}
"""The order for which each conversation waits for a manager."""
traces: dict[str, dict[str, Json]] = {}


class Resume(BaseModel):
    """What is done at a wait."""

    wait: str
    action: str
    content: Json = None


class Ask(BaseModel):
    """One turn: an input, or what a manager says."""

    conversation: str
    input: dict[str, str] | None = None
    resume: Resume | None = None


class Recorder:
    """Notes what each step of this service was given, and what it answered."""

    def __init__(self) -> None:
        self.executions: list[dict[str, Json]] = []

    def note(self, node: str, given: Json, answered: Json, outcome: str | None = None) -> None:
        """Note a step that has just ended."""
        name, now = f"{node}-{len(self.executions)}", time.perf_counter_ns()
        times = {"start_ns": now, "end_ns": now}
        sides = {"input": given, "output": answered}
        said = {"id": name, "node": node, "visit": name, "status": "ok", **sides, **times}
        self.executions.append(said if outcome is None else {**said, "outcome": outcome})

    def trace(self) -> dict[str, Json]:
        """Return the trace in the format of FlowJury."""
        return {"executions": self.executions, "complete": {"executions": True}}


@app.post("/refunds")
def refunds(
    ask: Ask,
    authorization: Annotated[str, Header()] = "",
    x_trace: Annotated[str, Header()] = "later",
) -> dict[str, Json]:
    """Decide on a refund; one over the limit waits for a manager."""
    if authorization != f"Bearer {os.environ['SHOP_TOKEN']}":
        raise HTTPException(401, "who are you?")
    recorder = Recorder()
    answer = _resumed(ask, recorder) if ask.resume else _asked(ask, recorder)
    answer["usage"] = {"ai_units": len(recorder.executions)}
    if x_trace == "inline":
        return {**answer, "trace": recorder.trace()}
    named = str(uuid4())
    traces[named] = recorder.trace()
    return {**answer, "trace_id": named}


@app.get("/traces/{named}")
def trace(named: str) -> dict[str, Json]:
    """Return the trace of an answer."""
    if named not in traces:
        raise HTTPException(404, "no such trace")
    return traces[named]


def _asked(ask: Ask, recorder: Recorder) -> dict[str, Json]:
    order = (ask.input or {}).get("order", "")
    if order not in ORDERS:
        return {"error": {"type": "UnknownOrder", "message": f"there is no order {order}"}}
    amount = ORDERS[order]
    recorder.note("look_up_order", {"order": order}, {"amount": amount})
    outcome = "over" if amount > LIMIT else "under"
    recorder.note("check_limit", {"amount": amount}, outcome, outcome)
    if outcome == "over":
        waiting[ask.conversation] = order
        return {"wait": "approval"}
    return _paid(order, recorder)


def _resumed(ask: Ask, recorder: Recorder) -> dict[str, Json]:
    order = waiting.pop(ask.conversation)
    if ask.resume is None or ask.resume.action != "approve":
        return {"output": {"message": f"The refund for {order} was not approved."}}
    return _paid(order, recorder)


def _paid(order: str, recorder: Recorder) -> dict[str, Json]:
    message = f"You get ${ORDERS[order]} back for {order}."
    recorder.note("create_refund", {"order": order}, {"message": message})
    return {"output": {"message": message}}
