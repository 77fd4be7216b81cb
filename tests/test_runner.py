import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowjury import Outcome, span
from flowjury.case import Fixture, Resume
from flowjury.graphs.native import load
from flowjury.job import Job, Observed, Turn
from flowjury.targets._graph import PreparedGraph
from flowjury.trace import Execution, Trace


def observe(
    files: str | Mapping[str, str],
    functions: Mapping[str, Callable[[Any], Any]] | None = None,
    *turns: Any,
    **details: Any,
) -> Observed:
    """Run a workflow; a turn is an input, or what is done at a wait. Functions stand by node."""
    texts = {"main.yaml": files} if isinstance(files, str) else files
    flows = load("main.yaml", lambda name: dedent(texts[name]).encode())
    used = {
        (file, name): (functions or {}).get(name, lambda _, name=name: name)
        for file, flow in flows.files.items()
        for name, node in flow.nodes.items()
        if node.use
    }
    given: list[Turn] = []
    for number, turn in enumerate(turns or (None,)):
        step = f"t{number}" if len(turns) > 1 else None
        resume = turn if isinstance(turn, Resume) else None
        given.append(Turn(id=step, input=None if resume else turn, resume=resume))
    job = {"data": "live", "fixtures": {}, "timeout": 10, **details}
    return PreparedGraph(flows, used).observe(
        Job(case="c", trial=1, turns=tuple(given), ignore={}, mask=(), **job)
    )


def trace(*args: Any, **details: Any) -> Trace:
    observed = observe(*args, **details)
    assert observed.fault is None
    assert observed.trace is not None
    return observed.trace


def ran(trace: Trace) -> list[str]:
    return [execution.node for execution in trace.executions or ()]


def of(trace: Trace, node: str) -> list[Execution]:
    return [execution for execution in trace.executions or () if execution.node == node]


def line(*nodes: str) -> str:
    """Write the edges of a line of nodes."""
    pairs = pairwise(nodes)
    return "[" + ", ".join(f"{{from: {one}, to: {other}}}" for one, other in pairs) + "]"


def flow(nodes: str, edges: str, **fields: str) -> str:
    more = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"format: 1\nname: w\n{more}nodes: {nodes}\nedges: {edges}\n"


F = '{use: "m:f"}'
JOIN = '{use: "m:f", join: true}'
DIAMOND = flow(
    f"{{a: {F}, b: {F}, c: {F}, d: {JOIN}}}",
    "[{from: a, to: b}, {from: a, to: c}, {from: b, to: d}, {from: c, to: d}]",
)


# What a node is given, and what becomes of its answer.


def test_a_node_is_given_the_whole_context_and_its_answer_is_kept_under_its_name():
    seen = trace(
        flow(f"{{a: {F}, b: {F}}}", line("a", "b")),
        {"a": lambda context: [context["input"]], "b": lambda context: context},
        {"x": 1},
    )

    assert seen.output == {"input": {"x": 1}, "a": [{"x": 1}]}
    assert [execution.input for execution in seen.executions or ()] == [
        {"input": {"x": 1}},
        {"input": {"x": 1}, "a": [{"x": 1}]},
    ]


def test_a_node_with_input_is_given_exactly_that_without_what_did_not_run():
    nodes = '{a: {use: "m:f", input: {x: /input/x, all: "", later: /b}}, b: {use: "m:f"}}'
    seen = trace(flow(nodes, line("a", "b")), {"a": lambda given: given}, {"x": 1, "y": 2})

    assert of(seen, "a")[0].input == {"x": 1, "all": {"input": {"x": 1, "y": 2}}}


def test_what_a_node_does_to_its_input_changes_nothing_but_its_copy():
    def greedy(context: dict[str, Any]) -> None:
        context["input"].clear()

    seen = trace(flow(f"{{a: {F}, b: {F}}}", line("a", "b")), {"a": greedy}, {"x": 1})

    assert of(seen, "b")[0].input == {"input": {"x": 1}, "a": None}


def test_a_value_that_is_not_there_is_an_error_of_the_node_that_asks_for_it():
    seen = trace(flow('{a: {use: "m:f", input: {x: /input/amont}}}', "[]"), {}, {"amount": 1})

    message = (
        "input 'x' of 'a' is /input/amont, and /input resolves, 'amont' is not a key there;"
        " nearest is 'amount'"
    )
    assert (seen.status, seen.error and seen.error.message) == ("error", message)
    assert [(e.node, e.status) for e in seen.executions or ()] == [("a", "error")]


