from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flowjury.app.choice import Choice
from flowjury.app.running import data_mode
from flowjury.errors import InputError, StoreError, UsageError
from flowjury.verdict import Status

COUNTER = """
import itertools
numbers = itertools.count()
def look_up(given):
    return {"id": given["id"], "price": next(numbers)}
def answer(given):
    return {"text": f"price {given['order']['price']}"}
"""


def test_a_case_is_replayed_from_its_fixtures_and_passes(shop):
    case = shop.run_case({"checks": [shop.check]})

    assert (case.status, case.passed, case.planned) == (Status.PASSED, 1, 1)
    assert [(t.case, t.trial, t.done, t.total, t.fault) for t in shop.told] == [
        ("c", 1, 1, 1, None)
    ]


def test_a_missing_fixture_is_an_error_that_names_the_node(shop):
    case = shop.run_case({"fixtures": {}, "checks": [shop.check]})

    assert case.status is Status.ERROR
    assert case.reason.startswith("fixture-miss: ")
    assert "look_up" in case.reason
    assert shop.told[0].fault.kind == "fixture-miss"


def test_a_workflow_that_raises_is_an_observation(shop):
    shop.write("nodes.py", shop.nodes.replace("order['price']", "order['cost']"))

    assert shop.run_case({"checks": [shop.check]}).status is Status.FAILED
    assert shop.run_case({"expect": {"error": {"type": "KeyError"}}}).status is Status.PASSED


def test_live_runs_ignore_fixtures(shop):
    check = shop.check | {"value": "A-1 costs 7"}
    report = shop.run_case({"checks": [check]}, data="live")

    assert report.status is Status.PASSED


def test_the_data_mode_can_be_overridden(shop):
    shop.suite({"id": "c", "checks": [shop.check | {"value": "A-1 costs 7"}]})

    report = shop.run(data="live")

    assert (report.data, report.exit) == ("live", 0)
    assert shop.refresh().exit == 0


def test_recording_writes_fixtures_that_replay_and_pass(shop):
    shop.suite({"id": "c", "fixtures": {}, "checks": [shop.check | {"value": "A-1 costs 7"}]})
    [ran] = shop.ran(data="record")
    written = shop.root / "fixtures" / "c.yaml"
    replayed = shop.run()

    assert ran.recorded == (written,)
    assert "price: 7" in written.read_text()
    assert (ran.refreshed.report.exit, replayed.exit) == (0, 0)
    assert replayed.cases[0].trials[0].replayed


def test_recording_a_broken_case_keeps_the_fixtures_of_before(shop):
    shop.suite({"id": "c", "fixtures": {}, "checks": [shop.check]})
    shop.ran(data="record")
    before = shop.files()["fixtures/c.yaml"]
    shop.write("nodes.py", shop.nodes + "\ndef answer(given):\n    raise SystemExit(3)\n")
    sys.modules.pop("nodes")
    [ran] = shop.ran(data="record")

    assert (ran.recorded, ran.refreshed.report.exit) == ((), 4)
    assert shop.files()["fixtures/c.yaml"] == before


ENDINGS = [
    ({}, "raise ValueError('busy')", False),
    ({"expect": "error"}, "raise ValueError('busy')", True),
    ({"expect": "error"}, "return {'text': 'fine'}", False),
    ({}, "return {'text': 'fine'}", True),
]


@pytest.mark.parametrize(("expects", "body", "written"), ENDINGS)
def test_only_a_case_that_ended_as_expected_replaces_its_fixtures(shop, expects, body, written):
    shop.suite({"id": "c", "fixtures": {}, "checks": [shop.check], **expects})
    there = shop.write(
        "fixtures/c.yaml", "format: 1\ncase: c\nfixtures: {look_up: [{output: 1}]}\n"
    )
    before = there.read_text()
    shop.write("nodes.py", f"{shop.nodes}\ndef answer(given):\n    {body}\n")
    [ran] = shop.ran(data="record")

    assert (ran.recorded, ran.kept) == (((there,), ()) if written else ((), (there,)))
    assert (there.read_text() == before) is not written


