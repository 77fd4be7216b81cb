from __future__ import annotations

import pytest

from flowjury.evidence import Doubt, Evidence, Unrecorded
from flowjury.json_values import opaque
from flowjury.pointer import Found, Missing, Opaque
from flowjury.trace import Trace

TRIED = {"id": "1", "node": "a", "visit": "v", "status": "error", "start_ns": 10, "end_ns": 20}
AGAIN = {
    **TRIED,
    "id": "2",
    "attempt": 2,
    "status": "ok",
    "start_ns": 30,
    "end_ns": 40,
    "input": None,
    "output": {"x": 1},
    "outcome": "done",
    "caller": "c",
    "index": [0],
    "usage": {"u": 2},
}
TRACE = {
    "status": "finished",
    "input": {"q": 1},
    "output": "o",
    "executions": [AGAIN, {**TRIED, "error": {"type": "E", "message": "m"}}],
    "tools": [{"name": "t", "arguments": 1, "start_ns": 3}],
    "messages": [],
}


def evidence(fields=TRACE, nodes=(), **more):
    return Evidence(Trace.model_validate({**fields, **more}), nodes=nodes)


def test_the_document_holds_what_was_recorded_and_no_times():
    failed = {"status": "error", "replayed": False, "error": {"type": "E", "message": "m"}}
    good = {
        "status": "ok",
        "replayed": False,
        "input": None,
        "output": {"x": 1},
        "usage": {"u": 2},
        "caller": "c",
        "outcome": "done",
        "index": [0],
    }

    assert evidence(nodes=["b"]).document == {
        "input": {"q": 1},
        "output": "o",
        "status": "finished",
        "executions": [{**failed, "node": "a"}, {**good, "node": "a"}],
        "nodes": {"b": [], "a": [{**good, "attempts": [failed, good]}]},
        "tools": [{"status": "ok", "name": "t", "arguments": 1}],
        "messages": [],
        "usage": {"u": 2},
    }


def test_a_conversation_has_all_lists_in_order_and_a_document_per_turn():
    one = {"status": "finished", "messages": ["1"], "tools": [{"name": "t"}], "output": 1}
    two = {"status": "error", "messages": ["2"], "error": {"type": "E", "message": "m"}}
    steps = [{"id": "one", "trace": one}, {"id": "two", "trace": two}]
    document = evidence({"status": "error", "steps": steps, "output": 1}).document

    assert list(document) == ["output", "status", "messages", "steps"]
    assert document["messages"] == ["1", "2"]
    assert document["steps"]["two"] == {
        "status": "error",
        "error": {"type": "E", "message": "m"},
        "messages": ["2"],
    }


def test_equal_runs_at_other_times_have_one_digest():
    later = [
        {**each, "start_ns": each["start_ns"] + 7, "end_ns": each["end_ns"] + 9}
        for each in TRACE["executions"]
    ]

    assert evidence().digest == evidence(executions=later).digest
    assert evidence().digest != evidence(output="p").digest


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        ("/output", Found),
        ("/nodes/a/0/output/x", Found),
        ("/nodes/a/0/output/y", Unrecorded),
        ("/tools/1", Unrecorded),
        ("/tools/0/result", Unrecorded),
        ("/executions/0/output", Unrecorded),
        ("/exit_code", Unrecorded),
        ("/usage/other", Unrecorded),
        ("/error", Missing),
        ("/input/other", Missing),
    ],
)
def test_of_incomplete_evidence_what_is_not_there_was_not_recorded(at, kind):
    assert isinstance(evidence().resolve(at), kind)


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        ("/nodes/a/0/output/y", Missing),
        ("/nodes/a/0/attempts/0/output", Missing),
        ("/nodes/a/0/attempts/0/input", Unrecorded),
        ("/executions/0/output", Missing),
        ("/tools/1", Missing),
        ("/tools/0/result", Unrecorded),
        ("/nodes/typo", Missing),
    ],
)
def test_of_complete_evidence_what_is_not_there_is_missing(at, kind):
    complete = dict.fromkeys(("executions", "tools", "messages", "usage"), True)

    assert isinstance(evidence(complete=complete).resolve(at), kind)


def test_an_output_is_missing_only_where_the_run_did_not_finish():
    bare = {"status": "finished"}

    assert evidence(bare).resolve("/output") == Unrecorded("/output", "output was not recorded")
    assert isinstance(evidence({"status": "error"}).resolve("/output"), Missing)


def test_pointers_of_a_turn_are_told_as_those_of_the_conversation():
    turn = {"status": "finished", "output": {"n": opaque("float", "NaN"), "x": 1}}
    seen = evidence({"status": "finished", "steps": [{"id": "one", "trace": turn}]})

    assert seen.resolve("/steps/one/output/x") == Found(1)
    assert seen.resolve("/steps/one/output/n") == Opaque("/steps/one/output/n")
    assert seen.resolve("/steps/one/messages") == Unrecorded(
        "/steps/one/messages", "messages was not recorded"
    )
    assert seen.resolve("/steps/one/output/y").resolved == "/steps/one/output"


def test_what_was_not_recorded_says_so_in_a_sentence():
    assert evidence().resolve("/exit_code").sentence() == "exit_code was not recorded"


@pytest.mark.parametrize(
    ("at", "doubt"),
    [
        ("/output", None),
        ("/files/a", None),
        ("/files", Doubt("more", "files were not recorded completely")),
        ("/effects/writes/0", Doubt("more", "effects were not recorded completely")),
        ("/tools", Doubt("more", "tools were not recorded completely")),
        ("/tools/0/name", Doubt("place", "tools were not recorded completely")),
        ("/nodes/a", Doubt("place", "executions were not recorded completely")),
        ("/usage", Doubt("more", "u was not recorded completely")),
        ("/usage/u", Doubt("more", "u was not recorded completely")),
        ("/usage/other", None),
        ("", Doubt("more", "executions were not recorded completely")),
        ("/steps", Doubt("more", "executions were not recorded completely")),
        ("/steps/none", Doubt("more", "executions were not recorded completely")),
        ("/summary/status", None),
    ],
)
def test_what_may_be_more_or_another_in_truth_is_doubted(at, doubt):
    seen = evidence(files={"a": "A"}, effects={"writes": [1]})

    assert seen.doubt(at) == doubt


def test_complete_evidence_is_not_doubted():
    channels = ("executions", "tools", "messages", "usage", "files", "effects", "activations")
    fields = {"files": {}, "effects": {}, "activations": []}
    whole = evidence(complete=dict.fromkeys(channels, True), **fields)

    assert [whole.doubt(at) for at in ("", "/tools/0", "/usage", "/nodes/a/0")] == [None] * 4


def test_a_channel_that_is_not_there_is_not_complete():
    assert evidence(complete={"activations": True}).gap("activations") == (
        "activations were not recorded"
    )


def test_the_view_is_the_document_for_all_that_look_and_none_that_change():
    seen = evidence()

    assert seen.view == seen.document
    assert seen.view is seen.view
    with pytest.raises(TypeError, match="cannot be changed"):
        seen.view["input"] = 1
