"""The source `otlp`: what becomes of spans, whichever instrumentation and exporter wrote them."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path

import pytest

from flowjury.errors import InputError
from flowjury.sense import contradictions
from flowjury.sources import otlp
from flowjury.trace import Execution, Raised, ToolCall, Trace

SHARED = Path(__file__).resolve().parents[3] / "shared"
TRACE = "5b8efff798038103d269b633813fc60c"


def value(of):
    match of:
        case bool():
            return {"boolValue": of}
        case int():
            return {"intValue": str(of)}
        case float():
            return {"doubleValue": of}
        case list():
            return {"arrayValue": {"values": [value(each) for each in of]}}
        case dict():
            return of
    return {"stringValue": of}


def pairs(of):
    return [{"key": key, "value": value(each)} for key, each in of.items()]


def span(number, parent=None, *, at=(0, 9), raised=None, attributes=(), **more):
    """Write a span as the specification does; `at` is when it starts and ends."""
    written = {
        "traceId": TRACE,
        "spanId": f"{number:016x}",
        "name": "",
        "kind": 1,
        "startTimeUnixNano": str(1000 + at[0]),
        "endTimeUnixNano": str(1000 + at[1]) if at[1] else "0",
        "attributes": pairs(dict(attributes)),
    }
    if parent:
        written["parentSpanId"] = f"{parent:016x}"
    if raised:
        said = pairs({"exception.type": raised[0], "exception.message": raised[1]})
        written |= {"events": [{"name": "exception", "attributes": said}], "status": {"code": 2}}
    return written | more


def document(*spans):
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [*spans]}]}]}


def read(*spans, **more):
    return otlp.read({1: document(*spans)}, file="spans.json", **more)


def refused(*documents, **more):
    lines = dict(enumerate(documents, 1))
    with pytest.raises(InputError) as caught:
        otlp.read(lines, file="spans.json", **more)
    return str(caught.value)


def agent(name):
    return {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}


def task(name, given=None, answered=None):
    sides = {"traceloop.entity.input": given, "traceloop.entity.output": answered}
    kind = {"traceloop.span.kind": "task", "traceloop.entity.name": name}
    return kind | {key: json.dumps(side) for key, side in sides.items() if side is not None}


def openinference(kind, **sides):
    said = {"openinference.span.kind": kind}
    for side, text in sides.items():
        said |= {f"{side}.value": text, f"{side}.mime_type": "application/json"}
    return said


def chat(given, answered):
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": given,
        "gen_ai.usage.output_tokens": answered,
    }


WORKFLOW = {"traceloop.span.kind": "workflow", "traceloop.entity.name": "shop"}


def routes(trace):
    return [each.node for each in trace.executions]


def test_a_trace_has_the_nodes_tools_and_values_that_its_spans_tell_of():
    trace = read(
        span(1, at=(0, 50), attributes={**WORKFLOW, "traceloop.entity.input": '{"order": 7}'}),
        span(2, 1, at=(1, 20), attributes=task("look_up", {"order": 7}, {"price": 80})),
        span(
            3,
            2,
            at=(2, 5),
            attributes={
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "orders.find",
                "gen_ai.tool.call.arguments": '{"id": 7}',
                "gen_ai.tool.call.result": "found",
            },
        ),
    )

    assert trace == Trace(
        status="finished",
        input={"order": 7},
        executions=(
            Execution(
                id=f"{2:016x}",
                node="look_up",
                visit=f"{2:016x}",
                status="ok",
                input={"order": 7},
                output={"price": 80},
                start_ns=1001,
                end_ns=1020,
            ),
        ),
        tools=(
            ToolCall(
                name="orders.find",
                arguments={"id": 7},
                result="found",
                execution=f"{2:016x}",
                start_ns=1002,
            ),
        ),
        complete={},
    )
    assert not trace.recorded("output")
    assert not trace.recorded("messages")


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(lambda s: s, id="hex"),
        pytest.param(lambda s: s | {"traceId": s["traceId"].upper()}, id="upper case"),
        pytest.param(
            lambda s: s | {key: f"0x{s[key]}" for key in ("traceId", "spanId")}, id="0x before"
        ),
        pytest.param(
            lambda s: (
                s
                | {
                    key: base64.b64encode(bytes.fromhex(s[key])).decode()
                    for key in ("traceId", "spanId", "parentSpanId")
                    if key in s
                }
            ),
            id="base64",
        ),
        pytest.param(
            lambda s: {
                "trace_id": s["traceId"],
                "span_id": s["spanId"],
                "parent_span_id": s.get("parentSpanId"),
                "start_time_unix_nano": int(s["startTimeUnixNano"]),
                "end_time_unix_nano": float(s["endTimeUnixNano"]),
                "attributes": [
                    {"key": each["key"], "value": {"string_value": each["value"]["stringValue"]}}
                    for each in s["attributes"]
                ],
            },
            id="snake case, with numbers",
        ),
        pytest.param(
            lambda s: s | {"kind": "SPAN_KIND_CLIENT", "status": {"code": "STATUS_CODE_OK"}},
            id="names of enums",
        ),
        pytest.param(lambda s: s | {"kind": 99, "newField": 1, "links": [{}]}, id="of the future"),
    ],
)
def test_spans_are_read_as_exporters_really_write_them(written):
    spans = [span(1, at=(0, 50), attributes=WORKFLOW), span(2, 1, attributes=task("a"))]

    trace = read(*map(written, spans))

    assert [(each.id, each.node) for each in trace.executions] == [(f"{2:016x}", "a")]
    assert (trace.executions[0].start_ns, trace.executions[0].end_ns) == (1000, 1009)


@pytest.mark.parametrize(
    "around",
    [
        lambda scopes: [{"resourceSpans": scopes}],
        lambda scopes: {"batches": scopes},
        lambda scopes: {"trace": {"resourceSpans": scopes}},
        lambda scopes: {"resource_spans": [{"scope_spans": scopes[0]["scopeSpans"]}]},
        lambda scopes: scopes[0],
        lambda scopes: {
            "resourceSpans": [{"instrumentationLibrarySpans": scopes[0]["scopeSpans"]}]
        },
    ],
)
def test_the_known_envelopes_are_all_opened(around):
    lines = {1: around(document(span(1, attributes=agent("a")))["resourceSpans"])}

    assert otlp.recognises(lines)
    assert routes(otlp.read(lines, file="f")) == ["a"]


@pytest.mark.parametrize("other", [7, {}, [], {"trace": {"id": 1}, "observations": []}])
def test_other_files_are_not_recognised(other):
    assert not otlp.recognises({1: other})


def test_the_spans_of_one_run_may_be_on_several_lines_and_in_any_order():
    lines = {
        1: document(span(3, 1, at=(5, 8), attributes=task("b"))),
        3: {"resourceLogs": []},
        4: document(span(2, 1, at=(1, 4), attributes=task("a"))),
        5: document(span(1, at=(0, 9), attributes=WORKFLOW)),
    }

    trace = otlp.read(lines, file="f")

    assert (trace.status, routes(trace)) == ("finished", ["a", "b"])


def test_values_keep_their_types_and_what_json_has_not_is_opaque():
    said = {
        "input.value": {
            "kvlistValue": {
                "values": pairs(
                    {
                        "big": 9007199254740993,
                        "flag": True,
                        "list": ["z", 1.5],
                        "bytes": {"bytesValue": "AAE="},
                        "none": {},
                        "nan": {"doubleValue": "NaN"},
                    }
                )
            }
        }
    }

    assert read(span(1, attributes=said)).input == {
        "big": 9007199254740993,
        "flag": True,
        "list": ["z", 1.5],
        "bytes": {"$flowjury.opaque": "bytes", "text": "b'\\x00\\x01'"},
        "none": None,
        "nan": {"$flowjury.opaque": "float", "text": "nan"},
    }


def test_one_of_several_traces_is_chosen_by_the_start_of_its_id():
    one = span(1, name="one", attributes=agent("one"))
    other = span(2, name="two", attributes=agent("two"), traceId="a" * 32)

    assert routes(read(one, other, trace_id="AAAA")) == ["two"]
    assert refused(document(one, other)) == (
        "spans.json: it holds 2 traces; choose one (flowjury trace import --trace-id ID):"
        f' {TRACE} (1 span, "one"), {"a" * 32} (1 span, "two")'
    )
    assert "it holds no trace 'b'; there is" in refused(document(one, other), trace_id="b")


def test_a_span_that_was_exported_twice_counts_once():
    whole = span(2, 1, at=(1, 4), attributes=task("a"))
    begun = span(2, 1, at=(1, 0), attributes=task("a"))

    trace = read(span(1, attributes=WORKFLOW), begun, whole, whole)

    assert [(each.node, each.status) for each in trace.executions] == [("a", "ok")]


def test_two_spans_of_one_id_are_refused():
    said = refused(document(span(1, name="a"), span(1, name="b")))

    assert said == (
        f'spans.json: two spans have the id {1:016x}: "a" and "b"; export each span once, with'
        " its own id"
    )


def test_a_span_that_never_ended_was_cut_off_and_so_was_its_run():
    node = span(2, 1, at=(1, 0), attributes=task("a"))
    cut = read(span(1, attributes=WORKFLOW), node)
    whole = read(span(1, at=(0, 0), attributes=WORKFLOW), node)

    assert [(each.status, each.end_ns) for each in cut.executions] == [("cancelled", 1001)]
    assert cut.status == "finished"
    assert whole.status == "crashed"
    assert whole.error.type == "NotRecorded"


def test_what_logfire_writes_when_a_span_begins_is_that_span():
    pending = {"logfire.span_type": "pending_span", "logfire.pending_parent_id": f"{1:016x}"}
    begun = span(7, 2, at=(1, 1), attributes={**task("a"), **pending})
    ended = span(2, 1, at=(1, 5), attributes=task("a"))
    root = span(1, attributes=WORKFLOW)

    assert [each.status for each in read(root, begun, ended).executions] == ["ok"]
    assert [each.status for each in read(root, begun).executions] == ["cancelled"]


@pytest.mark.parametrize(
    ("spans", "why"),
    [
        ([span(2, 9, attributes=task("a")), span(3, 8, attributes=task("b"))], "not in the file"),
        ([span(2, attributes=task("a")), span(3, attributes=task("b"))], "several spans"),
        ([span(2, 9, attributes=task("a"), flags=0x101)], "not in the file"),
    ],
)
def test_how_a_run_ended_is_not_known_without_its_span(spans, why):
    trace = read(*spans)

    assert trace.status == "crashed"
    assert why in trace.error.message
    assert len(trace.executions) == len(spans)
    assert list(contradictions(trace)) == []


@pytest.mark.parametrize("flags", [0, 0x300])
def test_a_run_that_another_process_called_is_a_run(flags):
    assert read(span(2, 9, attributes=agent("a"), flags=flags)).status == "finished"


def test_a_lost_parent_leaves_a_node_outside_of_any():
    trace = read(span(1, attributes=WORKFLOW), span(3, 9, attributes=task("b")))

    assert [(each.node, each.parent) for each in trace.executions] == [("b", None)]


@pytest.mark.parametrize(
    ("spans", "shown"),
    [
        ([span(2, 1, attributes=task("a"))], {}),
        ([span(2, 9, attributes=task("a"))], {"executions": False}),
        ([span(2, 1, at=(1, 0), attributes=task("a"))], {"executions": False}),
        ([span(2, attributes=task("a"))], {"executions": False}),
    ],
)
def test_nothing_is_known_to_be_complete_and_gaps_that_a_file_shows_are_named(spans, shown):
    assert read(span(1, attributes=WORKFLOW), *spans).complete == shown


def test_spans_inside_themselves_are_refused():
    assert "is inside itself" in refused(document(span(1), span(2, 3), span(3, 2)))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"spanId": "xyz"}, '/spanId: "xyz" is no id of 8 bytes, in hex or base64'),
        ({"spanId": ""}, "/spanId: a span needs an id here; it has none, or zeros"),
        ({"spanId": "0" * 16}, "/spanId: a span needs an id here; it has none, or zeros"),
        ({"startTimeUnixNano": "soon"}, '/startTimeUnixNano: "soon" is no time'),
        ({"endTimeUnixNano": -1}, "/endTimeUnixNano: -1 is no time"),
        ({"status": {"code": 7}}, "/status/code: 7 is no status (known: 0 STATUS_CODE_UNSET"),
        ({"status": {"code": "BAD"}}, '/status/code: "BAD" is no status'),
        ({"status": "OK"}, '/status: "OK" is no object'),
        ({"attributes": {"a": 1}}, "no span of OTLP: Field 'attributes' expected"),
        ({"attributes": [{"key": "a", "value": {"intValue": "x"}}]}, "no span of OTLP: Invalid"),
        ({"name": 7}, "no span of OTLP: Field 'name' expected"),
        ({"events": 7}, "no span of OTLP: "),
    ],
)
def test_a_wrong_span_is_named_by_its_place(wrong, said):
    found = refused(document(span(1)), document(span(2), span(3) | wrong))

    assert found.startswith("spans.json:2: /resourceSpans/0/scopeSpans/0/spans/1")
    assert said in found


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"resourceSpans": {}}, "/resourceSpans: is object, and must be a list"),
        ({"resourceSpans": [7]}, "/resourceSpans/0: is 7, and must be an object"),
        ({"resourceSpans": None}, "it holds no spans"),
        ({"resourceSpans": []}, "it holds no spans"),
        ({"spans": []}, "no OTLP: [\"spans\"] has no 'resourceSpans'"),
        (7, "is 7, and must be an object"),
    ],
)
def test_what_is_no_otlp_is_said(wrong, said):
    assert said in refused(wrong)


def test_an_error_is_the_exception_that_a_span_tells_of():
    trace = read(
        span(1, attributes=WORKFLOW, raised=("shop.errors.Refused", "too much")),
        span(2, 1, attributes=task("a"), raised=("ValueError", "too much")),
        span(3, 1, attributes={**task("b"), "error.type": "Late"}, status={"code": 2}),
        span(4, 1, attributes=task("c"), raised=("KeyError", "handled")) | {"status": {"code": 1}},
        span(5, 1, attributes=task("d"), raised=("asyncio.CancelledError", "")),
        span(6, 1, attributes=task("e"), raised=("CancelledError", "")) | {"status": {"code": 1}},
        span(7, 1, attributes=task("f"), raised=("langgraph.errors.ParentCommand", "")),
    )

    assert (trace.status, trace.error) == ("error", Raised(type="Refused", message="too much"))
    assert {each.node: (each.status, each.error) for each in trace.executions} == {
        "a": ("error", Raised(type="ValueError", message="too much")),
        "b": ("error", Raised(type="Late", message="")),
        "c": ("ok", None),
        "d": ("cancelled", None),
        "e": ("ok", None),
        "f": ("ok", None),
    }


def test_secrets_are_masked_wherever_they_are():
    said = openinference("TOOL", input='{"password": "hunter2-hunter2", "pin": "1234"}')
    trace = read(
        span(1, at=(0, 50), attributes=agent("a")),
        span(2, 1, attributes=said, name="tool"),
        span(3, 1, at=(1, 9), attributes=task("b"), raised=("E", "password=hunter2-hunter2")),
        mask=("pin",),
    )

    assert trace.tools[0].arguments == {"password": "***", "pin": "***"}
    assert trace.executions[1].error.message == "password=***"


def test_nested_agents_have_nested_names_and_recursion_folds():
    trace = read(
        span(1, at=(0, 50), attributes=agent("boss")),
        span(2, 1, at=(1, 40), attributes=agent("clerk")),
        span(3, 2, at=(2, 30), name="execute_tool ask"),
        span(4, 3, at=(3, 20), attributes=agent("boss")),
    )

    assert [(each.node, each.caller) for each in trace.executions] == [
        ("boss", None),
        ("boss:clerk", "boss"),
        ("boss", "boss:clerk"),
    ]
    assert [(tool.name, tool.execution) for tool in trace.tools] == [("ask", f"{2:016x}")]


def test_what_two_instrumentations_saw_is_there_once():
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"}
    trace = read(
        span(1, at=(0, 50), attributes=agent("boss")),
        span(2, 1, at=(1, 40), attributes={**openinference("AGENT"), "agent.name": "boss"}),
        span(3, 2, at=(2, 30), attributes=tool),
        span(4, 3, at=(3, 20), attributes={**openinference("TOOL"), "tool.name": "find"}),
    )

    assert routes(trace) == ["boss"]
    assert [tool.name for tool in trace.tools] == ["find"]


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"haystack.component.name": "a"}, "haystack.component.run"),
        ({"koog.node.name": "a"}, "node.a"),
        ({"flow.node.name": "a"}, "Flow.a"),
        ({"executor.id": "a"}, "executor.process a"),
        ({"node_id": "a"}, "run node a"),
        ({}, "invoke_node a"),
    ],
)
def test_what_an_engine_marks_are_the_nodes_and_nothing_else(attributes, name):
    trace = read(
        span(1, at=(0, 50), attributes=agent("app")),
        span(2, 1, at=(1, 40), attributes=attributes, name=name),
        span(3, 2, at=(2, 30), attributes=openinference("CHAIN"), name="inner"),
    )

    assert routes(trace) == ["a"]


def langgraph(node, namespace):
    about = {"langgraph_node": node, "langgraph_checkpoint_ns": namespace}
    return {"openinference.span.kind": "CHAIN", "metadata": json.dumps(about)}


def test_the_nodes_of_a_langgraph_are_the_first_runs_of_their_tasks():
    trace = read(
        span(1, at=(0, 90), name="demo", attributes=openinference("CHAIN")),
        span(2, 1, at=(1, 9), name="plan", attributes=langgraph("plan", "plan:u1")),
        span(3, 2, at=(2, 8), name="route", attributes=langgraph("plan", "plan:u1")),
        span(4, 2, at=(3, 8), name="plan", attributes=langgraph("plan", "plan:u1")),
        span(5, 1, at=(10, 30), name="sub", attributes=langgraph("sub", "sub:u2")),
        span(6, 5, at=(11, 20), name="draft", attributes=langgraph("draft", "sub:u2|draft:u3")),
        span(7, 1, at=(31, 40), name="flaky", attributes=langgraph("flaky", "flaky:u4"))
        | {"status": {"code": 2, "message": "no"}},
        span(8, 1, at=(41, 50), name="flaky", attributes=langgraph("flaky", "flaky:u4")),
        span(9, 1, at=(51, 60), name="plan", attributes=langgraph("plan", "plan:u5")),
    )

    assert [(each.node, each.visit, each.attempt) for each in trace.executions] == [
        ("plan", "plan:u1", 1),
        ("sub", "sub:u2", 1),
        ("sub:draft", "sub:u2|draft:u3", 1),
        ("flaky", "flaky:u4", 1),
        ("flaky", "flaky:u4", 2),
        ("plan", "plan:u5", 1),
    ]
    assert list(contradictions(trace)) == []


def test_a_node_that_went_well_is_not_tried_again_but_visited_again():
    trace = read(
        span(1, at=(0, 90), name="demo"),
        span(2, 1, at=(1, 9), name="plan", attributes=langgraph("plan", "plan:u1")),
        span(3, 1, at=(10, 19), name="plan", attributes=langgraph("plan", "plan:u1")),
    )

    assert [(each.visit, each.attempt) for each in trace.executions] == [
        ("plan:u1", 1),
        (f"{3:016x}", 1),
    ]


def test_where_langgraph_tagged_its_steps_only_those_are_nodes():
    wrong = langgraph("tools", "tools:u1")
    trace = read(
        span(1, at=(0, 90), name="LangGraph", attributes=wrong),
        span(2, 1, at=(1, 9), name="any", attributes={**wrong, "tags": ["graph:step:1"]}),
        span(3, 2, at=(2, 8), name="tools", attributes=wrong),
        span(4, 1, at=(10, 19), name="any", attributes={**wrong, "tags": ["graph:step:2"]}),
    )

    assert [(each.node, each.attempt) for each in trace.executions] == [("tools", 1), ("tools", 1)]
    assert len({each.visit for each in trace.executions}) == 2


@pytest.mark.parametrize(
    "interrupt",
    [
        {"raised": ("langgraph.errors.GraphInterrupt", "(Interrupt(value='ok?'),)")},
        {"status": {"code": 2, "message": "(Interrupt(value='ok?', id='1'),)"}},
    ],
)
def test_a_run_that_was_interrupted_waits(interrupt):
    trace = read(
        span(1, at=(0, 90), name="demo", attributes=openinference("CHAIN", output='{"n": 1}')),
        span(2, 1, name="human", attributes=langgraph("human", "human:u1"), **interrupt),
    )

    assert (trace.status, trace.wait) == ("wait", "human")
    assert [each.status for each in trace.executions] == ["interrupted"]
    assert not trace.recorded("output")


def test_a_run_that_went_on_after_an_interrupt_finished():
    attributes = langgraph("human", "human:u1")
    trace = read(
        span(1, at=(0, 90), name="demo"),
        span(2, 1, at=(1, 5), name="human", attributes=attributes, raised=("GraphInterrupt", "")),
        span(3, 1, at=(6, 9), name="human", attributes=attributes),
    )

    assert trace.status == "finished"
    assert [(each.status, each.attempt) for each in trace.executions] == [
        ("interrupted", 1),
        ("ok", 2),
    ]


def test_steps_are_nodes_only_where_nothing_says_more():
    steps = [
        span(1, at=(0, 90), name="run", attributes=openinference("CHAIN")),
        span(2, 1, at=(1, 9), name="W.a", attributes=openinference("CHAIN", output='{"x": 1}')),
        span(3, 1, at=(10, 19), name="W.b", attributes=openinference("RETRIEVER")),
    ]

    assert routes(read(*steps)) == ["W.a", "W.b"]
    assert routes(read(*steps, span(4, 1, attributes=agent("helper")))) == ["helper"]


def test_tokens_that_several_spans_tell_of_count_once():
    trace = read(
        span(1, at=(0, 90), attributes={**agent("a"), **chat(40, 8), **agent("a")}),
        span(2, 1, at=(1, 50), attributes=chat(30, 7)),
        span(3, 2, at=(2, 40), attributes=chat(30, 7)),
        span(4, 1, at=(51, 60), attributes={**openinference("LLM"), "llm.token_count.prompt": "9"}),
    )

    assert trace.executions[0].usage == {"input_tokens": 39, "output_tokens": 7}
    assert trace.usage is None


def test_agents_tell_of_tokens_where_no_call_of_a_model_does():
    trace = read(span(1, attributes={**agent("a"), "gen_ai.usage.input_tokens": 5}))

    assert trace.executions[0].usage == {"input_tokens": 5}


def test_what_was_spent_outside_of_any_node_is_in_the_total():
    trace = read(
        span(1, at=(0, 90), attributes=WORKFLOW),
        span(2, 1, at=(1, 50), attributes=task("a")),
        span(3, 2, at=(2, 40), attributes={**chat(30, 7), "gen_ai.usage.cost": 0.1}),
        span(4, 1, at=(60, 70), attributes={**chat(1, 2), "gen_ai.usage.cost": 0.2}),
    )

    assert trace.usage == {"input_tokens": 31, "output_tokens": 9, "cost_usd": 0.3}
    assert list(contradictions(trace)) == []


def test_messages_are_told_once_though_every_call_repeats_them():
    first = [{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]
    answer = [{"role": "assistant", "parts": [{"type": "text", "content": "hello"}]}]
    more = [{"role": "user", "parts": [{"type": "text", "content": "more"}]}]
    calls = [(first, answer), ([*first, *answer, *more], answer)]
    spans = [
        span(
            number,
            1,
            at=(number, number),
            attributes={
                "gen_ai.operation.name": "chat",
                "gen_ai.input.messages": json.dumps(given),
                "gen_ai.output.messages": json.dumps(answered),
            },
        )
        for number, (given, answered) in enumerate(calls, 2)
    ]

    assert read(span(1, at=(0, 90)), *spans).messages == (
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "more"},
        {"role": "assistant", "content": "hello"},
    )


@pytest.mark.parametrize(
    ("start", "call"),
    [
        ("llm.input_messages.0.message.", "tool_calls.0.tool_call.function."),
        ("gen_ai.prompt.0.", "tool_calls.0."),
    ],
)
def test_messages_whose_parts_are_attributes_are_put_together(start, call):
    said = {
        f"{start}role": "assistant",
        f"{start}content": "look",
        f"{start}{call}name": "find",
        f"{start}{call}arguments": '{"id": 7}',
    }

    assert read(span(1, attributes={**openinference("LLM"), **said})).messages == (
        {
            "role": "assistant",
            "content": "look",
            "tool_calls": [{"name": "find", "arguments": '{"id": 7}'}],
        },
    )


def test_what_an_instrumentation_of_langchain_wraps_is_unwrapped():
    given = {"inputs": {"q": 1}, "tags": ["graph:step:1"], "metadata": {}, "kwargs": {}}
    answered = {"outputs": {"a": 2}, "kwargs": {}}
    own = {"inputs": {"q": 1}, "more": 1}

    trace = read(
        span(1, attributes=WORKFLOW),
        span(2, 1, at=(1, 2), attributes=task("a", given, answered)),
        span(3, 1, at=(3, 4), attributes=task("b", own, {"outputs": 3})),
    )

    assert [(each.input, each.output) for each in trace.executions] == [
        ({"q": 1}, {"a": 2}),
        (own, {"outputs": 3}),
    ]


def test_a_span_around_the_whole_run_has_the_sides_of_the_run():
    sides = {"gen_ai.input.messages": '[{"role": "user"}]', "output.value": "sunny"}
    http = span(1, at=(0, 90))

    run = read(http, span(2, 1, at=(1, 80), attributes=agent("a") | sides))
    step = read(http, span(2, 1, at=(1, 80), attributes=task("a", {"q": 1}, {"a": 2})))

    assert (run.input, run.output) == ([{"role": "user"}], "sunny")
    assert not step.recorded("input")
    assert not step.recorded("output")


def test_broken_json_in_attributes_stays_text_or_says_nothing():
    trace = read(
        span(1, attributes=WORKFLOW),
        span(2, 1, at=(1, 2), attributes={**task("a"), "traceloop.entity.input": "{'q': 1}"}),
        span(3, 1, at=(3, 4), attributes={**task("b"), "metadata": '{"langgraph_node": '}),
    )

    assert [(each.node, each.input) for each in trace.executions] == [
        ("a", "{'q': 1}"),
        ("b", None),
    ]


def test_what_is_not_text_in_a_message_is_kept():
    picture = [{"type": "text", "content": "see"}, {"type": "blob", "mime_type": "image/png"}]
    odd = ["hi", {"role": "user", "parts": picture}]
    said = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(odd)}

    assert read(span(1, attributes=said)).messages == ("hi", {"role": "user", "content": picture})


def test_a_call_of_a_tool_that_failed_has_no_result():
    said = openinference("TOOL", input="[1]", output='"half"')
    trace = read(span(1), span(2, 1, attributes={**said, "tool.name": "t"}, raised=("E", "no")))

    assert [(tool.status, "result" in tool.model_fields_set) for tool in trace.tools] == [
        ("error", False)
    ]


def test_text_that_is_not_said_to_be_json_stays_text():
    trace = read(span(1, attributes={"input.value": "[1]", "input.mime_type": "text/plain"}))

    assert trace.input == "[1]"


def test_names_with_half_a_character_can_be_names():
    trace = read(span(1, attributes=agent("a\ud800")))

    assert routes(trace) == ["a\ufffd"]


def test_ten_thousand_spans_are_read_fast():
    nodes = [
        each
        for number in range(2, 10_001, 2)
        for each in (
            span(number, 1, at=(number, number + 1), attributes=task(f"n{number % 9}", [1], [2])),
            span(number + 1, number, at=(number, number + 1), attributes=chat(3, 4)),
        )
    ]
    began = time.process_time()

    trace = read(span(1, at=(0, 99_999), attributes=WORKFLOW), *nodes)

    assert len(trace.executions) == 5_000
    assert time.process_time() - began < 4  # 0.5 s on an idle machine


def test_values_may_be_nested_as_deep_as_a_file_may():
    deep = value("end")
    for _ in range(50):
        deep = {"kvlistValue": {"values": [{"key": "k", "value": deep}]}}

    found = read(span(1, attributes={"input.value": deep})).input
    for _ in range(50):
        found = found["k"]

    assert found == "end"


def test_spans_may_be_nested_deep():
    chain = [
        span(number, number - 1, at=(0, 9), attributes=agent("a")) for number in range(2, 5000)
    ]

    assert len(read(span(1), *chain).executions) == 1


def real(name):
    file = SHARED / name
    if not file.exists():
        pytest.skip(f"{file} is not here")
    text = file.read_text(encoding="utf-8")
    if name.endswith(".json"):
        return {1: json.loads(text)}
    return {n: json.loads(line) for n, line in enumerate(text.splitlines(), 1) if line}


@pytest.mark.parametrize(
    ("instrumentation", "first", "second"), [("oi", "3871", "d227"), ("tl", "9247", "8633")]
)
def test_a_langgraph_run_reads_alike_by_whatever_it_was_watched(instrumentation, first, second):
    lines = real(f"research/prototypes/out_lg_{instrumentation}.otlp.jsonl")

    before, after = (otlp.read(lines, file="f", trace_id=name) for name in (first, second))

    assert (before.status, before.wait) == ("wait", "human")
    assert routes(before) == [
        *(["plan"] * 3 + ["worker"] * 3),
        *("sub", "sub:draft", "sub:polish", "flaky", "flaky", "human"),
    ]
    assert before.executions[7].usage == {"input_tokens": 11, "output_tokens": 7}
    assert [each.attempt for each in before.executions[9:11]] == [1, 2]
    assert sorted(call.result for call in before.tools) == ["found a", "found b", "found c"]
    assert (after.status, routes(after)) == ("error", ["human", "publish"])
    assert after.error == Raised(type="ValueError", message="publish failed")


def test_real_files_of_exporters_are_read():
    deep = otlp.read(real("real/otlp_json/smol_deep_research_agent.json"), file="f")
    example = otlp.read(real("real/otlp_json/otlp_spec_example.json"), file="f")

    assert deep.usage == {"input_tokens": 17952, "output_tokens": 7122}
    assert deep.messages[0]["role"] == "user"
    assert example == Trace(status="finished", complete={})


def test_a_real_file_of_the_collector_holds_many_traces():
    lines = real("real/otlp_json/collector_file_exporter.ndjson")

    assert "it holds 168 traces" in refused(*lines.values())
