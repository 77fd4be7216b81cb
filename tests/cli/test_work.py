from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        (["passes"], 0),
        (["passes", "fails"], 1),
        (["passes", "asks"], 3),
        (["unknown"], 3),
        (["fails", "unknown"], 1),
        (["fails", "broken", "asks"], 4),
    ],
)
def test_the_exit_says_what_came_of_it(flowjury, cases, code):
    flowjury.suite(*cases)

    assert [flowjury("run").code, flowjury("refresh").code] == [code, code]


def test_a_run_prints_its_report_and_where_it_lies(flowjury, normal):
    flowjury.suite("passes")

    assert normal(flowjury("run").out) == (
        "shop · run RUN · data: replay\n"
        "  ✓ 1 passed   of 1 case\n"
        "exit 0: passed\n"
        "reports: ROOT/.flowjury/reports/shop/RUN (report.json, report.xml, report.md)\n"
    )


def test_verbose_names_what_passed(flowjury):
    flowjury.suite("passes")

    assert "PASSED  passes" in flowjury("run", "--verbose").out


@pytest.mark.parametrize(("cases", "code"), [(["fails"], 1), (["asks"], 3)])
def test_advisory_exits_0_and_says_so(flowjury, cases, code):
    flowjury.suite(*cases)
    printed = flowjury("run", "--advisory")
    as_json = flowjury("refresh", "--advisory", "--json")

    assert (printed.code, printed.err) == (0, f"flowjury: advisory: exit 0 instead of {code}\n")
    assert (as_json.code, as_json.json[0]["exit"]) == (0, code)


def test_advisory_hides_no_error(flowjury):
    flowjury.suite("broken")

    assert flowjury("run", "--advisory").code == 4


def test_cases_can_be_chosen_in_three_ways(flowjury):
    flowjury.suite("passes", "fails", "asks")

    assert flowjury("run", "--case", "passes").code == 0
    assert flowjury("run", "-k", "FAIL").code == 1
    assert flowjury("run", "-c", "passes", "-c", "asks").code == 3
    refused = flowjury("run", "--tag", "smoke")
    assert (refused.code, refused.err) == (2, "flowjury: no tag is named 'smoke' (known: none)\n")


def test_a_partial_run_says_so(flowjury):
    flowjury.suite("passes", "fails")
    printed = flowjury("run", "-c", "passes", "--json")

    assert (printed.code, printed.json[0]["partial"]) == (0, True)


def test_several_suites_run_in_one_command_and_the_worst_decides(flowjury):
    flowjury.suite("passes", name="one", folder="one")
    flowjury.suite("asks", name="two", folder="two")
    flowjury.suite("fails", name="three", folder="three")
    all_of = flowjury("run", "--json")

    assert (all_of.code, [report["suite"] for report in all_of.json]) == (
        1,
        ["one", "three", "two"],
    )
    assert flowjury("run", "one", "two").code == 3
    assert flowjury("run", "one/one.suite.yaml").code == 0
    assert len({report["run"] for report in flowjury("refresh", "--json").json}) == 3


def test_reports_are_written_in_the_formats_that_are_asked_for(flowjury):
    flowjury.suite("fails")
    printed = flowjury("run", "--report", "junit=out/junit.xml", "--report", "markdown=out.md")

    assert printed.code == 1
    assert (flowjury.root / "out/junit.xml").read_text().startswith("<?xml")
    assert "shop" in (flowjury.root / "out.md").read_text()


def test_reports_of_several_suites_are_numbered_by_their_names(flowjury):
    flowjury.suite("passes", name="one", folder="one")
    flowjury.suite("passes", name="two", folder="two")
    flowjury("run", "--report", "json=out.json")

    assert sorted(path.name for path in flowjury.root.glob("out*")) == [
        "out-one.json",
        "out-two.json",
    ]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("junit", "--report 'junit': write FORMAT=FILE, for example junit=out.xml"),
        ("junti=x", "no member of formats is named 'junti'; nearest is 'junit'"),
    ],
)
def test_a_wrong_report_is_refused_before_anything_runs(flowjury, wanted, message):
    flowjury.suite("passes")
    printed = flowjury("run", "--report", wanted)

    assert printed.code == 2
    assert message in printed.err
    assert not (flowjury.root / ".flowjury").exists()


