"""What in a trace contradicts itself."""

from __future__ import annotations

import pytest

from flowjury.sense import contradictions
from flowjury.trace import Trace

E1 = {"id": "e1", "node": "a", "visit": "v1", "status": "ok", "start_ns": 1, "end_ns": 2}


def trace(*executions, **more):
    return Trace.model_validate({"status": "finished", "executions": executions, **more})


@pytest.mark.parametrize(
    ("executions", "said"),
    [
        ([E1, {**E1, "visit": "v2"}], "/executions: two executions have the id 'e1'"),
        ([{**E1, "parent": "e0"}], "/executions/0/parent: no execution has the id 'e0'"),
        ([{**E1, "end_ns": 0}], "/executions/0/end_ns: 0 is before its start, 1"),
        ([{**E1, "usage": {"tok": -1}}], "/executions/0/usage/tok: -1 is less than nothing"),
    ],
)
def test_a_contradiction_is_said_with_its_place(executions, said):
    [found] = contradictions(trace(*executions))

    assert found.startswith(said)


def test_steps_are_looked_into_and_have_ids_of_their_own():
    step = {"id": "ask", "trace": {"status": "finished", "executions": [{**E1, "end_ns": 0}]}}
    found = list(
        contradictions(Trace.model_validate({"status": "finished", "steps": [step, step]}))
    )

    assert [each.partition(":")[0] for each in found] == [
        "/steps",
        "/steps/0/trace/executions/0/end_ns",
        "/steps/1/trace/executions/0/end_ns",
    ]


def test_a_trace_that_makes_sense_contradicts_nothing():
    assert list(contradictions(trace(E1, {**E1, "id": "e2", "parent": "e1"}))) == []
