"""What a recording keeps of spans, turns and other channels, and the traces made of it."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from itertools import count
from math import inf, nan

import pytest

from flowjury.case import Fixture
from flowjury.errors import FixtureMiss
from flowjury.evidence import Evidence
from flowjury.fixtures import Shelf
from flowjury.json_values import digest
from flowjury.trace import ErrorInfo, Execution, Raised, StepTrace, ToolCall, Trace
from flowjury.tracer.active import Ending, Outcome, Recording, active, current, current_span


def recorder(**options):
    ticks = count()
    return Recording(lambda: next(ticks), **options)


def brief(recording):
    return [(e.node, e.status, e.parent, e.caller) for e in recording.executions()]


def test_a_span_becomes_an_execution_with_all_that_is_known_of_it():
    recording = recorder()
    recording.begin_turn("s1")
    span = recording.begin(
        "a", input={"x": 1}, caller="c", visit="v", attempt=2, index=(1, 0), at=5
    )
    span.finish("out", outcome="done", usage={"tokens": 3}, at=9)

    assert recording.executions() == (
        Execution(
            id="e1",
            node="a",
            caller="c",
            visit="v",
            attempt=2,
            index=(1, 0),
            step="s1",
            status="ok",
            input={"x": 1},
            output="out",
            outcome="done",
            start_ns=5,
            end_ns=9,
            usage={"tokens": 3},
        ),
    )


def test_what_was_not_recorded_is_absent_and_none_is_not():
    recording = recorder()
    recording.begin("a").finish()
    recording.begin("b", input=None).finish(None)

    absent, none = recording.executions()

    assert (absent.recorded("input"), absent.recorded("output")) == (False, False)
    assert (none.recorded("input"), none.recorded("output")) == (True, True)


def test_a_recording_without_values_keeps_those_of_boundary_nodes_only():
    recording = recorder(values=False)
    recording.begin("a", input=1).finish(2)
    recording.begin("b", input=1, boundary=True).finish(2)

    assert [e.recorded("input") and e.recorded("output") for e in recording.executions()] == [
        False,
        True,
    ]


def test_values_are_copied_at_once():
    recording = recorder()
    state = {"list": [1]}
    span = recording.begin("a", input=state)
    state["list"].append(2)
    span.finish(state)
    state["list"].append(3)

    (execution,) = recording.executions()

    assert (execution.input, execution.output) == ({"list": [1]}, {"list": [1, 2]})


def test_a_span_ends_once():
    recording = recorder()
    span = recording.begin("a")
    span.finish(1)
    span.fail(ValueError("late"))
    span.finish(2)

    (execution,) = recording.executions()

    assert (execution.status, execution.output, execution.error) == ("ok", 1, None)


def test_an_outcome_names_the_way_and_its_value_is_the_output():
    recording = recorder()
    recording.begin("a").finish(Outcome("over", 700))

    (execution,) = recording.executions()

    assert (execution.outcome, execution.output) == ("over", 700)


def test_what_is_yielded_one_by_one_is_a_list():
    recording = recorder()
    span = recording.begin("a")
    span.yielded(1)
    span.yielded(2)
    span.finish()

    assert recording.executions()[0].output == [1, 2]


def test_usage_adds_up_exactly():
    recording = recorder()
    span = recording.begin("a")
    span.spend({"usd": 0.1, "tokens": 10})
    span.spend({"usd": 0.2, "tokens": 2**70, "units": Decimal("0.5")})
    span.finish(usage={"usd": 1})

    (execution,) = recording.executions()

    assert execution.usage == {"usd": 1.3, "tokens": 2**70 + 10, "units": 0.5}
    assert recording.trace().complete == {"executions": True, "usage": True}


@pytest.mark.parametrize("amount", [nan, inf, -1, True, "3", None])
def test_what_cannot_be_counted_is_dropped_and_usage_is_incomplete(amount):
    recording = recorder()
    recording.begin("a").finish(usage={"odd": amount, "tokens": 1})

    assert recording.executions()[0].usage == {"tokens": 1}
    assert recording.trace().complete == {"executions": True, "usage": False}


def test_what_is_spent_outside_of_nodes_makes_a_total_of_the_run():
    recording = recorder()
    recording.begin("a").finish(usage={"tokens": 1})
    recording.spend({"tokens": 2})

    assert recording.trace().usage == {"tokens": 3}


def test_a_visit_is_the_current_span_inside_its_block_and_nested_ones_know_it():
    recording = recorder()
    with active(recording):
        assert (current(), current_span()) == (recording, None)
        with recording.visiting("a", index=(3,)) as outer:
            assert current_span() is outer
            with recording.visiting("b") as inner:
                assert current_span() is inner
        assert current_span() is None
    assert current() is None

    assert brief(recording) == [("a", "ok", None, None), ("b", "ok", "e1", "a")]
    assert [e.index for e in recording.executions()] == [(3,), (3,)]


def test_another_recording_inside_a_span_has_no_parent_in_it():
    outer, inner = recorder(), recorder()
    with (
        active(outer),
        outer.visiting("a"),
        active(inner),
        inner.visiting("b"),
    ):
        pass

    assert brief(inner) == [("b", "ok", None, None)]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ValueError("no"), "error"),
        (GeneratorExit(), "cancelled"),
        (asyncio.CancelledError(), "cancelled"),
        (SystemExit(3), "error"),
    ],
)
def test_an_exception_that_leaves_a_block_is_recorded_and_goes_on(error, status):
    recording = recorder()

    def visit():
        with recording.visiting("a", input=1) as span:
            span.output([1, 2])
            raise error

    with pytest.raises(type(error)):
        visit()

    (execution,) = recording.executions()
    assert execution.status == status
    assert execution.error.described() == {"type": type(error).__name__, "message": str(error)}
    assert execution.error.where.endswith(
        f"test_recording.py:{visit.__code__.co_firstlineno + 3} in visit"
    )
    assert execution.output == [1, 2]


def test_an_exception_that_cannot_tell_its_message_does_no_harm():
    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError

    recording = recorder()
    recording.begin("a").fail(MuteError())

    (execution,) = recording.executions()
    assert execution.error == Raised(
        type="MuteError", message="<no message: str() of this MuteError fails>"
    )


def test_secrets_are_masked_everywhere():
    recording = recorder(mask=["pin"], channels=("executions", "tools", "messages"))
    recording.begin_turn(None, input={"pin": 1})
    span = recording.begin("a", input={"pin": 1})
    span.output({"password": "p"})
    span.fail(ValueError("Bearer abc.DEF-123"))
    recording.tool("t", arguments={"pin": 2}, result={"api_key": "k"}, span=span)
    recording.message({"content": "sk-abcdefghijklmnop1234"})
    recording.activation({"pin": 3})
    error = Raised(type="E", message="AKIAIOSFODNN7EXAMPLE")
    recording.end_turn(Ending(status="error", output={"secret": "s"}, error=error))

    trace = recording.trace()

    assert trace.input == {"pin": "***"}
    assert trace.output == {"secret": "***"}
    assert trace.error == Raised(type="E", message="***")
    assert trace.executions[0].input == {"pin": "***"}
    assert trace.executions[0].output == {"password": "***"}
    assert trace.executions[0].error == Raised(type="ValueError", message="Bearer ***")
    assert trace.tools[0].arguments == {"pin": "***"}
    assert trace.tools[0].result == {"api_key": "***"}
    assert trace.messages == ({"content": "***"},)
    assert trace.activations == ({"pin": "***"},)


def test_channels_that_the_engine_records_are_there_though_empty_and_complete():
    recording = recorder(channels=("executions", "tools"))
    recording.begin_turn(None, input="in")
    recording.end_turn(Ending(output="out"))

    assert recording.trace() == Trace(
        status="finished",
        input="in",
        output="out",
        executions=(),
        tools=(),
        complete={"executions": True, "tools": True, "usage": True},
    )


def test_channels_that_nobody_vouches_for_are_absent_until_something_is_in_them():
    recording = recorder(channels=())

    assert recording.trace() == Trace(status="finished", complete={"usage": True})

    recording.tool("t", arguments={})

    trace = recording.trace()
    assert [call.name for call in trace.tools] == ["t"]
    assert trace.complete == {"tools": False, "usage": True}


def test_a_tool_call_belongs_to_the_current_span_and_may_have_no_result():
    recording = recorder()
    with active(recording), recording.visiting("a"):
        recording.tool("t", arguments=[1], status="error")

    (call,) = recording.trace().tools

    assert call == ToolCall(name="t", arguments=[1], status="error", execution="e1", start_ns=1)
    assert "result" not in call.model_fields_set


def test_what_still_runs_when_the_turn_ends_is_cancelled_and_the_rest_unknown():
    recording = recorder()
    recording.begin_turn(None)
    span = recording.begin("a", at=0)
    recording.end_turn(Ending())
    span.finish("too late")

    trace = recording.trace()

    assert [(e.status, e.recorded("output")) for e in trace.executions] == [("cancelled", False)]
    assert trace.complete == {"executions": False, "usage": False}


def test_a_conversation_has_one_trace_per_step_and_its_first_input_and_last_output():
    recording = recorder()
    for step, ending in {"s1": Ending(output=1), "s2": Ending(status="wait", wait="w")}.items():
        recording.begin_turn(step, input=f"to {step}")
        recording.begin("a", at=7).finish(at=8)
        recording.end_turn(ending)

    complete = {"executions": True, "usage": True}

    def ran(number, step):
        return Execution(
            id=f"e{number}", node="a", visit=f"e{number}", step=step, status="ok",
            start_ns=7, end_ns=8,
        )  # fmt: skip

    assert recording.trace() == Trace(
        status="wait",
        wait="w",
        input="to s1",
        steps=(
            StepTrace(
                id="s1",
                trace=Trace(
                    status="finished",
                    input="to s1",
                    output=1,
                    executions=(ran(1, "s1"),),
                    complete=complete,
                ),
            ),
            StepTrace(
                id="s2",
                trace=Trace(
                    status="wait",
                    wait="w",
                    input="to s2",
                    executions=(ran(2, "s2"),),
                    complete=complete,
                ),
            ),
        ),
    )


def test_on_replay_a_boundary_node_has_its_answer_and_others_have_none():
    fixture = Fixture(output={"n": 1}, outcome="ok", usage={"tokens": 2})
    shelf = Shelf({"b": (fixture,)})
    recording = recorder(data="replay", shelf=shelf)
    with recording.visiting("a") as plain:
        assert plain.answer is None
    with recording.visiting("b", boundary=True) as span:
        answer = span.replay()
        span.finish(answer)

    answer["n"] = 2
    (_, execution) = recording.executions()
    assert (execution.output, execution.outcome, execution.usage, execution.replayed) == (
        {"n": 1},
        "ok",
        {"tokens": 2},
        True,
    )
    assert fixture.output == {"n": 1}
    assert recording.replayed()


def test_a_span_without_a_fixture_has_nothing_to_replay():
    with pytest.raises(ValueError, match="node 'a' has no fixture to replay"):
        recorder().begin("a").replay()


def test_a_miss_is_remembered_even_if_the_workflow_catches_it():
    recording = recorder(data="replay")
    recording.begin_turn("s1")

    for _ in range(2):
        with pytest.raises(FixtureMiss), recording.visiting("b", boundary=True):
            pytest.fail("the block must not be entered")

    assert (recording.fault.kind, recording.fault.node, recording.fault.step) == (
        "fixture-miss",
        "b",
        "s1",
    )
    assert [e.status for e in recording.executions()] == ["error", "error"]
    assert not recording.replayed()


def test_an_answer_for_another_input_is_marked():
    shelf = Shelf({"b": (Fixture(output=1, input=digest({"x": 1})),)})
    recording = recorder(data="replay", shelf=shelf)
    with recording.visiting("b", input={"x": 2}, boundary=True) as span:
        span.finish(span.replay())

    assert [e.other_input for e in recording.executions()] == [True]


def test_what_boundary_nodes_answered_becomes_fixtures_masked_and_in_order():
    recording = recorder(data="record", shelf=Shelf(ignore={"b": ("/at",)}))
    recording.begin_turn("s1")
    with active(recording), recording.visiting("a"):
        with recording.visiting("b", input={"x": 1, "at": "now"}, boundary=True) as span:
            span.finish(Outcome("found", {"tokens": "t", "password": "p"}), usage={"tokens": 1})
        with pytest.raises(KeyError), recording.visiting("b", input={}, boundary=True, index=(4,)):
            raise KeyError("sk-abcdefghijklmnop1234")

    assert recording.fixtures() == {
        "b": (
            Fixture(
                output={"tokens": "t", "password": "***"},
                outcome="found",
                usage={"tokens": 1},
                caller="a",
                step="s1",
                input=digest({"x": 1}),
            ),
            Fixture(
                error=ErrorInfo(type="KeyError", message="'***'"),
                caller="a",
                step="s1",
                index=(4,),
                input=digest({}),
            ),
        )
    }
    assert recording.fault is None


def test_a_boundary_node_without_an_input_answers_whatever_is_asked():
    recording = recorder(data="record")
    with recording.visiting("b", boundary=True) as span:
        span.finish(1)

    assert recording.fixtures() == {"b": (Fixture(output=1),)}


def test_an_answer_that_is_no_json_cannot_be_recorded_and_is_a_fault():
    recording = recorder(data="record")
    with recording.visiting("b", boundary=True) as span:
        span.finish(object())

    assert recording.fixtures() == {}
    assert recording.fault.message.startswith("boundary node 'b' answered what is no JSON, {")


def test_equal_runs_are_equal_documents():
    def ran():
        recording = recorder()
        with active(recording), recording.visiting("a", input=1) as span:
            recording.tool("t", arguments={})
            span.finish(2)
        return Evidence(recording.trace()).document

    assert ran() == ran()
