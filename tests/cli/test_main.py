from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import pytest

COMMANDS = [
    ["run"],
    ["record"],
    ["refresh"],
    ["report"],
    ["judge"],
    ["pending"],
    ["attach"],
    ["show"],
    ["init"],
    ["schema"],
    ["graph", "show"],
    ["suite", "lint"],
    ["runs", "list"],
    ["runs", "merge"],
    ["trace", "import"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_examples(flowjury, command):
    printed = flowjury(*command, "--help")
    name = f"flowjury {' '.join(command)}"

    assert printed.code == 0
    assert printed.out.startswith(f"Usage: {name} ")
    assert f"  Examples:\n    {name}" in printed.out
    assert "--json" in printed.out or command == ["schema"]


def test_the_help_lists_every_command_and_the_exit_codes(flowjury):
    printed = flowjury("--help")

    assert printed.code == 0
    assert all(f"  {command[0]} " in printed.out for command in COMMANDS)
    assert "4 error, 130" in " ".join(printed.out.split())


def test_the_help_cuts_no_summary(flowjury):
    assert "..." not in flowjury("--help").out.partition("Commands:")[2]


def test_the_package_can_be_run_as_a_module(flowjury):
    shown = subprocess.run(
        [sys.executable, "-m", "flowjury", "--version"],
        cwd=flowjury.root,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )

    assert shown.stdout == flowjury("--version").out


def test_the_help_loads_nothing_heavy(flowjury):
    code = (
        "import sys; sys.argv = ['flowjury', '--help']\n"
        "from flowjury.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'pydantic', 'yaml', 'networkx', 'openai', 'jsonschema', 're2', 'langgraph',"
        " 'sqlite3', 'rich.table'}\n"
        "print('loaded', sorted(heavy & set(sys.modules)))"
    )
    (flowjury.root / "helped.py").write_text(code)
    shown = subprocess.run(
        [sys.executable, "helped.py"],
        cwd=flowjury.root,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )

    assert shown.stdout.endswith("loaded []\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rnu"], "No such command 'rnu'"),
        (["run", "--tga", "x"], "No such option: --tga"),
        (["run", "no.suite.yaml"], "no.suite.yaml"),
        (["show"], "Missing argument 'CASE'"),
        (["show", "c"], "no"),
        (["refresh"], "no run is stored here"),
        (["pending"], "no run is stored here"),
        (["attach"], "no run is stored here"),
        (["judge"], "name the judge"),
        (["judge", "--host", "opnai_rubric"], "nearest is 'openai_rubric'"),
        (["schema", "siute"], "nearest is 'suite'"),
        (["run"], "no suite file given"),
        (["graph", "show", "x.yaml"], "x.yaml"),
        (["report", "--format", "jsn"], "nearest is 'json'"),
        (["judge", "--votes", "0"], "greater than or equal to 1"),
    ],
)
def test_a_wrong_command_says_what_is_wrong_and_exits_2(flowjury, arguments, said):
    printed = flowjury(*arguments)

    assert (printed.code, printed.out) == (2, "")
    assert said in printed.err


CASE = "{id: c, input: 1, checks: [{kind: value, at: /output, op: equals, value: 1}]}"
TOP = "format: 1\nname: shop\ntarget: {kind: graph}\nworkflow: flow.yaml\n"
BAD_SUITES = [
    ("", "empty"),
    ("a: [", "1"),
    ("a: 1\na: 2\n", "a"),
    ("- 1\n", "not"),
    (TOP + "cases: []\n", "/cases"),
    (TOP.replace("1", "2", 1) + f"cases: [{CASE}]\n", "format 2"),
    (TOP + f"cases: [{CASE}]\nchekcs: []\n", "nearest is 'checks'"),
    (
        TOP + f"cases: [{CASE}, {CASE}]\n",
        "/cases/1/id: 'c' is the id of the case at /cases/0 already",
    ),
    (TOP + f"cases: [{CASE.replace('value: 1', 'value: .nan')}]\n", "/cases/0/checks/0/value"),
    (TOP + f"cases: [{CASE.replace('equals', 'eqals')}]\n", "nearest is 'equals'"),
    (TOP + f"cases: [{CASE.replace('kind: value', 'kind: vlaue')}]\n", "nearest is 'value'"),
    (TOP + f"cases: [{CASE.replace('kind: value, ', '')}]\n", "kind"),
    (TOP + "cases: [{id: c, input: " + "[" * 300 + "]" * 300 + "}]\n", "nest"),
    (TOP.replace("graph", "grpah") + f"cases: [{CASE}]\n", "nearest is 'graph'"),
    (TOP.replace("flow.yaml", "flwo.yaml") + f"cases: [{CASE}]\n", "nearest is 'flow.yaml'"),
    ("\x00", "0"),
    ("&a [*a, *a]", "a"),
]


