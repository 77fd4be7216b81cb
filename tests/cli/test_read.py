from __future__ import annotations


def test_a_case_is_shown_with_its_timeline_and_findings(flowjury):
    flowjury.suite("fails")
    flowjury("run")
    printed = flowjury("show", "fails")
    lines = printed.out.splitlines()

    assert printed.code == 0
    assert lines[0].startswith("fails: failed  (run ")
    assert lines[1] == "the workflow ended with finished"
    assert [line.split("ms")[2].split() for line in lines[2:4]] == [
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

    assert (there.code, there.out) == (0, '"A-1 costs 80"\n')
    assert node == there
    assert (missing.code, missing.out) == (
        1,
        "/output resolves, 'txt' is not a key there; nearest is 'text'\n",
    )
