from collections.abc import Mapping
from textwrap import dedent

import pytest

from flowjury.errors import InputError
from flowjury.graphs.native import Flows, Site, load, read, recognises, to_workflow
from flowjury.workflow import Edge, Node, Workflow


def flows(files: Mapping[str, str], root: str = "workflow.yaml") -> Flows:
    texts = {name: dedent(text).encode() for name, text in files.items()}

    def read(name: str) -> bytes:
        if name not in texts:
            raise FileNotFoundError(name)
        return texts[name]

    return load(root, read)


def workflow(text: str, **more: str) -> Workflow:
    others = {f"{name}.yaml": other for name, other in more.items()}
    return to_workflow(flows({"workflow.yaml": text, **others}))


def refused(text: str, **more: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        workflow(text, **more)
    return [str(fault) for fault in caught.value.faults]


def one_node(fields: str, edges: str = "[]") -> str:
    return f"""\
    format: 1
    name: small
    entry: a
    nodes:
      a: {{use: "m:f"}}
      b: {fields}
    edges: [{{from: a, to: b}}, {{from: a, to: a}}, *more]
    """.replace(", *more", "" if edges == "[]" else f", {edges}")


REFUNDS = """\
format: 1
name: refunds
nodes:
  look_up: {use: "nodes:look_up", boundary: true, kind: tool}
  limit: {use: "nodes:limit", kind: branch, outcomes: [over, under]}
  approval: {wait: approval, ask: /limit}
  auto: {workflow: refund.yaml}
  approved: {workflow: refund.yaml}
  reply: {use: "nodes:reply", boundary: true, writes: true}
  sorry: {use: "nodes:sorry"}
edges:
  - {from: look_up, to: limit}
  - {from: look_up, to: sorry, outcome: error}
  - {from: limit, to: auto, outcome: under}
  - {from: limit, to: approval, outcome: over}
  - {from: approval, to: approved, outcome: approve}
  - {from: approval, to: reply}
  - {from: auto, to: sorry, outcome: error}
  - {from: auto, to: reply}
  - {from: approved, to: reply}
"""
REFUND = """\
format: 1
name: refund
nodes:
  check: {use: "nodes:check"}
  create: {use: "nodes:create", boundary: true}
edges:
  - {from: check, to: create, when: {at: /check/amount, op: gt, value: 0}}
  - {from: check, to: check}
entry: check
"""


def test_nested_nodes_stand_in_the_graph_under_the_name_of_their_caller():
    graph = workflow(REFUNDS, refund=REFUND)

    assert graph.nodes == {
        "look_up": Node(kind="tool", boundary=True),
        "limit": Node(kind="branch", outcomes=("over", "under")),
        "approval": Node(
            kind="wait", waits="approval", outcomes=("approve", "reject", "feedback", "timeout")
        ),
        "auto": Node(kind="workflow", reference="refund"),
        "approved": Node(kind="workflow", reference="refund"),
        "reply": Node(boundary=True, writes=True),
        "sorry": Node(),
        "auto:check": Node(),
        "auto:create": Node(boundary=True),
        "approved:check": Node(),
        "approved:create": Node(boundary=True),
    }
    assert (graph.name, graph.entry, graph.exits) == ("refunds", ("look_up",), ("reply", "sorry"))
    assert graph.tools is None
    assert (graph.nodes_complete, graph.edges_complete, graph.waits_complete) == (True, True, True)


def test_edges_lead_into_a_reference_and_out_of_where_its_run_may_end():
    edges = workflow(REFUNDS, refund=REFUND).edges

    assert [edge for edge in edges if "auto" in edge.source + edge.target] == [
        Edge(source="limit", target="auto", outcome="under"),
        Edge(source="auto", target="auto:check"),
        Edge(source="auto", target="sorry", outcome="error"),
        Edge(source="auto:create", target="reply"),
        Edge(source="auto:check", target="auto:create", condition="/check/amount gt 0"),
        Edge(source="auto:check", target="auto:check", condition="otherwise"),
    ]


def test_an_edge_without_outcome_beside_one_with_is_taken_otherwise():
    edges = workflow(REFUNDS, refund=REFUND).edges_from("approval")

    assert edges == (
        Edge(source="approval", target="approved", outcome="approve"),
        Edge(source="approval", target="reply", condition="otherwise"),
    )


def test_names_do_not_grow_where_a_workflow_refers_to_itself():
    graph = workflow(
        """\
        format: 1
        name: outer
        nodes: {call: {workflow: loop.yaml}}
        """,
        loop="""\
        format: 1
        name: loop
        nodes:
          look: {use: "m:look", outcomes: [deeper, done]}
          again: {workflow: loop.yaml}
          stop: {use: "m:stop"}
        edges:
          - {from: look, to: again, outcome: deeper}
          - {from: look, to: stop, outcome: done}
        """,
    )

    assert list(graph.nodes) == ["call", "call:look", "call:again", "call:stop"]
    assert graph.exits == ("call:stop",)
    assert graph.edges_from("call:again") == (Edge(source="call:again", target="call:look"),)


def test_recursion_over_two_files_leads_back_to_where_each_stood_first():
    ping = {"format": 1, "name": "x", "nodes": {"to": {"workflow": "b.yaml"}}}
    files = {"a.yaml": str(ping), "b.yaml": str(ping).replace("b.yaml", "a.yaml")}
    found = flows(files, "a.yaml")
    root = Site("a.yaml")
    inner = found.inside(root, "to")

    assert inner == Site("b.yaml", "to:", root)
    assert found.inside(inner, "to") == root
    assert list(to_workflow(found).nodes) == ["to", "to:to"]
    assert to_workflow(found).exits == ()


def test_a_map_over_nothing_passes_by_the_workflow_that_it_maps():
    graph = workflow(
        """\
        format: 1
        name: outer
        nodes:
          each: {workflow: inner.yaml, map: /input/items}
          end: {use: "m:end"}
        edges: [{from: each, to: end}]
        """,
        inner='{format: 1, name: inner, nodes: {work: {use: "m:work"}}}',
    )

    assert graph.edges == (
        Edge(source="each", target="each:work"),
        Edge(source="each", target="end"),
        Edge(source="each:work", target="end"),
    )


def test_files_are_found_relative_to_the_file_that_names_them():
    found = flows(
        {
            "flows/main.yaml": "{format: 1, name: m, nodes: {a: {workflow: ../parts/one.yaml}}}",
            "parts/one.yaml": "{format: 1, name: o, nodes: {b: {workflow: two.yaml}}}",
            "parts/two.yaml": '{format: 1, name: t, nodes: {c: {use: "m:f"}}}',
        },
        "flows/main.yaml",
    )

    assert sorted(found.files) == ["flows/main.yaml", "parts/one.yaml", "parts/two.yaml"]
    assert list(to_workflow(found).nodes) == ["a", "a:b", "a:b:c"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        pytest.param(
            one_node("{}"),
            "workflow.yaml:6: /nodes/b: a node has exactly one of use, workflow, wait;"
            " this has none",
            id="it does nothing",
        ),
        pytest.param(
            one_node('{use: "m:f", wait: w}'),
            "workflow.yaml:6: /nodes/b: a node has exactly one of use, workflow, wait;"
            " this has use and wait",
            id="it does two things",
        ),
        pytest.param(
            one_node("{use: m.f}"),
            "workflow.yaml:6: /nodes/b/use: 'm.f' names no function; write module:function",
            id="its function has no name",
        ),
        pytest.param(
            one_node("{wait: w, map: /input}"),
            "workflow.yaml:6: /nodes/b/map: a wait cannot map;"
            " map a workflow that has the wait in it",
            id="a wait maps",
        ),
        pytest.param(
            one_node("{wait: w, input: {x: /input}}"),
            "workflow.yaml:6: /nodes/b/input: a wait has no input; `ask` points to what is asked",
            id="a wait has an input",
        ),
        pytest.param(
            one_node("{wait: w, boundary: true}"),
            "workflow.yaml:6: /nodes/b/boundary: only a node with `use` reaches outside;"
            " mark the inner node instead",
            id="a wait is a boundary",
        ),
        pytest.param(
            one_node('{use: "m:f", writes: true}'),
            "workflow.yaml:6: /nodes/b/writes: a node that writes reaches outside:"
            " add `boundary: true`",
            id="it writes inside",
        ),
        pytest.param(
            one_node('{use: "m:f", ask: /input}'),
            "workflow.yaml:6: /nodes/b/ask: only a node with `wait` asks",
            id="a function asks",
        ),
        pytest.param(
            one_node("{wait: w, outcomes: [aprove]}"),
            "workflow.yaml:6: /nodes/b/outcomes/0: 'aprove' is no outcome of a wait;"
            " nearest is 'approve' (known: approve, reject, feedback, timeout)",
            id="a wait has another outcome",
        ),
        pytest.param(
            one_node('{use: "m:f", map: /input, outcomes: [x]}'),
            "workflow.yaml:6: /nodes/b/outcomes: a node that maps ends with a list,"
            " not with an outcome",
            id="a map has outcomes",
        ),
        pytest.param(
            one_node('{use: "m:f", input: {x: /imput/y}}'),
            "workflow.yaml:6: /nodes/b/input/x: 'imput' is no key of the context;"
            " nearest is 'input' (known: input, a, b)",
            id="its input stands nowhere",
        ),
        pytest.param(
            one_node('{use: "m:f", join: true}').replace("{from: a, to: a}", "{from: b, to: b}"),
            "workflow.yaml:6: /nodes/b/join: no fork leads here, so there is nothing to wait for",
            id="a join without a fork",
        ),
        pytest.param(
            one_node('{use: "m:f"}', "{from: a, to: c}"),
            "workflow.yaml:7: /edges/2/to: 'c' is no node (known: a, b)",
            id="an edge leads nowhere",
        ),
        pytest.param(
            one_node('{use: "m:f"}', "{from: b, to: a}, {from: b, to: a}"),
            "workflow.yaml:7: /edges/3: the same edge as /edges/2; leave one out",
            id="an edge occurs twice",
        ),
        pytest.param(
            one_node('{use: "m:f", outcomes: [over]}', "{from: b, to: a, outcome: ovr}"),
            "workflow.yaml:6: /nodes/b/outcomes/0: no edge from 'b' is taken on outcome 'over';"
            " add one, or an edge without outcome\n"
            "workflow.yaml:7: /edges/2/outcome: 'ovr' is no outcome of 'b'; nearest is 'over'"
            " (known: over, error)",
            id="an outcome is misspelt",
        ),
        pytest.param(
            one_node('{use: "m:f", map: /input}', "{from: b, to: a, outcome: x}"),
            "workflow.yaml:7: /edges/2/outcome: a node that maps is left by an edge without"
            " outcome, or by `error`",
            id="an outcome of a map",
        ),
        pytest.param(
            one_node('{use: "m:f"}', "{from: b, to: a, when: {at: /c, op: equal, value: 1}}"),
            "workflow.yaml:7: /edges/2/when: 'equal' is not an operator; nearest is 'equals'\n"
            "workflow.yaml:7: /edges/2/when/at: 'c' is no key of the context (known: input, a, b)",
            id="a condition that cannot hold",
        ),
        pytest.param(
            one_node('{use: "m:f"}', "{from: b, to: a, outcome: x, when: {at: /a, op: exists}}"),
            "workflow.yaml:7: /edges/2: an edge has an outcome or a condition, not both",
            id="an outcome and a condition",
        ),
        pytest.param(
            one_node('{use: "m:f"}').replace("entry: a", "entry: aa"),
            "workflow.yaml:3: /entry: 'aa' is no node; nearest is 'a' (known: a, b)",
            id="an unknown entry",
        ),
        pytest.param(
            one_node('{use: "m:f"}').replace("entry: a", "output: /c"),
            "workflow.yaml:3: /output: 'c' is no key of the context (known: input, a, b)\n"
            "workflow.yaml:4: /nodes: a run starts at the one node that no edge reaches,"
            " and here that is none; name one with `entry`",
            id="no entry",
        ),
        pytest.param(
            '{format: 1, name: x, nodes: {a: {use: "m:f"}, b: {use: "m:f"}}}',
            "workflow.yaml:1: /nodes: a run starts at the one node that no edge reaches,"
            " and here that is a, b; name one with `entry`",
            id="a second entry",
        ),
        pytest.param(
            '{format: 1, name: x, entry: a, nodes: {a: {use: "m:f"}, b: {use: "m:f"}}}',
            "workflow.yaml:1: /nodes/b: no way leads here from the entry 'a'",
            id="a node that cannot be reached",
        ),
        pytest.param(
            '{format: 1, name: x, nodes: {item: {use: "m:f"}}}',
            "workflow.yaml:1: /nodes/item: 'item' cannot name a node: input, item, index are kept"
            " for contexts, and ':' for nested names",
            id="a reserved name",
        ),
        pytest.param(
            '{format: 1, name: x, nodes: {"a:b": {use: "m:f"}}}',
            "workflow.yaml:1: /nodes/a:b: 'a:b' cannot name a node: input, item, index are kept"
            " for contexts, and ':' for nested names",
            id="a name with a colon",
        ),
        pytest.param(
            "{format: 1, name: x, nodes: {a: {workflow: part.yaml}}}",
            "workflow.yaml:1: /nodes/a/workflow: 'part.yaml' is no file (looked for part.yaml);"
            " paths are relative to this",
            id="a missing workflow",
        ),
        pytest.param(
            "{format: 2, name: x, nodes: {}}",
            "workflow.yaml:1: /format: format 2 is newer than this FlowJury reads (1);"
            " upgrade flowjury",
            id="a newer format",
        ),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_pointer(text: str, faults: str):
    assert refused(text) == faults.split("\n")


def test_item_and_index_are_keys_of_the_context_where_a_node_maps():
    text = one_node('{use: "m:f", map: /input/items, input: {x: /item/name, n: /index}}')

    assert list(workflow(text).nodes) == ["a", "b"]


def test_the_faults_of_all_files_are_raised_together():
    text = "{format: 1, name: x, nodes: {n: {workflow: bad.yaml}, m: {workflow: none.yaml}}}"
    bad = "{format: 1, name: x, nodes: {a: {use: f}}}"

    assert refused(text, bad=bad) == [
        (
            "workflow.yaml:1: /nodes: a run starts at the one node that no edge reaches,"
            " and here that is n, m; name one with `entry`"
        ),
        (
            "workflow.yaml:1: /nodes/m/workflow: 'none.yaml' is no file (looked for none.yaml);"
            " paths are relative to this"
        ),
        "bad.yaml:1: /nodes/a/use: 'f' names no function; write module:function",
    ]


def test_a_missing_workflow_file_is_a_fault_of_that_file():
    with pytest.raises(InputError) as caught:
        flows({}, "workflow.yaml")

    assert str(caught.value) == "workflow.yaml: there is no such file"


@pytest.mark.parametrize(
    ("name", "text", "recognised"),
    [
        ("a.yaml", "format: 1", True),
        ("a.json", '{"nodes": {"a": {}}}', True),
        ("a.yml", "nodes: {a: ", True),
        ("a.json", '{"nodes": []}', False),
        ("a.json", '{"States": {}}', False),
        ("a.yaml", "- 1", False),
        ("a.wf", "format: 1", False),
    ],
)
def test_a_file_is_recognised_by_what_is_in_it(name: str, text: str, *, recognised: bool):
    assert recognises(name, text.encode()) is recognised


def test_a_graph_is_read_with_the_names_of_its_files():
    texts = {"w.yaml": REFUNDS, "refund.yaml": REFUND}
    graph, files = read("w.yaml", lambda name: texts[name].encode())

    assert graph == workflow(REFUNDS, refund=REFUND)
    assert files == ("refund.yaml", "w.yaml")