def test_a_report_never_takes_the_place_of_a_suite(flowjury):
    path = flowjury.suite("passes")
    before = path.read_text()
    refused = flowjury("run", "--report", f"json={path}")
    ran = flowjury("run", "--report", "json=out.json", "--report", "junit=out.xml")
    doubled = flowjury("run", "--report", "json=out.json", "--report", "junit=./out.json")

    assert (refused.code, ran.code, doubled.code) == (2, 0, 2)
    assert "--report json=out.json writes out.json, too; name another file" in doubled.err
    assert ".suite.yaml: a report would take the place of this file" in refused.err
    assert len(list((flowjury.root / ".flowjury/reports/shop").glob("2*"))) == 1
    for command in (["report", "-o"], ["refresh", "--report"]):
        name = str(path) if command[0] == "report" else f"json={path}"
        assert flowjury(*command, name).code == 2
    assert path.read_text() == before


def test_a_report_that_cannot_be_written_exits_4_and_keeps_the_run(flowjury):
    flowjury.suite("passes")
    flowjury.write("file", "")
    printed = flowjury("run", "--report", "json=file/out.json")

    assert printed.code == 4
    assert "file" in printed.err
    assert "1 passed" in printed.out
    assert flowjury("refresh").code == 0


def test_written_reports_are_named(flowjury):
    flowjury.suite("passes", name="one", folder="one")
    flowjury.suite("passes", name="two", folder="two")
    printed = flowjury("run", "--report", "json=out.json")
    as_json = flowjury("refresh", "--report", "junit=x.xml", "--json")

    assert printed.out.splitlines()[-3:] == [
        "written: out-one.json",
        "written: out-two.json",
        "exit 0: passed (2 suites)",
    ]
    assert as_json.err.splitlines() == [
        "flowjury: written: x-one.xml",
        "flowjury: written: x-two.xml",
    ]
    assert len(as_json.json) == 2


def test_several_suites_come_by_path_and_end_with_one_exit(flowjury):
    for name, case in (("b", "passes"), ("a", "fails"), ("c", "asks")):
        flowjury.suite(case, name=name, folder=name)
        flowjury("run", name)
    refreshed = flowjury("refresh")
    heads = [line.split()[0] for line in refreshed.out.splitlines() if " · run " in line]

    assert (refreshed.code, heads) == (1, ["a", "b", "c"])
    assert refreshed.out.splitlines()[-1] == "exit 1: failed (3 suites)"
    assert [report["suite"] for report in flowjury("report", "--json").json] == ["a", "b", "c"]


@pytest.mark.parametrize("name", ["json", "junit"])
def test_reports_of_several_suites_are_printed_as_one_only_where_a_format_can(flowjury, name):
    for suite in ("a", "b"):
        flowjury.suite("passes", name=suite, folder=suite)
    flowjury("run")
    refused = flowjury("report", "--format", name)

    assert (refused.code, refused.out, refused.err) == (
        2,
        "",
        (
            f"flowjury: {name} holds one report, and there are 2 (a, b): name one suite, or "
            "write each to a file of its own with --output FILE\n"
        ),
    )
    assert flowjury("report", "--format", name, "a/a.suite.yaml").code == 0
    assert flowjury("report", "--format", "markdown").out.count("###") == 2


@pytest.mark.parametrize("name", ["console", "json", "junit", "markdown"])
def test_a_report_is_printed_or_written_in_any_format(flowjury, name):
    flowjury.suite("passes", "fails")
    flowjury("run")
    printed = flowjury("report", "--format", name)
    written = flowjury("report", "-f", name, "--output", "out.txt")

    assert (printed.code, written.code, written.out) == (0, 0, "written: out.txt\n")
    assert printed.out.strip() == (flowjury.root / "out.txt").read_text().strip()


def test_recording_says_what_it_wrote_and_a_replay_passes(flowjury):
    path = flowjury.suite("broken")
    recorded = flowjury("record")

    assert recorded.code == 0
    assert recorded.out.startswith("recorded: ")
    assert (path.parent / "fixtures" / "broken.yaml").is_file()
    assert flowjury("run").code == 0
    assert json.loads(flowjury("record", "--json").out)[0]["exit"] == 0


def test_recording_says_which_fixtures_it_kept(flowjury):
    flowjury.suite("broken")
    flowjury("record")
    nodes = flowjury.write("nodes.py", "def answer(given):\n    raise ValueError\n")
    nodes.write_text("def look_up(given):\n    return {}\n\n\n" + nodes.read_text())
    sys.modules.pop("nodes")
    printed = flowjury("record", "shop.suite.yaml", "--json")

    assert printed.err == "flowjury: kept fixtures/broken.yaml: the case did not end as expected\n"
    assert printed.code == 1


