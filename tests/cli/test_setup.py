from __future__ import annotations


def test_init_writes_what_runs(flowjury):
    started = flowjury("init", "x")
    ran = flowjury("run", "x/support.suite.yaml")
    again = flowjury("init", "x")

    assert started.code == 0
    assert started.out.splitlines()[-1] == "next: flowjury run x/support.suite.yaml"
    assert (ran.code, "2 passed" in ran.out) == (3, True)
    assert again.code == 2
    assert "is there already; name another folder" in again.err


def test_schema_lists_the_names_it_knows(flowjury):
    names = flowjury("schema").out.split()

    assert {"suite", "workflow", "report", "judgement"} <= set(names)
    assert all(flowjury("schema", name).json["$schema"] for name in names)