def test_what_is_no_json_cannot_be_asked_for():
    nodes = f'{{a: {F}, b: {{use: "m:f", input: {{x: /a}}}}}}'
    seen = trace(flow(nodes, line("a", "b")), {"a": lambda _: {"now": object}})

    assert seen.error is not None
    assert seen.error.message == "input 'x' of 'b' is /a, which holds what is no JSON value"


def test_the_output_stands_where_the_workflow_says():
    seen = trace(
        flow(f"{{a: {F}, b: {F}}}", line("a", "b"), output="/a/x"), {"a": lambda _: {"x": [1]}}
    )

    assert seen.output == [1]


def test_an_output_that_is_not_there_is_an_error_of_the_workflow():
    seen = trace(flow(f"{{a: {F}}}", "[]", output="/a/x"), {"a": lambda _: {}})

    assert seen.error is not None
    assert (seen.error.type, seen.error.message) == (
        "WorkflowError",
        "output of 'w' is /a/x, and /a resolves, 'x' is not a key there",
    )


# Ways on.

CHOICE = flow(
    f"{{a: {F}, b: {F}, c: {F}, d: {F}}}",
    "[{from: a, to: b, outcome: x}, {from: a, to: c, outcome: error},"
    " {from: a, to: d, when: {at: /a/n, op: gt, value: 1}}]",
)


@pytest.mark.parametrize(
    ("answer", "way"),
    [
        (Outcome("x", {"n": 2}), "b"),
        (Outcome("error"), "c"),
        (Outcome("y", {"n": 2}), "d"),
        ({"n": 2}, "d"),
    ],
)
def test_a_way_is_chosen_by_outcome_else_by_a_condition(answer: Any, way: str):
    seen = trace(CHOICE, {"a": lambda _: answer})

    assert ran(seen) == ["a", way]
    assert of(seen, "a")[0].outcome == getattr(answer, "name", None)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            Outcome("y", {"n": 1}),
            (
                "node 'a' ended with outcome 'y', and no edge is taken then"
                " (known outcomes: x, error; no condition held)"
            ),
        ),
        (
            {},
            (
                "node 'a' ended without an outcome, and no edge is taken then"
                " (known outcomes: x, error; no condition held)"
            ),
        ),
    ],
)
def test_a_run_fails_where_ways_lead_on_and_none_is_taken(answer: Any, message: str):
    seen = trace(CHOICE, {"a": lambda _: answer})

    assert seen.error is not None
    assert (seen.status, seen.error.type, seen.error.message) == ("error", "WorkflowError", message)
    assert of(seen, "a")[0].status == "ok"


def test_an_error_takes_the_error_edge_and_the_next_node_sees_it():
    def broken(_: object) -> None:
        raise KeyError("order")

    seen = trace(CHOICE, {"a": broken, "c": lambda context: context["a"]})

    assert (seen.status, seen.output) == (
        "finished",
        {"error": {"type": "KeyError", "message": "'order'"}},
    )


def test_an_error_without_an_error_edge_ends_the_run():
    def broken(_: object) -> None:
        raise ValueError("no such order")

    seen = trace(flow(f"{{a: {F}, b: {F}}}", line("a", "b")), {"a": broken})

    assert seen.error is not None
    assert (seen.status, seen.error.type, seen.error.message) == (
        "error",
        "ValueError",
        "no such order",
    )
    assert ran(seen) == ["a"]


@pytest.mark.parametrize(
    ("when", "value", "taken"),
    [
        ("{at: /input/x, op: equals, value: null}", {"x": None}, True),
        ("{at: /input/x, op: not_equals, value: 1}", {}, False),
        ("{at: /input/x, op: absent}", {}, True),
        ("{at: /input/x, op: absent}", {"x": 1}, False),
        ("{at: /input/x, op: equals, value: A, ignore_case: true}", {"x": "a"}, True),
        ("{at: /input/x, op: exists}", {"x": float("nan")}, False),
    ],
)
def test_a_condition_on_what_is_not_there_holds_only_for_absent(
    when: str, value: Any, *, taken: bool
):
    edges = f"[{{from: a, to: b, when: {when}}}, {{from: a, to: c}}]"
    seen = trace(flow(f"{{a: {F}, b: {F}, c: {F}}}", edges), {}, value)

    assert ran(seen) == ["a", "b" if taken else "c"]


