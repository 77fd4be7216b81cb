"""The target `command`: programs that answer, and those that do anything else."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from threading import Thread

import pytest
from pydantic import ValidationError

from flowjury.case import Resume
from flowjury.errors import InputError
from flowjury.job import Job, Place, Turn
from flowjury.targets.command import CommandTarget

PYTHON = [sys.executable, "-I", "-S"]
OPAQUE = "$flowjury.opaque"


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    yield made
    made.close()


class Bench:
    """Runs programs that are written as text."""

    def __init__(self, root):
        self.root = root
        self.opened = []

    def python(self, program, **options):
        """Prepare a program in Python."""
        number = len(self.opened)
        (self.root / f"program{number}.py").write_text(dedent(program))
        return self.prepared([*PYTHON, f"{{suite}}/program{number}.py"], **options)

    def shell(self, program, **options):
        return self.prepared(["sh", "-c", program], **options)

    def prepared(self, run, **options):
        target = CommandTarget(kind="command", run=run, **options)
        place = Place(root=self.root, workflow=None, read=lambda file: file.read_bytes())
        self.opened.append(target.prepare(place))
        return self.opened[-1]

    def close(self):
        for each in self.opened:
            each.close()


def job(*turns, given=None, timeout=30, mask=(), case="refund-over-limit"):
    return Job(
        case=case,
        trial=1,
        turns=turns or (Turn(id=None, input=given),),
        data="live",
        fixtures={},
        ignore={},
        mask=mask,
        timeout=timeout,
    )


def echo(text):
    """Write a shell command that reads its input and prints exactly this."""
    return f"cat >/dev/null; printf '%s' '{text}'"


ECHO = """
    import json, sys
    for line in sys.stdin:
        given = json.loads(line)
        print(json.dumps({"output": given}), flush=True)
