"""What in a trace contradicts itself."""

from __future__ import annotations

import pytest

from flowjury.sense import contradictions, other_steps
from flowjury.trace import Trace

E1 = {"id": "e1", "node": "a", "visit": "v1", "status": "ok", "start_ns": 1, "end_ns": 2}
E2 = {**E1, "id": "e2", "start_ns": 3, "end_ns": 4}


def trace(*executions, **more):
    return Trace.model_validate({"status": "finished", "executions": executions, **more})


def turn(name, *executions, status="finished", **more):
    return {"id": name, "trace": {"status": status, "executions": executions, **more}}


def conversation(*steps, status="finished", **more):
    return Trace.model_validate({"status": status, "steps": steps, **more})


@pytest.mark.parametrize(
    ("executions", "said"),
    [
        ([E1, {**E1, "visit": "v2"}], "/executions: two executions have the id 'e1'"),
        ([{**E1, "parent": "e0"}], "/executions/0/parent: no execution has the id 'e0'"),
        ([{**E1, "end_ns": 0}], "/executions/0/end_ns: 0 is before its start, 1"),
        ([{**E1, "usage": {"tok": -1}}], "/executions/0/usage/tok: -1 is less than nothing"),
        ([E1, E2], "/executions: the attempts of visit 'v1' of 'a' are 1, 1; number them 1, 2, …"),
        (
            [{**E1, "attempt": 2}, E2],
            "/executions: the attempts of visit 'v1' of 'a' are 2, 1; number them 1, 2, …",
        ),
    ],
)
def test_a_contradiction_is_said_with_its_place(executions, said):
    [found] = contradictions(trace(*executions))

    assert found.startswith(said)


def test_attempts_may_be_missing_only_where_not_all_were_recorded():
    tries = [{**E1, "attempt": 2}, {**E2, "attempt": 4}]

    assert list(contradictions(trace(*tries))) == []
    assert list(contradictions(trace(*tries, complete={"executions": True}))) == [
        "/executions: the attempts of visit 'v1' of 'a' are 2, 4; number them 1, 2, … by start"
    ]


def test_attempts_are_numbered_on_where_a_visit_is_resumed_in_a_later_step():
    asked = turn("ask", {**E1, "status": "interrupted"}, status="wait")

    assert list(contradictions(conversation(asked, turn("go", {**E1, "attempt": 2})))) == []
    assert list(contradictions(conversation(asked, turn("go", E1)))) == [
        "/executions: the attempts of visit 'v1' of 'a' are 1, 1; number them 1, 2, … by start"
    ]
    assert list(contradictions(conversation(turn("ask", E1), turn("go", E1)))) == []


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (0.3, []),
        (0.4, []),
        (0.29999999999999993, []),
        (0.2, ["/usage/a~1b: 0.2 is less than its executions spent, 0.3"]),
        (-1, ["/usage/a~1b: -1 is less than nothing"]),
    ],
)
def test_a_total_is_not_less_than_its_executions_spent(stated, said):
    spent = [{**E1, "usage": {"a/b": 0.1}}, {**E2, "visit": "v2", "usage": {"a/b": 0.2}}]

    assert list(contradictions(trace(*spent, usage={"a/b": stated}))) == said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"status": "error"}, '/status: "error" is not that of the last step, "finished"'),
        ({"output": 1}, "/output: 1 is not that of the last step, 2"),
        ({"input": 1}, "/input: 1 is not that of the first step, 0"),
        ({"executions": [E1]}, "/executions: a conversation has those of its steps; move"),
        ({"tools": [{"name": "t"}]}, "/tools: a conversation has those of its steps; move"),
        ({"messages": [1]}, "/messages: a conversation has those of its steps; move"),
        ({"activations": [1]}, "/activations: a conversation has those of its steps; move"),
        ({"usage": {"tok": 9}}, "/usage: a conversation has those of its steps; move"),
        ({"complete": {"tools": False}}, "/complete/tools: false, but every step says true"),
    ],
)
def test_a_conversation_says_nothing_that_its_steps_do_not(more, said):
    steps = [
        turn("ask", input=0, complete={"tools": True}),
        turn("go", output=2, complete={"tools": True}),
    ]

    [found] = contradictions(conversation(*steps, **more))

    assert found.startswith(said)


def test_an_error_of_a_conversation_is_that_of_its_last_step_wherever_it_was_raised():
    step = turn("ask", status="error", error={"type": "E", "message": "m", "where": "a.py:1"})
    same, other = {"type": "E", "message": "m"}, {"type": "E", "message": "n"}

    assert list(contradictions(conversation(step, status="error", error=same))) == []
    [found] = contradictions(conversation(step, status="error", error=other))
    assert found.startswith("/error: ")


def test_a_step_has_no_steps_and_no_execution_of_another_step():
    nested = turn("ask", {**E1, "step": "go"}, steps=[turn("more")])

    assert list(contradictions(conversation(nested))) == [
        "/steps/0/trace/steps: a step has no steps; list them all in /steps",
        "/steps/0/trace/executions/0/step: 'go' is not the step in which it is, 'ask'",
    ]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (["ask", "go"], None),
        (["ask", "go", "end"], None),
        (["ask"], "/steps/1: 'go', where the case has no more"),
        ([], "/steps/0: 'ask', where the case has no more"),
        (["go", "ask"], "/steps/0: 'ask', where the case has 'go'"),
        (["ask", "end", "go"], "/steps/1: 'go', where the case has 'end'"),
    ],
)
def test_the_steps_of_a_trace_are_those_of_its_case_from_the_first_on(wanted, said):
    assert other_steps(conversation(turn("ask"), turn("go")), wanted) == said


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
    assert list(contradictions(trace(E1, {**E2, "visit": "v2", "parent": "e1"}))) == []