def test_a_loop_makes_a_visit_each_time_round():
    def count(context: dict[str, Any]) -> Outcome:
        n = context.get("a", 0) + 1
        return Outcome("done" if n == 3 else "again", n)

    edges = "[{from: a, to: a, outcome: again}, {from: a, to: b, outcome: done}]"
    seen = trace(flow(f"{{a: {F}, b: {F}}}", edges, entry="a"), {"a": count})

    assert [execution.output for execution in of(seen, "a")] == [1, 2, 3]
    assert len({execution.visit for execution in of(seen, "a")}) == 3


def test_the_visit_limit_ends_what_never_ends_and_keeps_what_was_recorded():
    observed = observe(flow(f"{{a: {F}}}", "[{from: a, to: a}]", entry="a", visit_limit="3"))

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.message) == (
        "limit",
        (
            "node 'a' was to be visited 4 times: visit_limit of main.yaml is 3;"
            " raise it, or let the loop end"
        ),
    )
    assert observed.trace is not None
    assert ran(observed.trace) == ["a", "a", "a"]


# Forks, joins and maps.


def test_branches_run_at_the_same_time_and_a_join_waits_for_all_of_them():
    meet = threading.Barrier(2, timeout=5)
    seen = trace(DIAMOND, {"b": lambda _: meet.wait() and None, "c": lambda _: meet.wait() and 0})

    assert [(e.node, e.index) for e in seen.executions or ()] == [
        ("a", ()),
        ("b", (0,)),
        ("c", (1,)),
        ("d", ()),
    ]
    assert sorted(of(seen, "d")[0].input) == ["a", "b", "c", "input"]


def test_async_branches_run_at_the_same_time():
    met = asyncio.Event()

    async def wait(_: object) -> bool:
        return await asyncio.wait_for(met.wait(), 5)

    async def go(_: object) -> None:
        met.set()

    assert of(trace(DIAMOND, {"b": wait, "c": go}), "b")[0].output is True


def test_a_branch_may_end_without_reaching_the_join():
    edges = (
        "[{from: a, to: b}, {from: a, to: c}, {from: b, to: d},"
        " {from: c, to: d, outcome: go}, {from: c, to: e}]"
    )
    slow = threading.Event()
    seen = trace(
        flow(f"{{a: {F}, b: {F}, c: {F}, d: {JOIN}, e: {F}}}", edges),
        {"c": lambda _: slow.wait(0.05), "d": sorted},
    )

    assert ran(seen)[-1] == "d"
    assert seen.output == ["a", "b", "c", "e", "input"]
    assert of(seen, "d")[0].index == ()


def test_an_inner_join_does_not_wait_for_an_outer_branch():
    inner = threading.Event()
    edges = (
        "[{from: a, to: b}, {from: a, to: slow}, {from: b, to: x}, {from: b, to: y},"
        " {from: x, to: in}, {from: y, to: in}, {from: in, to: out}, {from: slow, to: out}]"
    )
    nodes = f"{{a: {F}, b: {F}, slow: {F}, x: {F}, y: {F}, in: {JOIN}, out: {JOIN}}}"
    seen = trace(
        flow(nodes, edges),
        {"in": lambda _: inner.set(), "slow": lambda _: inner.wait(5)},
    )

    assert of(seen, "slow")[0].output is True
    assert [(node, of(seen, node)[0].index) for node in ("x", "y", "in", "out")] == [
        ("x", (0, 0)),
        ("y", (0, 1)),
        ("in", (0,)),
        ("out", ()),
    ]


def test_without_a_join_each_branch_goes_on_by_itself():
    diamond = DIAMOND.replace(", join: true", "")
    seen = trace(diamond, {"d": sorted})

    assert sorted(execution.index for execution in of(seen, "d")) == [(0,), (1,)]


def test_what_runs_inside_a_node_of_a_branch_is_recorded_inside_it():
    def work(_: object) -> None:
        with span("inner", input=1) as inner:
            inner.finish(2)

    seen = trace(DIAMOND, {"b": work})
    [inner] = of(seen, "inner")

    assert (inner.parent, inner.caller, inner.index) == (of(seen, "b")[0].id, "b", (0,))


