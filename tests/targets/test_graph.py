from pathlib import Path
from textwrap import dedent

import pytest

from flowjury.errors import InputError
from flowjury.job import Job, Place, Turn
from flowjury.targets.graph import GraphTarget

WORKFLOW = """\
format: 1
name: greeting
nodes:
  look_up: {use: "nodes:look_up", boundary: true}
  greet: {use: "nodes:greet", input: {who: /look_up}}
edges: [{from: look_up, to: greet}]
"""
NODES = """\
import helpers
from urllib.request import urlopen


def look_up(context):
    return context["input"].title()


def greet(given):
    return helpers.GREETING + given["who"]


def call_out(context):
    urlopen("http://192.0.2.1/", timeout=1)


LIMIT = 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "workflow.yaml").write_text(WORKFLOW)
    (tmp_path / "nodes.py").write_text(NODES)
    (tmp_path / "helpers.py").write_text('GREETING = "Hello "\n')
    return tmp_path


def place(folder: Path, workflow: str | None = "workflow.yaml") -> Place:
    return Place(root=folder, workflow=workflow, read=Path.read_bytes)


def job(*turns: Turn, data: str = "live") -> Job:
    return Job(
        case="c", trial=1, turns=turns, data=data, fixtures={}, ignore={}, mask=(), timeout=5
    )


def faults(folder: Path, target: GraphTarget | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        (target or GraphTarget(kind="graph")).prepare(place(folder))
    return [str(fault).replace(str(folder), "FOLDER") for fault in caught.value.faults]


def test_a_case_is_run_on_the_functions_beside_the_suite(folder: Path):
    prepared = GraphTarget(kind="graph").prepare(place(folder))
    observed = prepared.observe(job(Turn(id=None, input="ann")))

    assert observed.fault is None
    assert observed.trace is not None
    assert (observed.trace.status, observed.trace.output) == ("finished", "Hello Ann")
    assert observed.trace.workflow == prepared.workflow
    assert not observed.replayed


def test_boundary_nodes_are_recorded_for_replay(folder: Path):
    prepared = GraphTarget(kind="graph").prepare(place(folder))
    observed = prepared.observe(job(Turn(id=None, input="ann"), data="record"))

    assert [(node, [one.output for one in of]) for node, of in observed.recorded.items()] == [
        ("look_up", ["Ann"])
    ]


def test_modules_are_found_in_the_folders_of_the_path(folder: Path):
    inner = folder / "flows"
    inner.mkdir()
    (folder / "workflow.yaml").rename(inner / "workflow.yaml")
    target = GraphTarget(kind="graph", path=("..",))
    observed = target.prepare(place(inner)).observe(job(Turn(id=None, input="ann")))

    assert observed.trace is not None
    assert observed.trace.output == "Hello Ann"


def test_two_suites_may_have_modules_of_one_name(folder: Path):
    other = folder / "other"
    other.mkdir()
    (other / "workflow.yaml").write_text(WORKFLOW)
    (other / "nodes.py").write_text("def look_up(context): ...\ndef greet(given): return 2\n")
    first = GraphTarget(kind="graph").prepare(place(folder))
    second = GraphTarget(kind="graph").prepare(place(other))
    traces = [one.observe(job(Turn(id=None, input="ann"))).trace for one in (first, second)]

    assert [trace and trace.output for trace in traces] == ["Hello Ann", 2]


def test_what_cannot_be_imported_is_said_at_its_place_in_the_workflow(folder: Path):
    text = WORKFLOW.replace("nodes:look_up", "nodes:look").replace("nodes:greet", "node:greet")
    (folder / "workflow.yaml").write_text(text)

    [attribute, module] = faults(folder)
    assert attribute.startswith("workflow.yaml:4: /nodes/look_up/use: ")
    assert "has no 'look'; nearest is 'look_up'" in attribute
    assert module.startswith("workflow.yaml:5: /nodes/greet/use: no module is named 'node'")
    assert "nearest is 'nodes'" in module


def test_a_module_that_raises_is_said_without_a_traceback(folder: Path):
    (folder / "helpers.py").write_text('raise ValueError("no\\nconfig")\n')

    [first, _] = faults(folder)
    assert "ValueError: no config" in first
    assert "helpers.py:1" in first
    assert "Traceback" not in first


def test_what_cannot_be_called_is_no_node(folder: Path):
    (folder / "workflow.yaml").write_text(WORKFLOW.replace("nodes:greet", "nodes:LIMIT"))

    assert faults(folder) == [
        "workflow.yaml:5: /nodes/greet/use: 'nodes:LIMIT' is a int, which cannot be called"
    ]


def test_the_suite_must_name_a_workflow(folder: Path):
    with pytest.raises(InputError) as caught:
        GraphTarget(kind="graph").prepare(place(folder, None))

    assert caught.value.faults[0].message == (
        "target graph runs a workflow file; add `workflow: FILE` to the suite"
    )


def test_the_faults_of_the_workflow_file_are_raised_before_any_import(folder: Path):
    (folder / "workflow.yaml").write_text(WORKFLOW.replace("to: greet", "to: great"))

    assert faults(folder) == [
        (
            "workflow.yaml:6: /edges/0/to: 'great' is no node;"
            " nearest is 'greet' (known: look_up, greet)"
        )
    ]


def test_no_node_goes_live_on_replay(folder: Path):
    (folder / "workflow.yaml").write_text(
        dedent(
            """\
            format: 1
            name: live
            nodes: {a: {use: "nodes:call_out"}}
            """
        )
    )
    prepared = GraphTarget(kind="graph").prepare(place(folder))
    observed = prepared.observe(job(Turn(id=None, input=None), data="replay"))

    assert observed.fault is not None
    assert (observed.fault.kind, observed.fault.node) == ("target", "a")
    assert observed.fault.message.startswith("connected to 192.0.2.1:80 on `data: replay`")
