from __future__ import annotations


def test_a_graph_is_shown_as_text(flowjury):
    flowjury.suite("passes")

    assert flowjury("graph", "show", "flow.yaml").out == (
        "workflow shop: 2 nodes, 1 edge\nlook_up  (entry, boundary)\n  -> answer\nanswer  (exit)\n"
    )


def test_lint_counts_what_it_looked_at(flowjury):
    flowjury.suite("passes", "fails")
    good = flowjury("suite", "lint")
    flowjury.write("bad.suite.yaml", "format: 1\nnmae: x\n")
    bad = flowjury("suite", "lint")

    assert (good.code, good.out) == (0, "1 suite, 2 cases: no faults\n")
    assert bad.code == 2
    assert "nearest is 'name'" in bad.err


def test_runs_are_listed(flowjury):
    empty = flowjury("runs", "list")
    flowjury.suite("passes")
    flowjury("run")
    [line] = flowjury("runs", "list").out.splitlines()

    assert empty.out == "no run is stored here; run a suite first: flowjury run SUITE\n"
    assert line.split()[1:] == ["shop", "replay", "1", "trial"]