def test_joins_in_a_circle_do_not_wait_for_one_another():
    edges = (
        "[{from: a, to: x}, {from: a, to: y}, {from: x, to: y, outcome: on},"
        " {from: y, to: x, outcome: on}, {from: x, to: z}, {from: y, to: z}]"
    )
    seen = trace(flow(f"{{a: {F}, x: {JOIN}, y: {JOIN}, z: {JOIN}}}", edges))

    assert ran(seen) == ["a", "x", "y", "z"]


def test_branches_that_end_apart_answer_together():
    edges = "[{from: a, to: b}, {from: a, to: c}]"

    assert trace(flow(f"{{a: {F}, b: {F}, c: {F}}}", edges)).output == {"b": "b", "c": "c"}


def test_an_error_in_a_branch_ends_the_run_once_the_others_have_ended():
    def broken(context: dict[str, Any]) -> None:
        raise ValueError(max(context))

    edges = (
        "[{from: a, to: b}, {from: a, to: c}, {from: c, to: e}, {from: b, to: d}, {from: e, to: d}]"
    )
    nodes = f"{{a: {F}, b: {F}, c: {F}, e: {F}, d: {JOIN}}}"
    seen = trace(flow(nodes, edges), {"b": broken, "e": broken})

    assert sorted(ran(seen)) == ["a", "b", "c", "e"]
    assert (seen.status, seen.complete) == ("error", {"executions": True, "usage": True})
    assert seen.error == of(seen, "b")[0].error


MAP = flow(
    '{each: {use: "m:f", map: /input/items, input: {x: /item, n: /index}}, end: {use: "m:f"}}',
    line("each", "end"),
)


def test_a_map_runs_its_node_once_per_item_at_the_same_time():
    meet = threading.Barrier(3, timeout=5)

    def work(given: dict[str, Any]) -> str:
        meet.wait()
        return given["x"] * given["n"]

    seen = trace(
        MAP, {"each": work, "end": lambda context: context["each"]}, {"items": ["a", "b", "c"]}
    )

    assert seen.output == ["", "b", "cc"]
    assert [(e.index, e.input) for e in of(seen, "each")] == [
        ((0,), {"x": "a", "n": 0}),
        ((1,), {"x": "b", "n": 1}),
        ((2,), {"x": "c", "n": 2}),
    ]
    assert of(seen, "end")[0].index == ()


def test_a_map_over_nothing_answers_with_an_empty_list():
    seen = trace(MAP, {"end": lambda context: context["each"]}, {"items": []})

    assert (ran(seen), seen.output) == (["end"], [])


def test_the_first_error_of_a_map_counts_and_every_item_runs():
    def work(given: dict[str, Any]) -> None:
        raise ValueError(given["n"])

    seen = trace(MAP, {"each": work}, {"items": ["a", "b"]})

    assert len(of(seen, "each")) == 2
    assert seen.error is not None
    assert (seen.error.type, seen.error.message) == ("ValueError", "0")


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ({"items": "ab"}, "map of 'each' is /input/items, which is no array"),
        (
            {},
            "map of 'each' is /input/items, and /input resolves, 'items' is not a key there",
        ),
    ],
)
def test_a_map_needs_an_array(items: Any, message: str):
    seen = trace(MAP, {}, items)

    assert seen.error is not None
    assert (seen.error.type, seen.error.message) == ("WorkflowError", message)


# References.

SUB = {
    "main.yaml": flow(
        f"{{one: {{workflow: sub.yaml, input: {{x: /input}}}}, two: {{workflow: sub.yaml}},"
        f" bad: {F}}}",
        "[{from: one, to: two, outcome: fine}, {from: one, to: bad, outcome: error}]",
    ),
    "sub.yaml": flow(f"{{in: {F}, out: {F}}}", line("in", "out")),
}


def test_the_nodes_behind_a_reference_run_inside_its_execution():
    seen = trace(SUB, {"out": lambda context: Outcome("fine", context)}, 7)

    [one, first, second, two, *rest] = seen.executions or ()
    assert [one.node, first.node, second.node, two.node] == ["one", "one:in", "one:out", "two"]
    assert [(e.node, e.parent, e.caller) for e in rest] == [
        ("two:in", two.id, "two"),
        ("two:out", two.id, "two"),
    ]
    assert [first.parent, first.caller, second.parent] == [one.id, "one", one.id]
    assert (one.input, one.output, one.outcome) == (
        {"x": 7},
        {"input": {"x": 7}, "in": "in"},
        "fine",
    )