@pytest.mark.parametrize(("text", "said"), BAD_SUITES, ids=range(len(BAD_SUITES)))
@pytest.mark.parametrize("command", [["run"], ["suite", "lint"]], ids=" ".join)
def test_a_broken_suite_says_what_is_wrong_and_exits_2(flowjury, command, text, said):
    flowjury.suite("passes")
    flowjury.write("shop.suite.yaml", text)
    printed = flowjury(*command, "shop.suite.yaml")

    assert printed.code == 2
    assert all(line.startswith("flowjury: ") for line in printed.err.splitlines())
    assert "shop.suite.yaml" in printed.err or "flwo.yaml" in printed.err
    assert said in printed.err


@pytest.mark.parametrize("bytes_", [b"\xff\xfe\x00", b"\x80abc"])
def test_a_suite_that_is_no_text_is_refused(flowjury, bytes_):
    (flowjury.root / "x.suite.yaml").write_bytes(bytes_)

    assert flowjury("run").code == 2


def test_a_workflow_with_a_dangling_edge_is_refused_with_the_nearest_name(flowjury):
    flowjury.suite("passes")
    flow = (flowjury.root / "flow.yaml").read_text()
    flowjury.write("flow.yaml", flow.replace("to: answer", "to: anwser"))
    printed = flowjury("run")

    assert printed.code == 2
    assert "flow.yaml:7: /edges/0/to" in printed.err
    assert "answer" in printed.err


def test_every_fault_is_a_line(flowjury):
    flowjury.suite("passes")
    flowjury.write("shop.suite.yaml", TOP + "cases: [{id: c, inputt: 1, chekcs: []}]\nx: 1\n")
    printed = flowjury("run")

    assert len(printed.err.splitlines()) == 3


@pytest.mark.parametrize("command", [["run"], ["suite", "lint"]], ids=" ".join)
def test_no_more_than_fifty_faults_are_printed(flowjury, command):
    flowjury.suite("passes")
    wrong = "".join(f"x{number}: 1\n" for number in range(52))
    flowjury.write("shop.suite.yaml", TOP + f"cases: [{CASE}]\n" + wrong)
    lines = flowjury(*command).err.splitlines()

    assert len(lines) == 51
    assert lines[-1] == "flowjury: and 2 more"


def test_an_answer_that_breaks_whoever_looks_at_it_breaks_no_command(flowjury):
    flowjury.suite("passes")
    flowjury.write(
        "nodes.py",
        "class Odd:\n"
        "    def __getattribute__(self, name):\n"
        "        raise RecursionError\n"
        "def look_up(given):\n    return {}\n"
        "def answer(given):\n    return Odd()\n",
    )

    assert flowjury("run").code in {1, 3}


def test_completion_can_be_shown_to_the_shell_that_asks(flowjury):
    asking = f"{shlex.quote(sys.executable)} -m flowjury.cli.main --show-completion; exit $?"
    shown = subprocess.run(
        ["bash", "-c", asking],
        cwd=flowjury.root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )

    assert shown.returncode == 0
    assert "_FLOWJURY_COMPLETE" in shown.stdout


def test_completion_completes_commands(flowjury):
    environment = {
        "_FLOWJURY_COMPLETE": "complete_bash",
        "COMP_WORDS": "flowjury ru",
        "COMP_CWORD": "1",
    }

    assert flowjury.process(env=environment).stdout.split() == ["run", "runs"]


def test_the_version_is_that_of_the_package(flowjury):
    printed = flowjury("--version")

    assert (printed.code, printed.err) == (0, "")
    assert printed.out.startswith("flowjury ")


def test_a_text_that_would_act_on_a_terminal_is_shown_escaped(flowjury):
    printed = flowjury("run", "\x1b[31m.suite.yaml")

    assert printed.code == 2
    assert "\x1b" not in printed.err


def test_json_is_json_whatever_the_values(flowjury):
    flowjury.suite("passes")
    flowjury.write(
        "nodes.py",
        "def look_up(given):\n    return {}\n"
        "def answer(given):\n    return {'text': 'costs \\ud800', 'n': 10**400}\n",
    )
    flowjury("run")
    shown = flowjury("show", "passes", "--at", "/output", "--json")
    plain = flowjury("show", "passes", "--at", "/output")

    assert json.loads(shown.out.replace("1" + "0" * 400, "1"))["value"]["text"] == "costs \ud800"
    assert "\\ud800" in plain.out


def test_an_error_is_printed_without_the_secrets_in_it(flowjury, tmp_path):
    (tmp_path / "shop.py").write_text("raise OSError('no answer from https://me:p4ss@host/')\n")
    (tmp_path / "a.suite.yaml").write_text(
        "{format: 1, name: a, target: {kind: python, call: 'shop:f'},"
        " cases: [{id: a, input: 1, checks: [{kind: path, must: [x]}]}]}"
    )
    said = flowjury("run", "a.suite.yaml")

    assert "OSError: no answer from https://me:***@host/" in said.err
    assert "p4ss" not in said.out + said.err