def test_a_first_recording_is_written_however_the_case_ended(shop):
    shop.suite({"id": "c", "fixtures": {}, "checks": [shop.check]})
    shop.write("nodes.py", shop.nodes + "\ndef answer(given):\n    raise ValueError\n")
    [ran] = shop.ran(data="record")

    assert (ran.recorded, ran.kept) == ((shop.root / "fixtures/c.yaml",), ())


@pytest.mark.parametrize(("second", "written"), [({"id": "B"}, True), ({}, False)])
def test_a_conversation_replaces_its_fixtures_if_each_turn_ended_as_expected(shop, second, written):
    steps = [{"id": "one", "input": {"id": "A"}}, {"id": "two", "input": second}]
    shop.suite({"id": "c", "steps": steps, "checks": [shop.check]})
    there = shop.write("fixtures/c.yaml", "format: 1\ncase: c\nfixtures: {}\n")
    [ran] = shop.ran(data="record")

    assert (ran.recorded, ran.kept) == (((there,), ()) if written else ((), (there,)))


def test_trials_are_repeated_where_no_fixture_decides(shop):
    shop.write("nodes.py", COUNTER)
    check = shop.check | {"op": "one_of", "value": ["price 0", "price 1"]}
    case = shop.run_case({"checks": [check], "trials": {"n": 3, "pass": "2/3"}}, data="live")

    assert [trial.status.value for trial in case.trials] == ["passed", "passed", "failed"]
    assert (case.status, case.passed, case.needed, case.planned) == (Status.PASSED, 2, 2, 3)
    assert [told.done for told in shop.told] == [1, 2, 3]


def test_only_the_chosen_cases_run(shop):
    shop.suite(
        {"id": "a", "tags": ["x"], "checks": [shop.check]},
        {"id": "b", "tags": ["y"], "checks": [shop.check]},
        {"id": "d", "title": "An Apple", "checks": [shop.check]},
    )
    choices = {
        "a": Choice(ids=("a",)),
        "b": Choice(tags=("y", "z")),
        "d": Choice(words="apple"),
    }
    ran = {}
    for name, choice in list(choices.items())[:1] + list(choices.items())[2:]:
        report = shop.run(choice=choice)
        ran[name] = [case.id for case in report.cases if case.trials]

    assert ran == {"a": ["a"], "d": ["d"]}
    assert (report.partial, report.exit) == (True, 0)
    assert {c.reason for c in report.cases if not c.trials} == {"not selected"}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(ids=("aple",)), "no case is named 'aple'; nearest is 'apple'"),
        (Choice(tags=("smoek",)), "no tag is named 'smoek'; nearest is 'smoke'"),
        (
            Choice(ids=("apple",), words="pear"),
            "no case is selected by --case apple -k pear; `-k` looks into ids, titles and tags",
        ),
    ],
)
def test_a_choice_of_nothing_is_refused(shop, choice, message):
    shop.suite({"id": "apple", "tags": ["smoke"]})

    with pytest.raises(UsageError) as caught:
        shop.run(choice=choice)

    assert str(caught.value) == message


def test_skipped_cases_are_not_run(shop):
    report = shop.run_case({"skip": "later"})

    assert (report.status, report.reason, shop.told) == (Status.SKIPPED, "later", [])


def test_several_suites_run_in_one_command_each_with_its_own_modules(shop):
    for name, price in (("one", 1), ("two", 2)):
        shop.write(f"{name}/nodes.py", "import helper\n" + shop.nodes)
        shop.write(f"{name}/helper.py", f"PRICE = {price}\n")
        shop.write(f"{name}/flow.json", shop.flow)
        check = shop.check | {"value": f"A-1 costs {price}"}
        body = shop.nodes.replace("7", "late()") + (
            "\ndef late():\n    import helper\n    return helper.PRICE\n"
        )
        shop.write(f"{name}/nodes.py", body)
        suite = json.loads(
            shop.suite({"id": name, "checks": [check]}, name=name, data="live").read_text()
        )
        shop.write(f"{name}/{name}.suite.json", suite)
        (shop.root / f"{name}.suite.json").unlink()

    reports = [ran.refreshed.report for ran in shop.ran()]

    assert [(report.run, report.suite, report.exit) for report in reports] == [
        ("r1-1", "one", 0),
        ("r1-2", "two", 0),
    ]
    for number, name in enumerate(("one", "two"), 1):
        [record] = shop.records(f"r1-{number}")
        assert {f"{name}/nodes.py", f"{name}/helper.py"} <= record.stimulus.sources.keys()