def test_an_error_behind_a_reference_takes_the_error_edge_of_the_reference():
    def broken(_: object) -> None:
        raise ValueError("no")

    seen = trace(SUB, {"in": broken})

    assert [(e.node, e.status) for e in seen.executions or ()] == [
        ("one", "error"),
        ("one:in", "error"),
        ("bad", "ok"),
    ]


LOOP = {
    "main.yaml": flow("{call: {workflow: loop.yaml, input: {n: /input}}}", "[]"),
    "loop.yaml": flow(
        '{look: {use: "m:f"}, again: {workflow: loop.yaml, input: {n: /look}}, stop: {use: "m:f"}}',
        "[{from: look, to: again, when: {at: /look, op: gt, value: 0}}, {from: look, to: stop}]",
    ),
}


def test_recursion_keeps_its_static_names_and_says_who_called():
    seen = trace(LOOP, {"look": lambda context: context["input"]["n"] - 1}, 2)

    assert [(e.node, e.caller) for e in seen.executions or ()] == [
        ("call", None),
        ("call:look", "call"),
        ("call:again", "call"),
        ("call:look", "call:again"),
        ("call:stop", "call:again"),
    ]


def test_recursion_without_end_is_ended():
    observed = observe(LOOP, {"look": lambda _: 1}, 1)

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.message) == (
        "limit",
        "node 'call:look' runs inside more than 50 references",
    )


# Waits.


def approve(wait: str = "w", content: Any = None) -> Resume:
    return Resume(wait=wait, action="approve", content=content)


WAIT = flow(
    '{a: {use: "m:f"}, hold: {wait: w, ask: /a}, b: {use: "m:f"}, c: {use: "m:f"}}',
    "[{from: a, to: hold}, {from: hold, to: b, outcome: approve}, {from: hold, to: c}]",
)


def test_a_run_is_suspended_at_a_wait_and_goes_on_with_what_is_done_there():
    seen = trace(WAIT, {"b": lambda context: context["hold"]}, None, approve(content=[1]))
    [first, second] = [step.trace for step in seen.steps or ()]
    [held], [resumed] = of(first, "hold"), of(second, "hold")

    assert (first.status, first.wait, first.recorded("output")) == ("wait", "w", False)
    assert (held.status, held.input, held.attempt, held.outcome) == ("interrupted", "a", 1, None)
    assert (resumed.status, resumed.input, resumed.attempt, resumed.outcome) == (
        "ok",
        "a",
        2,
        "approve",
    )
    assert held.visit == resumed.visit
    assert (ran(second), second.output) == (["hold", "b"], {"action": "approve", "content": [1]})
    assert first.complete == second.complete == {"executions": True, "usage": True}


def test_another_action_takes_the_other_way():
    seen = trace(WAIT, {}, None, Resume(wait="w", action="timeout"))

    assert seen.output == "c"


def test_a_wait_that_is_not_pending_is_a_fault_that_names_those_that_are():
    observed = observe(WAIT, {}, None, approve("v"), approve("w"))

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.step, observed.fault.message) == (
        "target",
        "t1",
        "no wait named 'v' is pending (pending: w)",
    )
    assert observed.trace is not None
    assert [step.id for step in observed.trace.steps or ()] == ["t0", "t1"]


def test_nothing_is_pending_before_the_first_run_or_after_the_last():
    first = observe(WAIT, {}, approve())
    last = observe(WAIT, {}, None, approve(), approve())

    assert [each.fault and (each.fault.kind, each.fault.message) for each in (first, last)] == [
        ("not-waiting", "the run does not wait (it never began)"),
        ("not-waiting", "the run does not wait (it ended with finished)"),
    ]


def test_an_input_gives_up_the_run_that_waits_and_begins_another():
    seen = trace(WAIT, {"a": lambda context: context["input"]}, 1, 2, approve())

    assert [
        execution.input for step in seen.steps or () for execution in of(step.trace, "hold")
    ] == [
        1,
        2,
        2,
    ]


