"""The target `trace`: files that are read, and what is said of those that cannot be."""

from __future__ import annotations

import json
import os
from contextlib import chdir
from dataclasses import replace

import pytest

import flowjury
from flowjury.case import Resume
from flowjury.job import Job, Place, Turn
from flowjury.record import CaseFault
from flowjury.store.files import read_bytes
from flowjury.targets.trace import TraceTarget
from flowjury.trace import Execution, Trace

GOOD = {
    "format": 1,
    "status": "finished",
    "output": {"message": "hello", "api_key": "k"},
    "executions": [
        {"id": "e1", "node": "a", "visit": "v", "status": "ok", "start_ns": 0, "end_ns": 1}
    ],
    "complete": {"executions": True},
}

APPROVED = Resume(wait="manager", action="approve")
REJECTED = Resume(wait="manager", action="reject")


def job(case="c", trace=None):
    return Job(
        case=case,
        trial=1,
        turns=(Turn(id=None),),
        data="replay",
        fixtures={},
        ignore={},
        mask=(),
        timeout=5,
        trace=trace,
    )


@pytest.fixture
def place(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(GOOD))
    return Place(root=tmp_path, workflow=None, read=lambda file: file.read_bytes())


def observed(place, *, pattern=None, trace=None):
    return TraceTarget(kind="trace", trace=pattern).prepare(place).observe(job(trace=trace))


@pytest.mark.parametrize(("pattern", "trace"), [("{id}.json", None), ("x", "c.json")])
def test_the_trace_of_a_case_is_read_masked_from_its_file_or_the_pattern(place, pattern, trace):
    seen = observed(place, pattern=pattern, trace=trace)

    assert seen.fault is None
    assert seen.trace == Trace(
        status="finished",
        output={"message": "hello", "api_key": "***"},
        executions=(Execution(id="e1", node="a", visit="v", status="ok", start_ns=0, end_ns=1),),
        complete={"executions": True},
    )
    assert "input" not in seen.trace.model_fields_set


def test_a_number_that_json_does_not_have_is_opaque_in_a_trace_file(place):
    text = json.dumps(GOOD | {"output": {"score": float("nan"), "most": float("inf"), "least": 1}})
    (place.root / "c.json").write_text(text)

    seen = observed(place, trace="c.json")

    assert seen.fault is None
    assert seen.trace.output == {
        "score": {"$flowjury.opaque": "float", "text": "NaN"},
        "most": {"$flowjury.opaque": "float", "text": "Infinity"},
        "least": 1,
    }
    assert seen.text is None, "the text does not say the same as the trace"


def test_the_text_of_a_trace_comes_with_it_where_it_says_the_same(place):
    exact = json.dumps(GOOD | {"output": {"message": "hello"}})
    (place.root / "exact.json").write_text(exact)
    (place.root / "exact.yaml").write_text(exact)

    assert observed(place, trace="exact.json").text == exact.encode()
    assert observed(place, trace="exact.yaml").text is None
    assert observed(place, trace="c.json").text is None, "what it holds was masked"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"format": 2, "status": "finished"}',
            "bad.json:1: /format: format 2 is newer than this FlowJury reads (1); upgrade flowjury",
        ),
        ("", "bad.json: the file is empty"),
        ("[1]", "bad.json:1: this must be an object, not an array"),
    ],
)
def test_a_file_that_is_no_trace_is_a_fault_of_its_case_alone(place, text, message):
    (place.root / "bad.json").write_text(text)

    assert observed(place, trace="bad.json").fault == CaseFault(kind="target", message=message)
    assert observed(place, trace="c.json").fault is None


def test_every_problem_of_a_file_has_its_place(place):
    bad = {**GOOD, "status": "done", "executions": [{**GOOD["executions"][0], "status": "okay"}]}
    (place.root / "bad.json").write_text(json.dumps(bad, indent=1))

    lines = observed(place, trace="bad.json").fault.message.splitlines()

    assert [line.split(": ")[:2] for line in lines] == [
        ["bad.json:3", "/status"],
        ["bad.json:13", "/executions/0/status"],
    ]


def test_a_missing_file_is_named(place):
    assert observed(place, trace="no.json").fault == CaseFault(
        kind="target", message="trace file 'no.json' cannot be read: No such file or directory"
    )


def test_a_case_without_a_file_is_told_what_to_write(place):
    assert observed(place).fault.message.startswith("case 'c' names no trace file; write `trace: ")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a\0b", "a\\x00b': no file has such a name"),
        ("\ud800", "\\ud800': no file has such a name"),
        ("x" * 300, "cannot be read: File name too long"),
        ("loop", "cannot be read: Too many levels of symbolic links"),
        (".", "this is a folder"),
        ("pipe", "this is a pipe or a device"),
        ("/dev/zero", "this is a pipe or a device"),
    ],
)
def test_a_name_that_leads_to_no_file_is_a_fault_of_its_case_alone(tmp_path, name, reason):
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "c.json").write_text(json.dumps(GOOD))
    place = Place(root=tmp_path, workflow=None, read=read_bytes)
    seen = observed(place, trace=name)

    assert seen.trace is None
    assert seen.fault.kind == "target"
    assert reason in seen.fault.message
    assert observed(place, trace="c.json").fault is None