def test_all_faults_of_all_suites_are_found_before_any_case_runs(shop):
    shop.suite({"id": "c", "checks": [{"kind": "count", "node": "lookup", "exactly": 1}]})
    shop.suite({"id": "c", "checks": [{"kind": "evaluator", "use": "judge:x"}]}, name="other")

    with pytest.raises(InputError) as caught:
        shop.ran()

    assert "nearest is 'look_up'" in str(caught.value)
    assert "no module is named 'judge'" in str(caught.value)
    assert shop.told == []
    assert not (shop.root / ".flowjury").exists()


CODE_FAULTS = [
    (
        {"target": {"kind": "python", "call": "nodes:lok_up"}, "workflow": None},
        "/target/call: 'nodes:lok_up': module 'nodes'",
    ),
    (
        {"target": {"kind": "python", "call": "nodes:PRICE"}, "workflow": None},
        "/target/call: 'nodes:PRICE' is an object of type 'int'",
    ),
    (
        {"checks": [{"kind": "evaluator", "use": "nodes:lok_up"}]},
        "/checks/0/use: 'nodes:lok_up': module 'nodes'",
    ),
    (
        {"checks": [{"kind": "all", "checks": [{"kind": "evaluator", "use": "nodes:PRICE"}]}]},
        "/checks/0/checks/0/use: 'nodes:PRICE' is a int, which cannot be called",
    ),
]


@pytest.mark.parametrize(("more", "message"), CODE_FAULTS)
def test_code_that_cannot_be_used_is_told_where_the_suite_names_it(shop, more, message):
    shop.write("nodes.py", shop.nodes + "\nPRICE = 7\n")
    path = shop.suite({"id": "c", "checks": [shop.check]}, **more)

    with pytest.raises(InputError) as caught:
        shop.run()

    assert str(caught.value).startswith(f"{path}:1: {message}")


GRADES = """
import rules
async def polite(context, parameters):
    return rules.polite(context.observation["output"]["text"])
"""


def with_evaluator(shop):
    shop.write("grades.py", GRADES)
    shop.write("rules.py", "def polite(text):\n    return True\n")
    return shop.suite({"id": "c", "checks": [{"kind": "evaluator", "use": "grades:polite"}]})


def test_what_only_an_evaluator_imports_is_no_source_of_the_trace(shop):
    with_evaluator(shop)
    report = shop.run()
    [record] = shop.records()

    assert (report.exit, sorted(record.stimulus.sources)) == (0, ["nodes.py"])


def test_an_async_evaluator_answers_where_a_loop_runs_already(shop):
    with_evaluator(shop)

    async def inside():
        return shop.run()

    assert asyncio.run(inside()).exit == 0


def test_a_cycle_that_never_ends_is_an_error_and_its_executions_are_kept(shop):
    flow = {
        "format": 1,
        "name": "loop",
        "entry": "spin",
        "visit_limit": 5,
        "nodes": {"spin": {"use": "nodes:spin"}},
        "edges": [{"from": "spin", "to": "spin"}],
    }
    shop.write("flow.json", flow)
    shop.write("nodes.py", "def spin(given):\n    return 1\n")
    report = shop.run_case({"fixtures": {}, "expect": "finished"})
    [record] = shop.records()

    assert report.status is Status.ERROR
    assert record.fault.kind == "limit"
    assert len(record.trace.executions) >= 5
    assert shop.refresh().exit == 4


def test_a_value_that_cannot_be_kept_as_json_makes_only_its_checks_unknown(shop):
    shop.write(
        "nodes.py",
        "def look_up(given):\n    return {}\n"
        "def answer(given):\n    return {'text': 'ok', 'odd': float('nan'), 'obj': object}\n",
    )
    text = shop.check | {"value": "ok"}
    odd = {"kind": "value", "at": "/output/odd", "op": "type", "value": "number"}

    assert shop.run_case({"checks": [text]}).status is Status.PASSED
    assert shop.run_case({"checks": [text, odd]}).status is Status.UNKNOWN