DEEP = {
    "main.yaml": flow(
        '{each: {workflow: sub.yaml, map: /input, input: {x: /item}}, end: {use: "m:f"}}',
        line("each", "end"),
    ),
    "sub.yaml": flow(
        f"{{a: {F}, quick: {F}, hold: {{wait: w, ask: /input/x}}, b: {JOIN}}}",
        "[{from: a, to: quick}, {from: a, to: hold}, {from: quick, to: b}, {from: hold, to: b}]",
    ),
}


def test_waits_in_forks_maps_and_references_are_resumed_in_the_order_of_their_index():
    functions = {
        "b": lambda context: [context["input"]["x"], context["hold"]["content"]],
        "end": lambda context: context["each"],
    }
    seen = trace(DEEP, functions, ["x", "y"], approve(content=1), approve(content=2))
    [first, second, third] = [step.trace for step in seen.steps or ()]

    assert (first.status, second.status, third.status) == ("wait", "wait", "finished")
    assert third.output == [["x", 1], ["y", 2]]
    assert [(e.node, e.index, e.attempt, e.status) for e in second.executions or ()] == [
        ("each", (0,), 2, "ok"),
        ("each:hold", (0, 1), 2, "ok"),
        ("each:b", (0,), 1, "ok"),
    ]
    assert [(e.node, e.index, e.attempt, e.status) for e in third.executions or ()] == [
        ("each", (1,), 2, "ok"),
        ("each:hold", (1, 1), 2, "ok"),
        ("each:b", (1,), 1, "ok"),
        ("end", (), 1, "ok"),
    ]


def test_a_run_that_failed_in_one_branch_does_not_wait_in_another():
    def broken(_: object) -> None:
        raise ValueError("no")

    seen = trace(DEEP, {"quick": broken}, ["x"])

    assert seen.error is not None
    assert (seen.status, seen.error.message) == ("error", "no")
    assert [(e.node, e.status) for e in seen.executions or ()] == [
        ("each", "error"),
        ("each:a", "ok"),
        ("each:hold", "interrupted"),
        ("each:quick", "error"),
    ]


def test_a_reference_that_waits_is_given_up_with_the_branch_that_failed():
    files = {
        "main.yaml": flow(
            '{a: {use: "m:f"}, bad: {use: "m:f"}, ref: {workflow: sub.yaml}}',
            "[{from: a, to: bad}, {from: a, to: ref}]",
        ),
        "sub.yaml": flow("{hold: {wait: w}}", "[]"),
    }

    def broken(_: object) -> None:
        raise ValueError("no")

    seen = trace(files, {"bad": broken})

    assert [(e.node, e.status) for e in seen.executions or ()] == [
        ("a", "ok"),
        ("ref", "cancelled"),
        ("ref:hold", "interrupted"),
        ("bad", "error"),
    ]


# Boundaries.


def test_a_boundary_node_is_answered_by_its_fixture_with_outcome_and_spending():
    nodes = f'{{a: {{use: "m:f", boundary: true}}, b: {F}, c: {F}}}'
    edges = "[{from: a, to: b, outcome: x}, {from: a, to: c, outcome: y}]"
    fixture = Fixture(output=[1], outcome="y", usage={"ai_units": 2})
    observed = observe(flow(nodes, edges), {}, data="replay", fixtures={"a": (fixture,)})

    assert observed.replayed
    assert observed.trace is not None
    [a] = of(observed.trace, "a")
    assert (a.output, a.outcome, a.usage, a.replayed) == ([1], "y", {"ai_units": 2}, True)
    assert ran(observed.trace) == ["a", "c"]


def test_a_missing_fixture_is_a_fault_and_takes_no_error_edge():
    nodes = f'{{a: {{use: "m:f", boundary: true}}, b: {F}}}'
    observed = observe(flow(nodes, "[{from: a, to: b, outcome: error}]"), {}, data="replay")

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.node) == ("fixture-miss", "a")
    assert observed.trace is not None
    assert ran(observed.trace) == ["a"]


def test_a_boundary_node_in_a_branch_is_answered_like_any_other():
    diamond = DIAMOND.replace(f"b: {F}, c: {F}", 'b: {use: "m:f"}, c: {use: "m:f", boundary: true}')
    observed = observe(diamond, {}, data="replay", fixtures={"c": (Fixture(output=5),)})

    assert observed.fault is None
    assert observed.trace is not None
    assert of(observed.trace, "c")[0].output == 5


