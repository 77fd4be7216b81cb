from __future__ import annotations

import json
import os

import pytest


def test_a_case_is_shown_with_its_timeline_and_findings(flowjury):
    flowjury.suite("fails")
    flowjury("run")
    printed = flowjury("show", "fails")
    lines = printed.out.splitlines()

    assert printed.code == 0
    assert lines[0].startswith("shop: fails: failed  (run ")
    assert lines[1] == "the workflow ended with finished"
    assert lines[2].split() == ["started", "at", "took", "node"]
    assert [line.split("ms")[2].split() for line in lines[3:5]] == [
        ["look_up", "ok,", "replayed"],
        ["answer", "ok"],
    ]
    assert "FAILED  fails" in printed.out


def test_a_value_is_printed_whole_or_said_to_be_missing(flowjury):
    flowjury.suite("fails")
    flowjury("run")
    there = flowjury("show", "fails", "--at", "/output/text")
    node = flowjury("show", "fails", "--node", "answer", "--at", "/0/output/text")
    missing = flowjury("show", "fails", "--at", "/output/txt")
    nobody = flowjury("show", "fails", "--node", "answr")

    assert (there.code, there.out) == (0, '"A-1 costs 80"\n')
    assert node == there
    assert (missing.code, missing.out) == (
        1,
        "/output resolves, 'txt' is not a key there; nearest is 'text'\n",
    )
    assert (nobody.code, nobody.out) == (
        1,
        "no node 'answr' ran in this case; nearest is 'answer' (ran: answer, look_up)\n",
    )


def test_what_judges_answered_is_shown_of_a_case_that_passed(flowjury):
    flowjury.suite("asks")
    flowjury("run")
    [one] = flowjury("pending", "--json").json["open"]
    quote = {"pointer": "/output/text", "text": "costs 80"}
    answer = {
        "format": 1,
        "request": one["request"]["digest"],
        "judge": {"name": "ann"},
        "criteria": [{"id": "clear", "verdict": "met", "reason": "short", "quotes": [quote]}],
        "created": "2026-01-01T00:00:00Z",
    }
    flowjury.write("a.json", json.dumps(answer))
    flowjury("attach", "a.json")

    assert flowjury("show", "asks").out.splitlines()[-6:] == [
        "PASSED  asks  1/1",
        "  answer of ann",
        "      created 2026-01-01T00:00:00Z",
        "    ✓ criterion clear  met: short",
        "      quote  costs 80",
        "          at /output/text",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is locked to this user")
def test_a_store_that_can_only_be_read_serves_those_who_read(flowjury):
    flowjury.suite("passes", "asks")
    flowjury("run")
    folder = flowjury.root / ".flowjury"
    folder.chmod(0o500)
    said = "flowjury: the store cannot be written to: the files in .flowjury stay as they are\n"
    printed = [
        flowjury(*command)
        for command in (["show", "passes"], ["runs", "list"], ["report"], ["pending", "--json"])
    ]
    refused = flowjury("refresh")
    folder.chmod(0o700)

    assert [(one.code, one.err) for one in printed] == [(0, ""), (0, ""), (0, said), (3, said)]
    assert all(one.out for one in printed)
    assert refused.code == 4