STRANGE = """
def look_up(given):
    return {}
def answer(given):
    return {"lone": "\\ud800", "long": 10**300 + 7, "minus": -(10**299), "deep": [[["\\udfff"]]]}
"""


def test_strange_values_reach_the_json_report_unchanged(shop):
    shop.write("nodes.py", STRANGE)
    value = {"lone": "\ud800", "long": 10**300 + 7, "minus": -(10**299), "deep": [[["\udfff"]]]}
    shop.suite(
        {"id": "c", "checks": [{"kind": "value", "at": "/output", "op": "not_equals", "value": 1}]}
    )
    [ran] = shop.ran()
    found = next(path for path in ran.refreshed.files if path.suffix == ".json")
    shown = json.loads(found.read_text())["cases"][0]["trials"][0]["findings"][-1]["actual"]

    assert shown == {"present": True, "value": value}
    assert shop.records()[0].trace.output == value


def test_fifty_megabytes_reach_the_json_report_unchanged(shop):
    shop.write(
        "nodes.py",
        "def look_up(given):\n    return {}\n"
        "def answer(given):\n    return {'text': 'x' * 50_000_000}\n",
    )
    shop.suite(
        {
            "id": "c",
            "checks": [
                {"kind": "value", "at": "/output/text", "op": "min_length", "value": 50_000_000}
            ],
        }
    )
    [ran] = shop.ran()
    found = next(path for path in ran.refreshed.files if path.suffix == ".json")
    shown = json.loads(found.read_bytes())["cases"][0]["trials"][0]["findings"][-1]

    assert (shown["verdict"], len(shown["actual"]["value"])) == ("passed", 50_000_000)


def test_a_report_folder_that_cannot_be_written_stops_with_a_message_and_keeps_the_run(shop):
    shop.write(".flowjury/reports", "in the way")
    shop.suite({"id": "c", "checks": [shop.check]})

    with pytest.raises(StoreError, match="reports"):
        shop.run()

    assert [record.case for record in shop.records()] == ["c"]
    (shop.root / ".flowjury/reports").unlink()
    assert shop.refresh().exit == 0


def test_a_store_that_cannot_be_made_stops_before_any_case(shop):
    shop.write(".flowjury", "in the way")
    shop.suite({"id": "c", "checks": [shop.check]})

    with pytest.raises(StoreError, match=r"\.flowjury"):
        shop.run()

    assert shop.told == []


SLOW = """
import time
def look_up(given):
    return {"id": given["id"], "price": 80}
def answer(given):
    if given["order"]["id"] == "slow":
        open("started", "w").close()
        time.sleep(30)
    return {"text": "A-1 costs 80"}
"""