# Time, and what users' code does besides.


def test_an_async_node_is_cancelled_when_the_time_is_over():
    async def forever(_: object) -> None:
        await asyncio.sleep(60)

    observed = observe(flow(f"{{a: {F}, b: {F}}}", line("a", "b")), {"b": forever}, timeout=0.05)

    assert observed.fault is not None
    assert observed.fault.kind == "timeout"
    assert observed.trace is not None
    assert [(e.node, e.status) for e in observed.trace.executions or ()] == [
        ("a", "ok"),
        ("b", "cancelled"),
    ]


def test_what_a_node_awaits_may_be_cancelled_without_the_node():
    async def node(_: object) -> None:
        inner = asyncio.get_running_loop().create_future()
        inner.cancel()
        await inner

    seen = trace(flow(f"{{a: {F}}}", "[]"), {"a": node})

    assert seen.error is not None
    assert (seen.status, seen.error.type) == ("error", "CancelledError")


def test_a_node_that_leaves_the_process_crashes_the_case():
    def leave(_: object) -> None:
        raise SystemExit(3)

    observed = observe(flow(f"{{a: {F}, b: {F}}}", line("a", "b")), {"a": leave})

    assert observed.fault is not None
    assert observed.fault.kind == "crash"


def test_a_node_that_raises_what_is_no_exception_takes_the_edge_of_its_error():
    def stop(_: object) -> None:
        raise GeneratorExit("enough")

    seen = trace(CHOICE, {"a": stop, "c": lambda context: context["a"]})

    assert (seen.status, seen.output) == (
        "finished",
        {"error": {"type": "GeneratorExit", "message": "enough"}},
    )


def test_a_plain_function_may_return_something_to_await():
    async def later() -> int:
        return 4

    assert trace(flow(f"{{a: {F}}}", "[]"), {"a": lambda _: later()}).output == 4


# Laws.


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """Draw a graph without loops in which every node can be reached from the first."""
    size = draw(st.integers(2, 8))
    edges = {(draw(st.integers(0, to - 1)), to) for to in range(1, size)}
    more = st.tuples(st.integers(0, size - 2), st.integers(1, size - 1)).filter(
        lambda pair: pair[0] < pair[1]
    )
    return size, sorted(edges | set(draw(st.lists(more, max_size=8))))


def written(size: int, edges: Sequence[tuple[int, int]], held: Sequence[int] = ()) -> str:
    into = Counter(to for _, to in edges)
    nodes = []
    for number in range(size):
        work = f"wait: w{number}" if number in held else 'use: "m:f"'
        join = ", join: true" if into[number] > 1 else ""
        nodes.append(f"n{number}: {{{work}{join}}}")
    listed = ", ".join(f"{{from: n{one}, to: n{to}}}" for one, to in edges)
    return flow("{" + ", ".join(nodes) + "}", f"[{listed}]")


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_every_node_of_a_graph_of_forks_and_joins_runs_exactly_once_after_those_before_it(
    graph: tuple[int, list[tuple[int, int]]],
):
    size, edges = graph
    seen = trace(written(size, edges))
    inputs = {e.node: set(e.input) for e in seen.executions or ()}

    assert Counter(ran(seen)) == {f"n{number}": 1 for number in range(size)}
    assert all(f"n{one}" in inputs[f"n{to}"] for one, to in edges)


@settings(deadline=None, max_examples=40)
@given(graphs(), st.data())
def test_a_run_that_was_suspended_comes_to_the_values_of_one_that_was_not(
    graph: tuple[int, list[tuple[int, int]]], data: st.DataObject
):
    size, edges = graph
    held = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=3))

    def held_answer(_: object) -> dict[str, Any]:
        return {"action": "approve", "content": None}

    functions: dict[str, Callable[[Any], Any]] = {
        f"n{number}": held_answer if number in held else lambda _: 1 for number in range(size)
    }
    straight = trace(written(size, edges), functions)
    turns: list[Any] = [None]
    pending = trace(written(size, edges, sorted(held)), functions)
    for _ in held:
        assert pending.status == "wait"
        assert pending.wait is not None
        turns.append(approve(pending.wait))
        pending = trace(written(size, edges, sorted(held)), functions, *turns)

    assert (pending.status, pending.output) == (straight.status, straight.output)
