"""The laws of all kinds of check, whatever the run and whatever they assert."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

GRAPH = "a -> b, a -x-> c, b -> c, c -> a, c -y-> d"
NODES = st.sampled_from(["a", "b", "c", "d", "z"])
TOOLS = st.sampled_from(["find", "send", "zend"])
SOME_NODES = st.lists(NODES, min_size=1, max_size=3)
SMALL = st.integers(0, 3)
OUTCOMES = st.sampled_from(["x", "y", "error"])
VALUES = st.sampled_from([0, 1, 2])
OPERATIONS = st.one_of(
    st.tuples(st.sampled_from(["equals", "not_equals", "gt", "lte"]), VALUES).map(
        lambda pair: {"op": pair[0], "value": pair[1]}
    ),
    st.sampled_from([{"op": "exists"}, {"op": "absent"}, {"op": "type", "value": "array"}]),
    st.tuples(st.sampled_from(["max_length", "length"]), SMALL).map(
        lambda pair: {"op": pair[0], "value": pair[1]}
    ),
    SMALL.map(lambda length: {"op": "min_length", "value": length + 1}),
    st.sampled_from(
        [{"op": op, "value": {"status": "error"}} for op in ("contains", "not_contains", "matches")]
    ),
)
POINTERS = st.sampled_from(
    [
        "",
        "/status",
        "/output",
        "/executions",
        "/executions/0/status",
        "/nodes/a",
        "/nodes/z",
        "/nodes/a/0",
        "/nodes/a/0/output",
        "/nodes/a/0/otput",
        "/nodes/a/1/attempts/1/status",
        "/nodes/a/0/usage/tokens",
        "/tools",
        "/tools/1",
        "/tools/0/status",
        "/usage",
        "/usage/tokens",
        "/wait",
        "/messages",
    ]
)


def _kind(name, **fields):
    return st.fixed_dictionaries({"kind": st.just(name), **fields})


def _bounds():
    return st.one_of(
        SMALL.map(lambda n: {"exactly": n}),
        st.integers(1, 3).map(lambda n: {"min": n}),
        SMALL.map(lambda n: {"max": n}),
    )


EDGES = st.tuples(NODES, NODES).map(" -> ".join)
PATHS = st.one_of(
    _kind("path", must=SOME_NODES),
    _kind("path", must_not=SOME_NODES),
    _kind("path", order=st.lists(NODES, min_size=2, max_size=3)),
    _kind("path", exactly=st.lists(NODES, max_size=4)),
    _kind("path", must=SOME_NODES, others=st.just("forbidden")),
    _kind("path", edges=st.fixed_dictionaries({"must": st.lists(EDGES, min_size=1, max_size=2)})),
    _kind("path", edges=st.fixed_dictionaries({"must_not": st.lists(EDGES, min_size=1)})),
    _kind(
        "path",
        outcomes=st.fixed_dictionaries(
            {"must": st.dictionaries(NODES, OUTCOMES, min_size=1, max_size=2)}
        ),
    ),
)
PATHNAMES = st.sampled_from(["a", "b", "out/a", "otu/a", "out"])
GLOBS = st.sampled_from(["a", "out/*", "**", "otu/*"])
WORKSPACES = {
    "files": st.dictionaries(PATHNAMES, st.sampled_from(["", "{", '{"n": 1}']), max_size=3),
    "effects": st.fixed_dictionaries(
        {},
        optional={
            "writes": st.lists(PATHNAMES, max_size=2),
            "deletes": st.lists(PATHNAMES, max_size=2),
            "network": st.sampled_from([[], ["a:1"]]),
        },
    ),
    "exit_code": SMALL,
}
VISITS = st.one_of(st.sampled_from(["first", "last", "all", "any"]), st.integers(1, 3))
LEAVES = st.one_of(
    PATHS,
    st.tuples(
        _kind(
            "node",
            node=NODES,
            side=st.sampled_from(["input", "output"]),
            visit=VISITS,
        ),
        OPERATIONS,
    ).map(lambda pair: pair[0] | pair[1]),
    st.tuples(
        _kind("count", node=NODES, of=st.sampled_from(["visits", "attempts"])), _bounds()
    ).map(lambda pair: pair[0] | pair[1]),
    _kind("budget", unit=st.sampled_from(["tokens", "seconds", "other"]), max=SMALL),
    _kind("budget", unit=st.just("tokens"), max=SMALL, node=NODES),
    st.tuples(_kind("value", at=POINTERS), OPERATIONS).map(lambda pair: pair[0] | pair[1]),
    _kind("tools", called=st.lists(TOOLS, min_size=1, max_size=2)),
    _kind("tools", not_called=st.lists(TOOLS, min_size=1, max_size=2)),
    _kind("tools", order=st.lists(TOOLS, min_size=2, max_size=3)),
    _kind("tools", times=st.dictionaries(TOOLS, _bounds(), min_size=1, max_size=2)),
    _kind("tools", status=st.dictionaries(TOOLS, st.just("ok"), min_size=1, max_size=2)),
    _kind(
        "tools",
        arguments=st.dictionaries(
            TOOLS,
            st.fixed_dictionaries({"matches": VALUES, "calls": st.sampled_from(["every", "any"])}),
            min_size=1,
            max_size=1,
        ),
    ),
    st.tuples(
        _kind("wait", wait=NODES),
        st.one_of(
            _bounds().map(lambda bounds: {"suspensions": bounds}),
            _bounds().map(lambda bounds: {"resumptions": bounds}),
            _bounds().map(lambda bounds: {"retries": bounds}),
            st.booleans().map(lambda yes: {"pending": yes}),
            st.booleans().map(lambda yes: {"exhausted": yes}),
            st.lists(st.just("approve"), max_size=2).map(lambda done: {"actions": done}),
        ),
    ).map(lambda pair: pair[0] | pair[1]),
    _kind(
        "schema", at=POINTERS, schema=st.sampled_from([False, {"maxItems": 1}, {"type": "array"}])
    ),
    _kind("evaluator", use=st.just("a:b")),
    _kind("exit", code=SMALL),
    _kind("files", exist=st.lists(PATHNAMES, min_size=1, max_size=2)),
    _kind("files", absent=st.lists(PATHNAMES, min_size=1, max_size=2)),
    _kind("files", valid=st.lists(PATHNAMES, min_size=1, max_size=2)),
    st.tuples(PATHNAMES, OPERATIONS).map(
        lambda pair: {"kind": "files", "match": [{"file": pair[0], "at": "/n", **pair[1]}]}
    ),
    _kind("effects", writes_within=st.lists(GLOBS, max_size=2)),
    _kind("effects", deletes_within=st.lists(GLOBS, max_size=2)),
    _kind("effects", network=st.just("none")),
)
CHECKS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        _kind("all", checks=st.lists(inner, min_size=1, max_size=3)),
        _kind("any", checks=st.lists(inner, min_size=1, max_size=3)),
        _kind("not", check=inner),
    ),
    max_leaves=4,
)


@st.composite
def visits(draw):
    """Make the tries of one visit: only the last one can be good."""
    node = draw(st.sampled_from(["a", "b", "c", "d"]))
    bad = st.sampled_from(["error", "interrupted"])
    statuses = [*draw(st.lists(bad, max_size=2)), draw(st.sampled_from(["ok", "ok", "error"]))]
    return [{"node": node, "status": status, **draw(_sides(status))} for status in statuses]


def _sides(status):
    optional = {"input": VALUES}
    if status == "ok":
        optional |= {"output": VALUES, "outcome": st.sampled_from(["x", "y"])}
    if status == "interrupted":
        optional |= {"outcome": st.just("approve")}
    return st.fixed_dictionaries(
        {}, optional=optional | {"usage": st.fixed_dictionaries({"tokens": SMALL})}
    )


CALLS = st.fixed_dictionaries(
    {"name": st.sampled_from(["find", "send"]), "status": st.sampled_from(["ok", "error"])},
    optional={"arguments": VALUES},
)


@st.composite
def runs(draw):
    """Make a run: its tries with the visit of each, in time, and its other fields."""
    arrived = draw(st.lists(visits(), max_size=5))
    tries = []
    now = 0
    for number, visit in enumerate(arrived):
        now += draw(st.sampled_from([0, 10]))
        start = now
        for attempt, each in enumerate(visit):
            end = start + draw(st.sampled_from([0, 4, 15]))
            timed = {"start_ns": start, "end_ns": end, "attempt": attempt + 1}
            tries.append({**each, **timed, "visit": f"v{number}", "id": f"e{len(tries)}"})
            start = end
    status = draw(st.sampled_from(["finished", "wait"]))
    fields = {"status": status, "tools": draw(st.lists(CALLS, max_size=3))}
    return tries, fields | draw(
        st.fixed_dictionaries({}, optional={"output": VALUES, **WORKSPACES})
    )


@pytest.fixture(scope="session")
def verdict(lab):
    def verdict(check, seen):
        return str(lab.weigh(check, seen, lab.names(GRAPH, tools=("find", "send"))).verdict)

    return verdict


@given(CHECKS, runs())
@settings(max_examples=150, deadline=None)
def test_a_check_and_its_denial_never_both_pass(lab, verdict, check, made):
    tries, fields = made
    seen = lab.run(tries, **fields)
    pair = {verdict(check, seen), verdict({"kind": "not", "check": check}, seen)}

    assert pair in ({"passed", "failed"}, {"unknown"}, {"unknown", "failed"}, {"error"})


@given(CHECKS, CHECKS, runs())
@settings(max_examples=150, deadline=None)
def test_a_denied_all_is_any_of_the_denials(lab, verdict, one, other, made):
    tries, fields = made
    seen = lab.run(tries, **fields)
    denied = {"kind": "not", "check": {"kind": "all", "checks": [one, other]}}
    denials = [{"kind": "not", "check": each} for each in (one, other)]

    assert verdict(denied, seen) == verdict({"kind": "any", "checks": denials}, seen)


@given(CHECKS, runs(), st.sets(st.sampled_from(["executions", "tools", "usage"]), min_size=1))
@settings(max_examples=150, deadline=None)
def test_incompleteness_decides_nothing(lab, verdict, check, made, gaps):
    tries, fields = made
    whole = verdict(check, lab.run(tries, **fields))
    kept = {name: name not in gaps for name in ("executions", "tools", "usage")}

    assert verdict(check, lab.run(tries, **fields, complete=kept)) in {whole, "unknown"}


@given(CHECKS, runs(), st.sampled_from(["executions", "tools", "output"]))
@settings(max_examples=150, deadline=None)
def test_a_channel_that_was_not_recorded_decides_nothing(lab, verdict, check, made, channel):
    tries, fields = made
    if channel == "output":
        fields |= {"status": "finished"}
    whole = verdict(check, lab.run(tries, **fields))
    kept = {name: name != channel for name in ("executions", "tools", "usage")}
    if channel == "executions":
        kept["usage"] = False
    rest = {key: value for key, value in fields.items() if key != channel}
    seen = lab.run(None if channel == "executions" else tries, **rest, complete=kept)

    assert verdict(check, seen) in {whole, "unknown"}


@given(CHECKS, runs(), st.data())
@settings(max_examples=150, deadline=None)
def test_what_was_decided_by_a_part_is_so_for_the_whole(lab, verdict, check, made, data):
    tries, fields = made
    whole = verdict(check, lab.run(tries, **fields))
    last = {each["visit"]: data.draw(st.integers(0, 3)) for each in tries}
    seen = [each for each in tries if each["attempt"] <= last[each["visit"]]]
    calls = [call for call in fields["tools"] if data.draw(st.booleans())]
    part = lab.run(seen, **{**fields, "tools": calls}, complete={})

    assert verdict(check, part) in {whole, "unknown"}
