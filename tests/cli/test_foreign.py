"""The command `trace import`."""

from __future__ import annotations

import json

import jsonschema

SPAN = {
    "traceId": "5b8efff798038103d269b633813fc60c",
    "spanId": "eee19b7ec3c1b174",
    "name": "invoke_agent helper",
    "startTimeUnixNano": "1",
    "endTimeUnixNano": "2",
    "attributes": [
        {"key": "input.value", "value": {"stringValue": '{"q": 1, "token": "secret-of-mine"}'}},
        {"key": "input.mime_type", "value": {"stringValue": "application/json"}},
        {"key": "output.value", "value": {"stringValue": "it is sunny"}},
    ],
}
TRACE = {
    "format": 1,
    "status": "finished",
    "input": {"q": 1, "token": "***"},
    "output": "it is sunny",
    "executions": [
        {
            "id": "eee19b7ec3c1b174",
            "node": "helper",
            "visit": "eee19b7ec3c1b174",
            "status": "ok",
            "input": {"q": 1, "token": "***"},
            "output": "it is sunny",
            "start_ns": 1,
            "end_ns": 2,
        }
    ],
    "complete": {},
}
SUITE = """\
format: 1
name: imported
target: {kind: trace}
declares: {nodes: [helper, other]}
cases:
  - id: seen
    trace: FILE
    checks: [{kind: path, must: [helper]}, {kind: value, at: /output, op: contains, value: sunny}]
  - id: unseen
    trace: FILE
    checks: [{kind: path, must_not: [other]}]
"""


def otlp(*spans):
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})


def test_a_trace_is_imported_without_its_secrets(flowjury):
    flowjury.write("spans.json", otlp(SPAN))

    done = flowjury("trace", "import", "spans.json", "--output", "traces/one.json")

    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "traces/one.json: finished, 1 execution, 0 tool calls, 0 messages (read as otlp)\n"
        "not recorded: tools, messages\n"
        "nothing is known to be complete, so that nothing passes by its absence\n"
    )
    assert json.loads((flowjury.root / "traces/one.json").read_text()) == TRACE


def test_what_came_of_an_import_is_told_to_programs(flowjury):
    flowjury.write("spans.json", otlp(SPAN))
    schema = flowjury("schema", "trace-import").json

    printed = flowjury("trace", "import", "spans.json", "-o", "one.json", "--json").json

    jsonschema.Draft202012Validator(schema).validate(printed)
    assert printed == {
        "file": "spans.json",
        "source": "otlp",
        "output": "one.json",
        "status": "finished",
        "executions": 1,
        "tools": 0,
        "messages": 0,
        "missing": ["tools", "messages"],
        "complete": [],
    }


def test_what_was_seen_passes_and_what_was_not_is_unknown(flowjury):
    flowjury.write("spans.jsonl", otlp(SPAN) + "\n")
    flowjury("trace", "import", "spans.jsonl", "-o", "one.json")
    for name in ("one.json", "spans.jsonl"):
        flowjury.write("it.suite.yaml", SUITE.replace("FILE", name))

        [report] = flowjury("run", "--json").json

        assert [(case["id"], case["status"]) for case in report["cases"]] == [
            ("seen", "passed"),
            ("unseen", "unknown"),
        ]


def test_the_user_may_know_that_a_channel_is_complete(flowjury):
    flowjury.write("spans.jsonl", otlp(SPAN) + "\n")
    flowjury.write("it.suite.yaml", SUITE.replace("FILE", "one.json"))
    arguments = ("trace", "import", "spans.jsonl", "-o", "one.json", "--complete", "executions")

    assert flowjury(*arguments, "--json").json["complete"] == ["executions"]
    assert "nothing is known to be complete" not in flowjury(*arguments).out
    [report] = flowjury("run", "--json").json
    assert [case["status"] for case in report["cases"]] == ["passed", "passed"]


def test_nobody_can_know_what_the_file_contradicts(flowjury):
    orphan = SPAN | {"spanId": "b" * 16, "parentSpanId": "c" * 16}
    flowjury.write("spans.json", otlp(SPAN))
    flowjury.write("gaps.json", otlp(SPAN, orphan))

    def said(file, channel):
        done = flowjury("trace", "import", file, "-o", "one.json", "--complete", channel)
        assert done.code == 2
        assert not (flowjury.root / "one.json").exists()
        return done.err

    assert "the file itself shows gaps" in said("gaps.json", "executions")
    assert "nothing of it was recorded" in said("spans.json", "tools")
    assert "known: executions, messages, tools, usage" in said("spans.json", "files")


def test_a_trace_of_several_is_chosen(flowjury):
    other = SPAN | {"traceId": "a" * 32, "name": "invoke_agent other"}
    flowjury.write("spans.json", otlp(SPAN, other))

    both = flowjury("trace", "import", "spans.json", "-o", "one.json")
    one = flowjury("trace", "import", "spans.json", "-o", "one.json", "--trace-id", "aa")

    assert both.code == 2
    assert both.err.startswith("flowjury: spans.json: it holds 2 traces; choose one")
    assert one.code == 0
    assert json.loads((flowjury.root / "one.json").read_text())["executions"][0]["node"] == "other"


def test_no_file_that_is_no_trace_is_written_over(flowjury):
    flowjury.write("spans.json", otlp(SPAN))
    flowjury.write("folder/a", "")
    suite = flowjury.write("it.suite.yaml", SUITE)

    over = flowjury("trace", "import", "spans.json", "-o", "it.suite.yaml")
    itself = flowjury("trace", "import", "spans.json", "-o", "spans.json")
    into = flowjury("trace", "import", "spans.json", "-o", "folder")
    twice = [flowjury("trace", "import", "spans.json", "-o", "one.json").code for _ in range(2)]

    assert (over.code, itself.code, into.code, twice) == (2, 2, 2, [0, 0])
    assert "this file is there and is no trace; name another file" in over.err
    assert suite.read_text() == SUITE


def test_a_missing_file_and_a_wrong_source_are_named(flowjury):
    flowjury.write("spans.json", otlp(SPAN))

    missing = flowjury("trace", "import", "span.json", "-o", "one.json")
    wrong = flowjury("trace", "import", "spans.json", "-o", "one.json", "--source", "jaeger")

    assert (missing.code, wrong.code) == (2, 2)
    assert "nearest is 'spans.json'" in missing.err
    assert "no member of sources is named 'jaeger'" in wrong.err