"""


# --- what it says ---


@pytest.mark.parametrize(
    ("printed", "output"),
    [
        ('{"output": {"message": "hi"}}', {"message": "hi"}),
        ('{"output": null}', None),
        ('{"message": "hi"}', {"message": "hi"}),
        ("[1, 2]\n", [1, 2]),
        ('\ufeff{"output": 1}\n', 1),
        ('loading\n{"level": "info"}\n{"output": 1}\nbye\n', 1),
        ('{"output": 1}\r\n{"output": 2}\r\n', 2),
        ('{"output": 3, "error": null}', 3),
        ('{\n  "output": 3\n}\n', 3),
        ('{"output": "\\u2028"}', "\u2028"),
    ],
)
def test_the_answer_is_the_last_line_that_is_one_or_all_that_is_printed(bench, printed, output):
    observed = bench.shell(echo(printed)).observe(job())

    assert observed.fault is None
    assert (observed.trace.status, observed.trace.output) == ("finished", output)
    assert (observed.trace.exit_code, observed.trace.exited) == (0, None)


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("", "it printed nothing"),
        (" \n\n", "it printed nothing"),
        ("Done.", 'it printed no answer: "Done."; print {"output": …} as one line of its own'),
        ('{"a": 1}\n{"b": 2}\n', "it printed 2 JSON values, and none is an answer"),
        ('log\n{"a": 1}\n', "it printed no answer"),
        ('{"output": 1}\n{"output": 1, "output": 2}\n', "its answer is no JSON"),
        ('{"output": 1}\n{"x": 0, "output": ', "its answer is no JSON"),
        ('{"output": 1, "otput": 2}', "'otput' is not a key here; nearest is 'output'"),
        ('{"output": 1, "error": "no"}', "an answer has one of `output`, `error` and `wait`"),
        ('{"error": null}', "an answer has one of `output`, `error` and `wait`"),
        ('{"wait": 3}', "/wait"),
        ('{"output": 1, "usage": {"ai_units": "many"}}', "/usage/ai_units"),
        ("[" * 300 + "]" * 300, "it printed no answer"),
        ('{"output": ' + "[" * 205 + "]" * 205 + "}", "nested deeper than 200 levels"),
    ],
)
def test_what_is_no_answer_is_told_by_name(bench, printed, why):
    trace = bench.shell(echo(printed)).observe(job()).trace

    assert not trace.recorded("output")
    assert trace.exited.startswith("the program exited with code 0 without an answer: ")
    assert why in trace.exited


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (r"printf '\377\376{\0}\0'", "it printed UTF-16, not UTF-8"),
        (r"printf '\351'", "it printed what is not UTF-8: byte 0xe9 at offset 0"),
    ],
)
def test_another_encoding_than_utf_8_is_refused_by_name(bench, program, why):
    assert why in bench.shell(program).observe(job()).trace.exited


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ('"no order"', ("Error", "no order")),
        ('{"type": "KeyError", "message": "no order"}', ("KeyError", "no order")),
    ],
)
def test_an_error_that_the_program_tells_is_an_observation_whatever_its_exit_code(
    bench, error, told
):
    observed = bench.shell(echo(f'{{"error": {error}}}') + "; exit 4").observe(job())
    trace = observed.trace

    assert observed.fault is None
    assert (trace.status, trace.error.type, trace.error.message) == ("error", *told)
    assert (trace.exit_code, trace.exited) == (4, None)


def test_a_program_may_tell_what_it_did_and_spent(bench):
    node = {"id": "e", "node": "a", "visit": "v", "status": "ok", "start_ns": 0, "end_ns": 1}
    answer = {
        "output": {"api_key": "k", "n": 1},
        "usage": {"ai_units": 2},
        "trace": {"executions": [node], "complete": {"executions": True}},
    }
    trace = bench.shell(echo(json.dumps(answer))).observe(job()).trace

    assert trace.output == {"api_key": "***", "n": 1}
    assert trace.usage == {"ai_units": 2}
    assert [each.node for each in trace.executions] == ["a"]
    assert trace.complete == {"executions": True, "usage": True, "effects": True}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"files": {}}, "its trace has 'files', which it cannot tell"),
        ({"exit_code": 0}, "its trace has 'exit_code', which it cannot tell"),
        ({"output": 2}, "its trace has output 2, but 1 is so; leave it out"),
        ({"status": "error"}, 'its trace has status "error", but "finished" is so'),
        ({"format": 2}, "its trace has format 2, not 1"),
        ({"executions": [{"id": "e"}]}, "its trace: /executions/0: key 'node' is missing"),
        ({"complete": {"excutions": True}}, "/complete/excutions"),
        ({"usage": {"tokens": -1}}, "its trace: /usage/tokens: -1 is less than nothing"),
        ({"complete": 3}, "its trace has complete 3, no object"),
        ({"executions": 3}, "its trace: /executions"),
        ({"usage": {"tokens": 1}}, None),
    ],
)
def test_a_trace_that_a_program_tells_may_not_contradict_what_is_known(bench, told, why):
    answer = {"output": 1, "trace": told}
    fault = bench.shell(echo(json.dumps(answer))).observe(job()).fault

    assert (fault is None) == (why is None)
    assert fault is None or (fault.kind == "target" and why in fault.message)


def test_an_answer_and_its_trace_tell_of_one_usage(bench):
    answer = {"output": 1, "usage": {"tokens": 2}, "trace": {"usage": {"tokens": 1}}}
    fault = bench.shell(echo(json.dumps(answer))).observe(job()).fault

    assert fault.message == "its answer and its trace have another `usage` each; leave one out"


# --- what it is given ---


def test_a_program_is_given_the_input_and_nothing_else(bench, monkeypatch):
    monkeypatch.setenv("FLOWJURY_SECRET", "expected")
    monkeypatch.setenv("OF_THE_SHELL", "not asked for")
    monkeypatch.setenv("OF_THE_SUITE", "asked for")
    program = """
        import json, os, sys
        print(json.dumps([sys.stdin.read(), dict(os.environ), os.getcwd(), sys.argv[1:]]))
    """
    prepared = bench.python(program, env=["OF_THE_SUITE"], workspace=True)
    given, environment, folder, words = prepared.observe(job(given={"q": "ü"})).trace.output

    assert given == '{"input":{"q":"\\u00fc"}}\n'
    assert environment["OF_THE_SUITE"] == "asked for"
    assert not {"FLOWJURY_SECRET", "OF_THE_SHELL"} & environment.keys()
    assert "refund" not in f"{environment}{folder}{words}"


def test_a_program_runs_beside_the_suite_unless_it_has_a_workspace(bench):
    prepared = bench.python("import json, os; print(json.dumps(os.getcwd()))")

    assert prepared.observe(job()).trace.output == str(bench.root)


def test_an_input_that_nobody_reads_is_no_fault(bench):
    prepared = bench.shell("printf 1")

    assert prepared.observe(job(given="x" * 2_000_000)).trace.output == 1


def test_a_large_input_and_a_large_output_pass_each_other(bench):
    program = "import sys\nfor line in sys.stdin: sys.stdout.write(line.replace('input', 'output'))"
    given = "x" * 3_000_000

    assert bench.python(program).observe(job(given=given)).trace.output == given


def test_a_secret_of_the_environment_is_hidden_wherever_it_is_written(bench, monkeypatch):
    monkeypatch.setenv("SHOP_API_KEY", "plain-words")
    monkeypatch.setenv("SHOP_TOKEN", "short")
    program = """
        import json, os, sys
        key = os.environ["SHOP_API_KEY"]
        print("key", key, os.environ["SHOP_TOKEN"], file=sys.stderr)
        open("log", "w").write(f"used {key}")
        print(json.dumps({"output": [f"with {key}"]}))
    """
    prepared = bench.python(program, env=["SHOP_API_KEY", "SHOP_TOKEN"], workspace=True)
    trace = prepared.observe(job()).trace

    assert trace.output == ["with ***"]
    assert trace.effects["stderr"] == "key *** short\n"
    assert trace.files == {"log": "used ***"}


def test_a_program_may_be_a_long_word_of_its_command(bench):
    program = "import json; print(1)" + " " * 5_000
    prepared = bench.prepared([*PYTHON, "-c", program])

    assert prepared.observe(job()).trace.output == 1
    assert CommandTarget(kind="command", run=["sh", "-c", program]).files(bench.root, "c") == []


# --- how it ends ---


def test_an_exit_without_an_answer_says_the_last_line_of_standard_error(bench):
    observed = bench.shell("echo one >&2; echo 'password=hunter22' >&2; exit 3").observe(job())

    assert observed.fault is None
    assert (observed.trace.status, observed.trace.exit_code) == ("finished", 3)
    assert observed.trace.exited == (
        "the program exited with code 3 without an answer: it printed nothing;"
        ' the last line of its standard error: "password=***"'
    )
    assert observed.trace.effects == {"stderr": "one\npassword=***\n"}


def test_another_exit_code_than_0_after_an_answer_is_no_quiet_success(bench):
    trace = bench.shell(echo('{"output": 1}') + "; exit 5").observe(job()).trace

    assert (trace.output, trace.exit_code) == (1, 5)
    assert trace.exited == "the program exited with code 5 after its answer"


def test_a_program_that_a_signal_ends_has_crashed_whatever_it_answered(bench):
    observed = bench.shell(echo('{"output": 1}') + "; kill -SEGV $$").observe(job())

    assert (observed.fault.kind, observed.trace.status) == ("crash", "crashed")
    assert observed.fault.message == "the program was ended by SIGSEGV"


def test_a_program_that_hangs_is_killed_with_all_it_started(bench):
    pids = bench.root / "pids"
    program = f"echo $$ >{pids}; sleep 600 & echo $! >>{pids}; echo up >&2; wait"
    began = time.monotonic()
    observed = bench.shell(program).observe(job(timeout=1.5))

    assert time.monotonic() - began < 10
    assert (observed.fault.kind, observed.trace.status) == ("timeout", "timeout")
    assert observed.fault.message == (
        "the program was still running after 1.5 seconds; it was killed with all that it had"
        ' started; the last line of its standard error: "up"'
    )
    assert [gone(int(pid)) for pid in pids.read_text().split()] == [True, True]


def test_a_child_that_keeps_the_output_open_is_no_hang_and_ends_with_its_case(bench):
    pid = bench.root / "pid"
    program = f"sleep 600 & echo $! >{pid}; " + echo('{"output": 1}')
    began = time.monotonic()
    observed = bench.shell(program).observe(job(timeout=60))

    assert time.monotonic() - began < 10
    assert (observed.fault, observed.trace.output) == (None, 1)
    assert gone(int(pid.read_text()))


def test_a_program_that_closes_its_output_is_still_waited_for(bench):
    began = time.monotonic()
    trace = bench.shell("echo 1; exec >&- 2>&-; sleep 0.3; exit 7").observe(job()).trace

    assert time.monotonic() - began > 0.25
    assert trace.exit_code == 7


def test_a_flood_of_output_is_refused_by_name(bench):
    observed = bench.shell("yes").observe(job())

    assert (observed.fault.kind, observed.trace.output) == ("target", None)
    assert observed.fault.message == (
        "the program printed more than 16 MB; write what is large into a file"
    )


def test_of_a_flood_of_standard_error_its_beginning_and_end_are_kept(bench):
    program = """
        import sys
        sys.stderr.write("first" + "x" * 300_000 + "last")
        print(1)
    """
    trace = bench.python(program).observe(job()).trace
    said = trace.effects["stderr"]

    assert said.startswith("firstx")
    assert said.endswith("xlast")
    assert f"\n… {300_009 - 2 * 2**16} bytes were not kept …\n" in said
    assert trace.complete["effects"] is False


def test_standard_error_in_any_encoding_is_evidence(bench):
    assert bench.shell(r"printf '\377' >&2; echo 1").observe(job()).trace.effects == {
        "stderr": "\\xff"
    }


# --- conversations ---


def test_each_turn_of_a_conversation_is_a_process_in_one_workspace(bench):
    program = """
        import json, pathlib, sys
        given = json.load(sys.stdin)
        seen = pathlib.Path("seen.txt")
        before = seen.read_text() if seen.exists() else ""
        seen.write_text(before + str(given["step"]))
        if "resume" in given:
            print(json.dumps({"output": [before, given["resume"]["action"]]}))
        else:
            print(json.dumps({"wait": "manager"}))
    """
    turns = (
        Turn(id="a", input=1),
        Turn(id="b", resume=Resume(wait="manager", action="approve")),
    )
    observed = bench.python(program, workspace=True).observe(job(*turns))
    first, second = (step.trace for step in observed.trace.steps)

    assert observed.fault is None
    assert (first.status, first.wait, second.output) == ("wait", "manager", ["1", "approve"])
    assert (first.files, second.files) == ({"seen.txt": "1"}, {"seen.txt": "12"})
    assert first.effects["writes"] == second.effects["writes"] == ["seen.txt"]
    assert (observed.trace.status, observed.trace.output) == ("finished", ["1", "approve"])
    assert observed.trace.files == {"seen.txt": "12"}
    assert observed.trace.complete == {"effects": True, "files": True}


def test_a_step_that_resumes_what_does_not_wait_is_not_run(bench):
    turns = (Turn(id="a", input=1), Turn(id="b", resume=Resume(wait="m", action="approve")))
    observed = bench.shell(echo("1")).observe(job(*turns))

    assert (observed.fault.kind, observed.fault.step) == ("not-waiting", "b")
    assert observed.fault.message == (
        "step 'b' resumes the wait 'm', but nothing waits there (it ended with finished)"
    )
    assert [step.id for step in observed.trace.steps] == ["a"]


def test_a_turn_that_breaks_is_the_last(bench):
    turns = [Turn(id=name, input=name) for name in "abc"]
    program = "read line; case $line in *b*) kill -9 $$;; esac; echo 1"
    observed = bench.shell(program.replace("*b*", '*\\"b\\"*')).observe(job(*turns))

    assert (observed.fault.kind, observed.fault.step) == ("crash", "b")
    assert [step.trace.status for step in observed.trace.steps] == ["finished", "crashed"]


# --- the workspace ---


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "workspace"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "orders.json").write_text("[]")
    (folder / "old.txt").write_text("old")
    (folder / "kept.txt").write_text("kept")
    return folder


def test_what_a_program_writes_and_deletes_is_seen_in_a_copy(bench, workspace):
    program = (
        "mkdir out; echo new >out/a.txt; rm old.txt; printf X >kept.txt; "
        "cat data/orders.json; pwd >&2"
    )
    trace = bench.shell(program, workspace="workspace").observe(job()).trace

    assert trace.effects["writes"] == ["kept.txt", "out/a.txt"]
    assert trace.effects["deletes"] == ["old.txt"]
    assert trace.files == {"data/orders.json": "[]", "kept.txt": "X", "out/a.txt": "new\n"}
    assert trace.complete == {"effects": True, "files": True}
    assert (workspace / "old.txt").read_text() == "old"
    assert not Path(trace.effects["stderr"].strip()).exists()


@pytest.mark.usefixtures("workspace")
def test_a_write_that_leaves_size_and_time_as_they_were_is_seen(bench):
    program = (
        "touch -r kept.txt ../t; printf KEPT >kept.txt; touch -r ../t kept.txt; rm ../t; echo 1"
    )
    trace = bench.shell(program, workspace="workspace").observe(job()).trace

    assert trace.effects["writes"] == ["kept.txt"]


def test_each_case_has_a_workspace_of_its_own_by_its_id(bench, workspace):
    workspace.rename(bench.root / "refund-over-limit")
    prepared = bench.shell("rm kept.txt; ls; echo; printf 1", workspace="{id}")
    first, second = (prepared.observe(job()) for _ in range(2))

    assert first.trace.files == second.trace.files
    assert prepared.observe(job(case="other")).fault.message.startswith("workspace ")


def test_files_past_the_limits_are_there_but_not_recorded(bench):
    program = """
        import os
        open("large", "wb").write(b"x" * (2**20 + 1))
        open("binary", "wb").write(b"\\xff")
        for number in range(17):
            open(f"m{number:02}", "wb").write(b"x" * 2**20)
        print(1)
    """
    trace = bench.python(program, workspace=True).observe(job()).trace
    kinds = {name: value.get("text") for name, value in trace.files.items() if name[0] != "m"}

    assert kinds == {
        "large": "1048577 bytes, which are too many to capture",
        "binary": "1 bytes, which are no text in UTF-8",
    }
    assert sum(isinstance(value, str) for value in trace.files.values()) < 17
    assert trace.complete["files"] is True


def test_of_too_many_files_those_that_were_written_are_recorded_first(bench, workspace):
    for number in range(1_100):
        (workspace / f"f{number}").write_text("")
    trace = bench.shell("echo >zz; echo 1", workspace="workspace").observe(job()).trace

    assert len(trace.files) == 1_000
    assert "zz" in trace.files
    assert trace.complete == {"effects": True, "files": False}


def test_no_link_leads_out_of_a_workspace(bench):
    secret = bench.root / "secret"
    secret.write_text("hidden")
    program = f"""
        import os, socket
        os.symlink("{secret}", "soft"); os.symlink("{bench.root}", "folder")
        os.link("{secret}", "hard"); os.mkfifo("pipe")
        socket.socket(socket.AF_UNIX).bind("socket")
        os.symlink(".", "loop")
        print(1)
    """
    trace = bench.python(program, workspace=True).observe(job()).trace

    assert {name: value[OPAQUE] for name, value in trace.files.items()} == {
        "soft": "link",
        "folder": "link",
        "hard": "hard link",
        "pipe": "pipe",
        "socket": "socket",
        "loop": "link",
    }
    assert "hidden" not in trace.model_dump_json()
    assert secret.read_text() == "hidden"


@pytest.mark.parametrize(
    "leads", ["../secret", "/etc/passwd", "../workspace/kept.txt", "data/../../x"]
)
def test_a_link_out_of_the_folder_that_is_copied_is_refused(bench, workspace, leads):
    (workspace / "link").symlink_to(leads)
    fault = bench.shell("echo 1", workspace="workspace").observe(job()).fault

    assert fault.kind == "target"
    assert f"'link' is a link that leads out of it, to {leads!r}" in fault.message


def test_a_link_that_stays_inside_is_copied_as_one(bench, workspace):
    (workspace / "link").symlink_to("data/orders.json")
    trace = bench.shell("cat link", workspace="workspace").observe(job()).trace

    assert (trace.output, trace.files["link"][OPAQUE]) == ([], "link")


def test_a_pipe_in_the_folder_that_is_copied_is_refused(bench, workspace):
    os.mkfifo(workspace / "pipe")
    fault = bench.shell("echo 1", workspace="workspace").observe(job()).fault

    assert "'pipe' is a pipe; put a file in its place" in fault.message


def test_a_program_cannot_keep_its_workspace_from_being_removed(bench):
    program = "mkdir a; echo >a/b; chmod 500 a; pwd >&2; echo 1"
    trace = bench.shell(program, workspace=True).observe(job()).trace

    assert not Path(trace.effects["stderr"].strip()).exists()


def test_folders_without_end_are_no_fault_of_ours(bench):
    program = """
        import os, sys
        print(os.getcwd(), file=sys.stderr)
        for _ in range(1500):
            os.mkdir("d"); os.chdir("d")
        print(1)
    """
    observed = bench.python(program, workspace=True).observe(job())

    assert (observed.fault, observed.trace.output) == (None, 1)
    assert observed.trace.complete == {"effects": False, "files": False}
    assert not Path(observed.trace.effects["stderr"].strip()).exists()


def test_secrets_in_files_are_masked(bench):
    program = """
        open("a.json", "w").write('{"account": "12345678", "n": 1}')
        open("b.txt", "w").write("password=hunter22")
        print(1)
    """
    trace = bench.python(program, workspace=True).observe(job(mask=("account",))).trace

    assert json.loads(trace.files["a.json"]) == {"account": "***", "n": 1}
    assert trace.files["b.txt"] == "password=***"


# --- a kept process ---


def test_a_kept_program_answers_line_by_line(bench):
    prepared = bench.python(
        "import os\n" + dedent(ECHO).replace("given}", "[given, os.getpid()]}"), keep=True
    )
    turns = (Turn(id="a", input=1), Turn(id="b", input=2))
    observed = [prepared.observe(job(given="x")), prepared.observe(job(*turns))]
    (given, pid), (last, same) = (each.trace.output for each in observed)

    assert (given, last, same) == ({"input": "x"}, {"step": 2, "input": 2}, pid)
    assert [step.trace.output[0] for step in observed[1].trace.steps] == [
        {"step": 1, "input": 1},
        {"step": 2, "input": 2},
    ]
    assert observed[0].trace.exit_code is None
    prepared.close()
    assert gone(pid)


def test_logs_of_a_kept_program_are_passed_over_and_its_errors_belong_to_the_case(bench):
    program = """
        import sys
        print("ready", flush=True)
        for number, line in enumerate(sys.stdin):
            print(f"case {number}", file=sys.stderr, flush=True)
            print('{"level": "info"}')
            print('{"output": %d}' % number, flush=True)
    """
    prepared = bench.python(program, keep=True)
    traces = [prepared.observe(job()).trace for _ in range(2)]

    assert [trace.output for trace in traces] == [0, 1]
    assert [trace.effects for trace in traces] == [{"stderr": "case 0\n"}, {"stderr": "case 1\n"}]
    assert traces[0].complete == {"effects": False}


def test_a_kept_program_that_ends_between_two_cases_is_started_again(bench):
    program = "import sys; sys.stdin.readline(); print('{\"output\": 1}', flush=True)"
    prepared = bench.python(program, keep=True)
    first = prepared.observe(job())
    time.sleep(0.2)
    second = prepared.observe(job())

    assert (first.trace.output, second.trace.output) == (1, 1)


@pytest.mark.parametrize(
    ("program", "kind", "message"),
    [
        ("sys.exit(3)", "crash", "the kept program exited with code 3 before it had answered"),
        ("os.kill(os.getpid(), 9)", "crash", "the kept program was ended by SIGKILL"),
        ("os.abort()", "crash", "the kept program was ended by SIGABRT"),
        (
            'print(\'{"output": 1}\\n{"output": 2}\', flush=True)',
            "target",
            "the kept program printed 2 answers to one line",
        ),
        ("print('{\"output\": 1,}', flush=True)", "target", "its answer is no JSON"),
        (
            "print('thinking', flush=True)",
            "timeout",
            'it printed "thinking", which is no line with an answer',
        ),
        (
            "print('{\"output\": 1}', end='', flush=True)",
            "timeout",
            "which is no line with an answer",
        ),
    ],
)
def test_a_kept_program_that_gives_no_answer_costs_one_case(bench, program, kind, message):
    prepared = bench.python(
        f"""
        import json, os, sys
        for line in sys.stdin:
            if json.loads(line)["input"] == "bad":
                {program}
            else:
                print('{{"output": "good"}}', flush=True)
        """,
        keep=True,
    )
    before = prepared.observe(job())
    bad = prepared.observe(job(given="bad", timeout=1))
    after = prepared.observe(job())

    assert (before.trace.output, after.trace.output) == ("good", "good")
    assert bad.fault.kind == kind
    assert message in bad.fault.message


def test_an_answer_that_nobody_asked_for_never_becomes_that_of_another_case(bench):
    program = """
        import sys, time
        for line in sys.stdin:
            print('{"output": 1}', flush=True)
            time.sleep(0.2)
            print('{"output": 2}', flush=True)
    """
    prepared = bench.python(program, keep=True)
    first = prepared.observe(job())
    time.sleep(1)
    second = prepared.observe(job())

    assert first.trace.output == 1
    assert second.fault.message == "the kept program printed an answer that nobody had asked for"


def test_as_many_programs_are_kept_as_cases_run_at_once(bench):
    program = """
        import json, os, sys, time
        for line in sys.stdin:
            time.sleep(0.01)
            print(json.dumps({"output": [json.loads(line)["input"], os.getpid()]}), flush=True)
    """
    prepared = bench.python(program, keep=True)
    with ThreadPoolExecutor(4) as pool:
        observed = list(pool.map(lambda n: prepared.observe(job(given=n)), range(60)))
    answers = [each.trace.output for each in observed]

    assert [given for given, _ in answers] == list(range(60))
    assert 1 < len({pid for _, pid in answers}) <= 4
    prepared.close()
    assert all(gone(pid) for _, pid in answers)


def test_closing_ends_what_still_runs(bench):
    prepared = bench.shell("echo up >ready; sleep 600")
    seen = []
    waiting = Thread(target=lambda: seen.append(prepared.observe(job(timeout=600))))
    waiting.start()
    while not (bench.root / "ready").exists():
        time.sleep(0.01)
    prepared.close()
    waiting.join(10)

    assert not waiting.is_alive()
    assert seen[0].fault.kind == "crash"
    assert prepared.observe(job()).fault.message.startswith("the run was ended before")


def test_a_kept_program_that_ignores_the_end_of_its_input_is_killed(bench):
    program = """
        import sys, time, os
        print('{"output": %d}' % os.getpid(), flush=True) if sys.stdin.readline() else None
        while True:
            time.sleep(1)
    """
    prepared = bench.python(program, keep=True)
    pid = prepared.observe(job()).trace.output
    prepared.close()

    assert gone(pid)


# --- the options ---


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"run": "python3 tool.py"},
            "no shell reads it: write the words as a list, such as [python3, tool.py]",
        ),
        ({"run": "sh -c 'a"}, "such as [sh, -c, 'a]"),
        ({"run": []}, "at least 1 item"),
        ({"run": [""]}, "`run` begins with an empty word"),
        ({"run": ["a\0"]}, "can be the name of no file"),
        ({"env": ["FLOWJURY_X"]}, "'FLOWJURY_X' is of the harness"),
        ({"env": ["A=b"]}, "'A=b' is no name of an environment variable"),
        ({"keep": True, "workspace": "w"}, "`keep` and `workspace` exclude each other"),
        ({"keep": "yes"}, "valid boolean"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValidationError) as raised:
        CommandTarget(kind="command", **{"run": ["true"], **options})

    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"run": ["no-such-tool"]}, '/target/run/0: no program "no-such-tool" on the search path'),
        ({"run": ["tool.sh"]}, "to start a file beside the suite, write ./tool.sh"),
        ({"run": ["./tol.sh"]}, "/target/run/0: no file \"./tol.sh\"; nearest is 'tool.sh'"),
        ({"run": ["x" * 5_000]}, "on the search path; install it, or write the path to it"),
        ({"run": ["./" + "x" * 5_000]}, "/target/run/0: no file"),
        ({"run": ["./tool.sh"]}, "'./tool.sh' cannot be executed; chmod +x it"),
        ({"env": ["NO_SUCH_VARIABLE"]}, "not set in this environment: NO_SUCH_VARIABLE"),
        ({"workspace": "nowhere"}, "/target/workspace: 'nowhere' is no folder beside the suite"),
    ],
)
def test_what_cannot_be_run_is_found_before_the_first_case(bench, options, message):
    (bench.root / "tool.sh").write_text("echo 1")

    with pytest.raises(InputError) as raised:
        bench.prepared(**{"run": ["true"], **options})

    assert message in str(raised.value)


def test_a_program_beside_the_suite_is_found_by_its_path(bench):
    tool = bench.root / "tool.sh"
    tool.write_text("#!/bin/sh\necho 1\n")
    tool.chmod(stat.S_IRWXU)

    assert bench.prepared(["./tool.sh"]).observe(job()).trace.output == 1


def test_a_program_that_cannot_be_started_is_a_fault_of_the_case(bench):
    tool = bench.root / "tool"
    tool.write_bytes(b"\x7fnot a program")
    tool.chmod(stat.S_IRWXU)
    fault = bench.prepared(["./tool"]).observe(job()).fault

    assert fault.kind == "target"
    assert fault.message.startswith("the program cannot be started: ")


@pytest.mark.usefixtures("workspace")
def test_a_trace_depends_on_the_program_and_on_the_files_of_the_workspace(bench):
    (bench.root / "tool.py").write_text("")
    target = CommandTarget(kind="command", run=["sh", "tool.py"], workspace="workspace")
    files = target.files(bench.root, "c")

    assert [path.relative_to(bench.root).as_posix() for path in files] == [
        "tool.py",
        "workspace/data/orders.json",
        "workspace/kept.txt",
        "workspace/old.txt",
    ]


def gone(pid):
    """Tell whether a process has ended, or does so within a few seconds."""
    return any(not lives(pid) for _ in range(200))


def lives(pid):
    """Tell whether a process goes on; one that only waits to be reaped has ended."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False)
    going = shown.stdout.strip()[:1] not in {b"", b"Z"}
    time.sleep(0.02 * going)
    return going