@pytest.mark.parametrize(
    ("workers", "number"),
    [("0", signal.SIGINT), ("1", signal.SIGINT), ("0", signal.SIGTERM), ("1", signal.SIGTERM)],
)
def test_an_interrupted_run_exits_130_and_keeps_what_was_done(shop, workers, number):
    shop.write("nodes.py", SLOW)
    slow = {"look_up": [{"output": {"id": "slow", "price": 80}}]}
    shop.suite(
        {"id": "a", "checks": [shop.check]},
        {"id": "b", "checks": [shop.check], "fixtures": slow},
        {"id": "d", "checks": [shop.check]},
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "flowjury.cli.main", "run", "--workers", workers],
        cwd=shop.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    deadline = time.monotonic() + 20
    while not (shop.root / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    report = shop.refresh()

    assert process.returncode == 130
    assert err.decode().splitlines() == ["flowjury: interrupted; what had finished is stored"]
    assert "the run did not come to its end" in out.decode()
    assert out.decode().endswith("exit 130 instead: interrupted; to go on: flowjury run --resume\n")
    assert [(case.id, case.status.value) for case in report.cases] == [
        ("a", "passed"),
        ("b", "not-run"),
        ("d", "not-run"),
    ]
    assert report.exit == 3


def test_code_that_is_edited_between_two_runs_of_one_process_is_what_runs(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    first = shop.run().exit
    shop.write("nodes.py", shop.nodes.replace(" costs ", " COSTS "))

    assert (first, shop.run().exit, shop.refresh().exit) == (0, 1, 1)


def test_an_evaluator_that_is_edited_between_two_runs_of_one_process_is_what_answers(shop):
    shop.write("rules.py", "def rule(context, _):\n    return True\n")
    shop.suite({"id": "c", "checks": [{"kind": "evaluator", "use": "rules:rule"}]})
    first = shop.run().exit
    shop.write("rules.py", "def rule(context, _):\n    return False\n")

    assert (first, shop.run().exit) == (0, 1)


CONNECTING = """
import socket
try:
    socket.gethostbyname("api.example.org")
except OSError:
    pass
"""


def test_code_that_goes_live_while_it_is_imported_is_refused_on_replay(shop):
    shop.write("nodes.py", CONNECTING + shop.nodes)
    shop.suite({"id": "c", "checks": [shop.check]})

    with pytest.raises(InputError) as caught:
        shop.run()

    (fault,) = caught.value.faults
    assert (Path(fault.file).name, fault.pointer) == ("shop.suite.json", "/target")
    assert fault.message == (
        "its code connects to api.example.org while it is imported, and on `data: replay` only"
        " fixtures may answer; connect inside a boundary node, or run the suite with `data: live`"
    )


def test_programs_that_a_case_starts_on_replay_are_noted_in_the_report(shop):
    start = "import subprocess, sys\nprogram = [sys.executable, '-c', '']\n"
    body = (
        "\ndef answer(given):\n    subprocess.run(program)\n    return {'text': 'A-1 costs 80'}\n"
    )
    shop.write("nodes.py", start + shop.nodes + body)
    shop.suite({"id": "c", "checks": [shop.check]})
    report = shop.run()

    name = Path(sys.executable).name
    assert report.exit == 0
    assert report.notes == (
        f"case 'c' started programs ({name}); what they connect to is not seen",
    )


DEAF = """
import time
def look_up(given):
    return {"id": given["id"], "price": 80}
def answer(given):
    if given["order"]["id"] == "slow":
        try:
            open("started", "w").close()
            time.sleep(30)
        except BaseException:
            pass
    while given["order"]["id"] == "deaf":
        try:
            open("started", "w").close()
            time.sleep(30)
        except BaseException:
            open("deaf", "w").close()
    return {"text": "A-1 costs 80"}
"""


def wait_for(file):
    deadline = time.monotonic() + 20
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def deaf_run(shop, order):
    shop.write("nodes.py", DEAF)
    deaf = {"look_up": [{"output": {"id": order, "price": 80}}]}
    shop.suite(
        {"id": "a", "checks": [shop.check]},
        {"id": "b", "checks": [shop.check], "fixtures": deaf},
        {"id": "d", "checks": [shop.check]},
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "flowjury.cli.main", "run", "--workers", "0"],
        cwd=shop.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    wait_for(shop.root / "started")
    process.send_signal(signal.SIGINT)
    return process


def kept(shop):
    return [(case.id, case.status.value) for case in shop.refresh().cases]


def test_an_interruption_that_code_catches_stops_the_run_all_the_same(shop):
    process = deaf_run(shop, "slow")
    _, err = process.communicate(timeout=20)

    assert process.returncode == 130
    assert err.splitlines() == ["flowjury: interrupted; what had finished is stored"]
    assert kept(shop) == [("a", "passed"), ("b", "not-run"), ("d", "not-run")]


def test_a_second_interruption_ends_what_catches_every_one(shop):
    process = deaf_run(shop, "deaf")
    wait_for(shop.root / "deaf")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)

    assert process.returncode == 130
    assert err.splitlines() == [
        "flowjury: interrupted twice, so ended at once; what had finished is stored"
    ]
    assert kept(shop) == [("a", "passed"), ("b", "not-run"), ("d", "not-run")]


def test_the_data_mode_is_one_of_three():
    assert data_mode(None) is None
    assert data_mode("live") == "live"
    with pytest.raises(UsageError, match="--data 'lve' is not one of replay, record, live"):
        data_mode("lve")


def test_a_python_target_runs_a_callable(shop):
    shop.write("code.py", "")
    shop.write("answers.py", "def call(given):\n    return {'text': given['id'] + ' costs 80'}\n")
    target = {"kind": "python", "call": "answers:call"}
    case = shop.run_case({"fixtures": {}, "checks": [shop.check]}, target=target, workflow=None)

    assert case.status is Status.PASSED


def test_a_trace_target_reads_what_was_observed_before(shop):
    shop.write(
        "traces/c.json", {"format": 1, "status": "finished", "output": {"text": "A-1 costs 80"}}
    )
    shop.suite(
        {"id": "c", "trace": "traces/c.json", "checks": [shop.check]},
        target={"kind": "trace"},
        workflow=None,
    )
    before = shop.run()
    shop.write(
        "traces/c.json", {"format": 1, "status": "finished", "output": {"text": "A-1 costs 81"}}
    )
    edited = shop.refresh()
    again = shop.run()

    assert [report.exit for report in (before, edited, again)] == [0, 3, 1]
    assert edited.cases[0].reason == "stimulus changed: trace"


BIG = """
import random
def look_up(given):
    return {"id": given["id"], "price": 80}
def answer(given):
    odd = "".join(random.choices("0123456789abcdef", k=4_000_000))
    return {"text": "A-1 costs 80"} | ({"odd": odd} if given["order"]["id"] == "big" else {})
"""


LIMITED = """
import resource
from flowjury.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
main(["run"])
"""
MANY = """
import random


def look_up(given):
    return {}


def answer(given):
    return {"text": random.Random(1).randbytes(30_000).hex()}
"""


def test_a_disk_that_stays_full_ends_the_run_and_what_was_stored_is_kept(shop):
    shop.write("nodes.py", MANY)
    check = {"kind": "value", "at": "/output/text", "op": "exists"}
    shop.suite(*({"id": f"c{number:02}", "checks": [check]} for number in range(60)))
    process = subprocess.run(
        [sys.executable, "-c", LIMITED],
        cwd=shop.root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    reasons = {case.status.value: case.reason for case in shop.refresh().cases}

    assert (process.returncode, process.stderr.count("\n")) == (4, 1)
    assert "runs.db: the disk " in process.stderr
    assert "; free some space" in process.stderr
    assert reasons["passed"] is None
    assert reasons["not-run"] == "the run did not come to its end"


def test_a_trace_that_does_not_fit_on_the_disk_is_an_error_and_the_others_are_kept(shop):
    shop.write("nodes.py", BIG)
    big = {"look_up": [{"output": {"id": "big", "price": 80}}]}
    shop.suite(
        {"id": "a", "checks": [shop.check]},
        {"id": "b", "checks": [shop.check], "fixtures": big},
        {"id": "d", "checks": [shop.check]},
    )
    process = subprocess.run(
        [sys.executable, "-c", LIMITED],
        cwd=shop.root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    [a, b, d] = shop.refresh().cases

    assert (process.returncode, "Traceback" in process.stderr) == (4, False)
    assert [case.status.value for case in (a, b, d)] == ["passed", "error", "passed"]
    assert b.reason.startswith("store: ")


@pytest.mark.parametrize("data", ["replay", "record"])
def test_broken_fixture_files_are_found_before_any_case_runs(shop, data):
    shop.suite({"id": "a", "fixtures": {}}, {"id": "b", "fixtures": {}}, data=data)
    shop.write("fixtures/a.yaml", "format: 1\ncase: a\nfixture: {}\n")
    shop.write("fixtures/b.yaml", "format: 1\ncase: x\nfixtures: {}\n")

    with pytest.raises(InputError) as caught:
        shop.run()

    assert [fault.pointer for fault in caught.value.faults] == ["/fixture", "/case"]
    assert shop.told == []


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("replay", "cannot be kept from going live"),
        ("record", "has no boundary nodes whose answers could be recorded"),
    ],
)
def test_a_target_that_serves_no_fixtures_only_goes_live(shop, data, why):
    checks = [{"kind": "value", "at": "/output", "op": "equals", "value": 1}]
    target = {"kind": "command", "run": ["true"]}
    shop.suite({"id": "c", "fixtures": {}, "checks": checks}, workflow=None, target=target)

    with pytest.raises(InputError, match=f"target command {why}; say `data: live`"):
        shop.run(data=data)