def test_the_data_mode_is_checked(flowjury):
    flowjury.suite("passes")
    printed = flowjury("run", "--data", "lvie")

    assert (printed.code, printed.err) == (
        2,
        "flowjury: --data 'lvie' is not one of replay, record, live\n",
    )


COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(desk, *arguments, **env):
    """Give a command on a terminal; return what the terminal was sent."""
    desk_end, command_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "flowjury.cli.main", *arguments],
        cwd=desk.root,
        stdin=command_end,
        stdout=command_end,
        stderr=command_end,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "TERM": "xterm",
            **env,
        },
    )
    os.close(command_end)
    sent = b""
    while select.select([desk_end], [], [], 30)[0]:
        try:
            sent += (read := os.read(desk_end, 65536))
        except OSError:
            break
        if not read:
            break
    os.close(desk_end)
    process.wait(30)
    return sent.decode()


def test_colours_and_progress_are_for_terminals_only(flowjury):
    flowjury.suite("passes", "fails")
    shown = on_terminal(flowjury, "run", NO_COLOR="1")
    coloured = on_terminal(flowjury, "run")
    piped = flowjury.process("run")

    assert COLOUR.findall(coloured)
    assert "shop: 1 of 2  passes" in coloured
    assert not COLOUR.findall(shown)
    assert (COLOUR.findall(piped.stdout + piped.stderr), piped.stderr) == ([], "")


def test_a_reader_that_stops_reading_is_no_reason_to_complain(flowjury):
    flowjury.suite("passes")
    flowjury("run")
    command = f"{sys.executable} -m flowjury.cli.main show passes --at '' --json | head -c 1"
    shown = subprocess.run(
        ["sh", "-c", command],
        cwd=flowjury.root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    closed = flowjury.process("schema", "suite", env={"PYTHONUNBUFFERED": "1"})

    assert (shown.stdout, shown.stderr) == ("{", "")
    assert closed.returncode == 0


def test_shards_share_the_cases_out_and_an_empty_one_says_so_and_passes(flowjury):
    flowjury.suite("passes", "fails")
    shards = [flowjury("run", "--json", "--shard", f"{number}/3") for number in (1, 2, 3)]
    ran = [
        [case["id"] for report in shard.json for case in report["cases"] if case["trials"]]
        for shard in shards
    ]
    empty = flowjury("run", "--shard", "2/3", "--report", "junit=out.xml")

    assert ran == [["fails"], [], ["passes"]]
    assert (empty.code, empty.out) == (0, "")
    assert empty.err == "flowjury: shard 2/3 holds none of the chosen cases\n"
    assert not (flowjury.root / "out.xml").exists()


def test_last_failed_runs_again_what_did_not_pass(flowjury):
    flowjury.suite("passes", "fails")
    first = flowjury("run", "--last-failed", "--json")
    second = flowjury("run", "--last-failed", "--json")

    assert [case["status"] for case in first.json[0]["cases"]] == ["passed", "failed"]
    assert first.err == "flowjury: --last-failed: no run is stored, so no case is left out\n"
    assert [case["reason"] for case in second.json[0]["cases"]] == ["not selected", None]
    assert second.err == "flowjury: --last-failed: 1 case did not pass in the newest run\n"


def test_a_word_of_k_is_denied(flowjury):
    flowjury.suite("passes", "fails")
    ran = flowjury("run", "-k", "not fail", "--json")

    assert [case["reason"] for case in ran.json[0]["cases"]] == [None, "not selected"]


def test_annotations_follow_the_report_on_standard_output(flowjury):
    flowjury.suite("fails", name="a")
    flowjury.suite("fails", name="b")
    ran = flowjury.process("run", "--report", "github=-")
    lines = [line for line in ran.stdout.splitlines() if line.startswith("::")]

    assert (ran.returncode, [line.partition("::✗")[0] for line in lines]) == (
        1,
        [
            f"::error file={name}.suite.yaml,line=6,title={name}%3A fails failed"
            for name in ("a", "b")
        ],
    )


@pytest.mark.parametrize("command", ["run", "refresh"])
def test_json_and_a_report_do_not_share_standard_output(flowjury, command):
    flowjury.suite("passes")
    flowjury("run")
    refused = flowjury(command, "--json", "--report", "github=-")

    assert (refused.code, refused.err) == (
        2,
        "flowjury: --report github=-: with --json, standard output holds that alone\n",
    )