def test_a_name_that_a_reader_does_not_check_is_a_fault_all_the_same(place):
    seen = observed(place, trace="a\0b")

    assert seen.fault.message == "trace file 'a\\x00b': no file has such a name"


def test_a_trace_for_another_input_leaves_its_case_unknown(tmp_path):
    suite = {
        "format": 1,
        "name": "s",
        "target": {"kind": "trace"},
        "cases": [
            {
                "id": "c",
                "input": {"q": "mine"},
                "trace": "t.json",
                "checks": [{"kind": "value", "at": "/output", "op": "equals", "value": 1}],
            }
        ],
    }
    trace = {"status": "finished", "input": {"q": "yours"}, "output": 1}
    (tmp_path / "s.suite.json").write_text(json.dumps(suite))
    (tmp_path / "t.json").write_text(json.dumps({"format": 1, **trace}))
    (tmp_path / ".flowjury").mkdir()

    with chdir(tmp_path):
        [case] = flowjury.run("s.suite.json").cases

    assert case.status == "unknown"
    assert "recorded for another input" in (case.reason or "")


@pytest.mark.parametrize(
    ("turns", "fault"),
    [
        ([Turn(id="ask", input=1), Turn(id="go", resume=APPROVED)], None),
        ([Turn(id="ask", input=1), Turn(id="go", resume=APPROVED), Turn(id="end")], None),
        ([Turn(id="ask", input=2), Turn(id="go", resume=APPROVED)], ("ask", "another input")),
        ([Turn(id="ask", input=1), Turn(id="go", resume=REJECTED)], ("go", "another input")),
        ([Turn(id="ask", input=1)], (None, "another conversation")),
        ([Turn(id=None, input=1)], (None, "another conversation")),
        ([Turn(id="go", resume=APPROVED)], (None, "another conversation")),
    ],
)
def test_a_trace_is_believed_only_for_the_conversation_that_it_was_recorded_for(
    place, turns, fault
):
    steps = [
        {"id": "ask", "trace": {"status": "wait", "input": 1}},
        {"id": "go", "trace": {"status": "finished", "input": APPROVED.model_dump()}},
    ]
    trace = {"format": 1, "status": "finished", "steps": steps}
    (place.root / "talk.json").write_text(json.dumps(trace))

    target = TraceTarget(kind="trace").prepare(place)
    found = target.observe(replace(job(trace="talk.json"), turns=tuple(turns))).fault

    if fault is None:
        assert found is None
    else:
        step, why = fault
        assert (found.kind, found.step) == ("other-input", step)
        assert f"recorded for {why}" in found.message


@pytest.mark.parametrize(("action", "step"), [("approve", None), ("reject", "go"), (None, None)])
def test_a_wait_at_which_another_thing_was_done_was_recorded_for_another_input(place, action, step):
    tried = {"node": "a", "visit": "v", "start_ns": 0, "end_ns": 1}
    asked = {**tried, "id": "e1", "status": "interrupted"}
    gone_on = {**tried, "id": "e2", "status": "ok", "attempt": 2, "action": action}
    steps = [
        {"id": "ask", "trace": {"status": "wait", "executions": [asked]}},
        {"id": "go", "trace": {"status": "finished", "executions": [gone_on]}},
    ]
    (place.root / "talk.json").write_text(
        json.dumps({"format": 1, "status": "finished", "steps": steps})
    )

    turns = (Turn(id="ask"), Turn(id="go", resume=APPROVED))
    target = TraceTarget(kind="trace").prepare(place)
    found = target.observe(replace(job(trace="talk.json"), turns=turns)).fault

    assert (found and found.step) == step


def test_a_file_of_another_tool_is_read_as_it_is_and_masked(place):
    said = {"key": "input.value", "value": {"stringValue": '{"pin": "1234"}'}}
    mime = {"key": "input.mime_type", "value": {"stringValue": "application/json"}}
    span = {
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": "eee19b7ec3c1b174",
        "name": "invoke_agent helper",
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
        "attributes": [said, mime],
    }
    spans = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    (place.root / "spans.jsonl").write_text(f"{spans}\n")
    target = TraceTarget(kind="trace").prepare(place)

    seen = target.observe(replace(job(trace="spans.jsonl"), mask=("pin",)))

    assert seen.fault is None
    assert seen.text is None
    assert seen.trace.input == {"pin": "***"}
    assert [each.node for each in seen.trace.executions] == ["helper"]


def test_what_is_wrong_with_a_file_of_another_tool_is_a_fault_of_the_case(place):
    (place.root / "spans.json").write_text('{"resourceSpans": []}')

    seen = observed(place, trace="spans.json")

    assert seen.fault.message == "spans.json: it holds no spans"
