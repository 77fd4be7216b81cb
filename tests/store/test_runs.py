from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.check import Outcome
from flowjury.errors import StoreError, UsageError
from flowjury.json_values import opaque
from flowjury.record import CaseFault, CaseRecord, RunRecord, Stimulus
from flowjury.request import Parts, Ticket
from flowjury.store._database import Database
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore, StoredRun
from flowjury.trace import ErrorInfo, Execution, StepTrace, ToolCall, Trace
from flowjury.workflow import Edge, Node, Workflow

STARTED = "2026-10-01T12:00:00+00:00"
GRAPH = Workflow(
    name="refunds",
    nodes={"look_up": Node(boundary=True), "reply": Node(kind="model", outcomes=("over", "under"))},
    edges=(Edge(source="look_up", target="reply", outcome="over"),),
    entry=("look_up",),
    tools=(),
)
KEEP_FOR_EVER = """
import itertools, sys
from pathlib import Path
from flowjury.record import CaseRecord, Stimulus
from flowjury.store.runs import RunStore
from flowjury.trace import Trace
root, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store = RunStore.open(root)
for number in itertools.islice(itertools.count(1), count or None):
    trace = Trace(status="finished", output="x" * 500)
    stimulus = Stimulus(parts={}, sources={name: "hash"})
    store.keep("run", CaseRecord(case=name, trial=number, stimulus=stimulus, trace=trace))
    print(number, flush=True)
"""
CROWDED = """
import resource, sys
from pathlib import Path
from flowjury.errors import StoreError
from flowjury.record import CaseRecord, Stimulus
from flowjury.store.runs import RunStore
from flowjury.trace import Trace
store = RunStore.open(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    for number in range(1, 1000):
        trace = Trace(status="finished", output=[str(hash((number, n))) for n in range(500)])
        store.keep("run", CaseRecord(case="a", trial=number, stimulus=Stimulus(parts={}), trace=trace))
        print(number, flush=True)
except StoreError as error:
    print(error)
"""


def run_of(name: str = "run", **fields: object) -> RunRecord:
    values = {"suite": "refunds", "suite_file": "a.yaml", "data": "replay", "started": STARTED}
    return RunRecord.model_validate({"id": name, **values, **fields})


def record_of(case: str = "over-limit", trial: int = 1, **fields: object) -> CaseRecord:
    values = {"stimulus": Stimulus(parts={"input": "1"}), "trace": Trace(status="finished")}
    return CaseRecord.model_validate({"case": case, "trial": trial, **values, **fields})


def child(program: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.open(tmp_path) as opened:
        opened.begin(run_of())
        yield opened


def test_a_new_store_keeps_itself_out_of_version_control(tmp_path: Path) -> None:
    RunStore.open(tmp_path).close()

    layout = Layout(tmp_path)
    assert sorted(each.name for each in layout.folder.iterdir()) == [
        ".gitignore",
        "results",
        "runs.db",
    ]
    assert (layout.folder / ".gitignore").read_text() == "*\n"


def test_a_run_comes_back_whole(store: RunStore) -> None:
    run = run_of("second", selected=("a", "b"), workflow=GRAPH)

    store.begin(run)

    assert store.run("second") == run
    assert store.latest("refunds") == run


def test_a_run_that_ended_says_so_and_may_learn_its_graph(store: RunStore) -> None:
    store.set_workflow("run", GRAPH)
    store.finish("run")

    assert store.run("run") == run_of(workflow=GRAPH, finished=True)


def test_a_graph_can_be_taken_back(store: RunStore) -> None:
    store.set_workflow("run", GRAPH)
    store.set_workflow("run", None)

    assert store.run("run").workflow is None


def test_the_latest_run_is_that_of_the_suite_that_began_last(store: RunStore) -> None:
    store.begin(run_of("earlier-clock", started="2020-01-01T00:00:00+00:00"))
    store.begin(run_of("other", suite="orders"))

    latest = store.latest("refunds")
    assert latest is not None
    assert latest.id == "earlier-clock"
    assert store.latest("nobodys") is None


def test_runs_are_listed_newest_first_with_counts(store: RunStore) -> None:
    store.begin(run_of("new", workflow=GRAPH))
    fault = CaseFault(kind="timeout", message="60 s")
    store.keep("new", record_of("a"))
    store.keep("new", record_of("b", fault=fault))

    assert store.runs() == [
        StoredRun(run=run_of("new"), records=2, faults=1),
        StoredRun(run=run_of(), records=0, faults=0),
    ]


def test_an_id_is_given_once(store: RunStore) -> None:
    with pytest.raises(StoreError, match="a run named 'run' is stored already"):
        store.begin(run_of())


@pytest.mark.parametrize(
    ("name", "found"), [("2026-a1", "2026-a1"), ("2026-b", "2026-b1"), ("run", "run")]
)
def test_a_run_is_found_by_its_id_or_an_unambiguous_beginning(
    store: RunStore, name: str, found: str
) -> None:
    for each in ("2026-a1", "2026-a12", "2026-b1"):
        store.begin(run_of(each))

    assert store.run(name).id == found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "2026-",
            "'2026-' is the beginning of several runs: 2026-b1, 2026-a12; write more of it",
        ),
        (
            "2026-b2",
            "no run is named '2026-b2'; nearest is '2026-b1' "
            "(stored, newest first: 2026-b1, 2026-a12, run)",
        ),
    ],
)
def test_a_name_that_is_not_one_run_is_the_users_error(
    store: RunStore, name: str, message: str
) -> None:
    for each in ("2026-a12", "2026-b1"):
        store.begin(run_of(each))

    with pytest.raises(UsageError) as caught:
        store.run(name)
    assert str(caught.value) == message


def test_records_stream_in_the_order_of_the_suite(store: RunStore) -> None:
    for case, trial, position in [("a", 2, 1), ("a", 1, 1), ("z", 1, 0), ("m", 1, 2)]:
        store.keep("run", record_of(case, trial), position=position)

    assert [(each.case, each.trial) for each in store.records("run")] == [
        ("z", 1),
        ("a", 1),
        ("a", 2),
        ("m", 1),
    ]
    assert [each.trial for each in store.trials("run", "a")] == [1, 2]
    assert list(store.records("other")) == []


def test_what_was_kept_is_told_without_traces(store: RunStore) -> None:
    fault = CaseFault(kind="crash", message="exit 1", node="reply", step="first")
    stimulus = Stimulus(parts={"input": "1"}, sources={"nodes.py": "2"})
    store.keep("run", record_of("b", stimulus=stimulus), position=0)
    store.keep("run", record_of("a", fault=fault), position=1)

    assert [(each.case, each.stimulus, each.fault) for each in store.kept("run")] == [
        ("b", stimulus, None),
        ("a", Stimulus(parts={"input": "1"}), fault),
    ]


def test_a_trial_that_is_kept_again_is_replaced(store: RunStore) -> None:
    store.keep("run", record_of(fault=CaseFault(kind="timeout", message="60 s"), seconds=60.0))
    again = record_of(seconds=0.5, replayed=True)
    store.keep("run", again)

    assert list(store.records("run")) == [again]
    assert store.record("run", "over-limit", 2) is None


def test_a_record_belongs_to_a_run_that_is_stored(store: RunStore) -> None:
    with pytest.raises(StoreError, match="begin the run first"):
        store.keep("gone", record_of())
    with pytest.raises(StoreError, match="no run named 'gone' is stored; begin the run first"):
        store.finish("gone")


@pytest.mark.parametrize("value", [float("nan"), object()])
def test_a_trace_that_is_no_json_is_refused_and_named(store: RunStore, value: object) -> None:
    trace = Trace(status="finished", output=value)

    with pytest.raises(StoreError, match="the trace of case 'over-limit' holds what is no JSON"):
        store.keep("run", record_of(trace=trace))
    assert list(store.records("run")) == []


TEXTS = st.text(st.characters(), max_size=5) | st.sampled_from(["\ud800", "\udfff\0", "é\u2028😀"])
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(10**300)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS | st.just(opaque("Socket", "<socket>"))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ERRORS = st.builds(ErrorInfo, type=TEXTS, message=TEXTS)
USAGE = st.dictionaries(TEXTS, st.integers(0) | st.floats(0, allow_infinity=False), max_size=2)


def some(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Any of these fields, each recorded or absent."""
    return st.fixed_dictionaries({}, optional=fields)


EXECUTIONS = st.builds(
    lambda fields: Execution(id="1", node="a:b", visit="v", start_ns=1, end_ns=2, **fields),
    st.fixed_dictionaries(
        {"status": st.sampled_from(["ok", "error", "interrupted", "cancelled"])},
        optional={
            "input": VALUES,
            "output": VALUES,
            "error": ERRORS,
            "usage": USAGE,
            "index": st.tuples(st.integers(0)),
            "replayed": st.booleans(),
        },
    ),
)
TOOLS = st.builds(
    lambda fields: ToolCall(name="t", **fields), some(arguments=VALUES, result=VALUES)
)
TURNS = st.builds(lambda fields: Trace(status="wait", **fields), some(input=VALUES, output=VALUES))
TRACES = st.builds(
    lambda fields: Trace(status="finished", **fields),
    some(
        input=VALUES,
        output=VALUES,
        error=ERRORS | st.none(),
        executions=st.lists(EXECUTIONS, max_size=2).map(tuple) | st.none(),
        tools=st.lists(TOOLS, max_size=2).map(tuple),
        messages=st.lists(VALUES, max_size=2).map(tuple),
        usage=USAGE,
        files=st.dictionaries(TEXTS, VALUES, max_size=2),
        effects=VALUES,
        exit_code=st.integers(),
        workflow=st.just(GRAPH),
        steps=TURNS.map(lambda trace: (StepTrace(id="first", trace=trace),)),
        complete=st.just({"executions": True, "tools": False}),
        wait=TEXTS,
    ),
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    with RunStore.open(tmp_path_factory.mktemp("shared")) as opened:
        opened.begin(run_of())
        yield opened


@given(trace=TRACES)
def test_every_trace_comes_back_exactly_also_what_was_not_recorded(
    shared: RunStore, trace: Trace
) -> None:
    record = record_of(trace=trace)

    shared.keep("run", record)
    back = shared.record("run", record.case, record.trial)

    assert back is not None
    assert back == record
    assert repr(dumped(back.trace)) == repr(dumped(trace))


def dumped(trace: Trace | None) -> object:
    """Tell `1` from `1.0` and `True`, and what was recorded from what was not."""
    return trace and trace.model_dump(exclude_unset=True)


@given(st.dictionaries(TEXTS, st.text(), max_size=3), st.dictionaries(TEXTS, st.text(), max_size=3))
def test_every_stimulus_comes_back_exactly(
    shared: RunStore, parts: dict[str, str], sources: dict[str, str]
) -> None:
    record = record_of(stimulus=Stimulus(parts=parts, sources=sources), trace=None)

    shared.keep("run", record)

    assert shared.record("run", record.case, record.trial) == record


@pytest.mark.parametrize("value", ["é" * 50_000_000, 10**300, -(10**5000), "\ud800"])
def test_a_value_of_any_size_comes_back(store: RunStore, value: object) -> None:
    record = record_of(trace=Trace(status="finished", output=value))

    store.keep("run", record)

    back = store.record("run", record.case, 1)
    assert (back == record) is True  # a difference of fifty million characters is not shown


def test_outcomes_are_kept_by_digest_and_read_when_asked_for(store: RunStore) -> None:
    first, second = Outcome(passed=True, evidence={"a": [1]}), Outcome(None, reason="KeyError")

    store.outcomes.keep({"b" * 64: first, "a" * 64: Outcome(passed=False)})
    store.outcomes.keep({"a" * 64: second})

    assert dict(store.outcomes) == {"a" * 64: second, "b" * 64: first}
    assert len(store.outcomes) == 2
    assert "c" * 64 not in store.outcomes


def test_tickets_are_kept_apart_from_outcomes(store: RunStore) -> None:
    parts = Parts(question="c" * 64, criteria={}, evidence={"/output": "d" * 64})
    ticket = Ticket(digest="a" * 64, parts=parts, suite="refunds", case="over-limit", step="one")

    store.tickets.keep({ticket.digest: ticket})

    assert dict(store.tickets) == {"a" * 64: ticket}
    assert dict(store.outcomes) == {}


def test_a_store_is_read_without_being_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing is stored yet: there is no .*runs.db"):
        RunStore.open_readonly(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_database_is_no_store_to_a_reader_and_is_filled_by_a_writer(
    tmp_path: Path,
) -> None:
    Layout(tmp_path).make()
    Layout(tmp_path).database.touch()

    with pytest.raises(UsageError, match="is empty"):
        RunStore.open_readonly(tmp_path)
    RunStore.open(tmp_path).close()
    with RunStore.open_readonly(tmp_path) as reader:
        assert reader.runs() == []


def test_a_reader_sees_what_a_writer_keeps_and_cannot_write(
    tmp_path: Path, store: RunStore
) -> None:
    with RunStore.open_readonly(tmp_path) as reader:
        store.keep("run", record_of())

        assert list(reader.records("run")) == [record_of()]
        with pytest.raises(StoreError, match="it cannot be written to"):
            reader.finish("run")


def database(tmp_path: Path, *statements: str) -> Path:
    path = Layout(tmp_path).database
    path.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_a_newer_store_is_refused_by_name(tmp_path: Path) -> None:
    path = database(tmp_path, "CREATE TABLE x (y)", "PRAGMA user_version = 7")

    with pytest.raises(StoreError) as caught:
        RunStore.open(tmp_path)
    assert str(caught.value) == (
        f"{path}: the store has format 7, this FlowJury reads up to 1; upgrade flowjury"
    )


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = database(tmp_path, "CREATE TABLE x (y)")
    before = path.read_bytes()

    with pytest.raises(StoreError, match="this is a database of something else"):
        RunStore.open(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("open_store", [RunStore.open, RunStore.open_readonly])
def test_what_is_no_database_is_left_alone(
    tmp_path: Path, open_store: Callable[[Path], RunStore]
) -> None:
    path = database(tmp_path)
    path.write_bytes(b"no database, but long enough to look at: " * 100)
    before = path.read_bytes()

    with pytest.raises(StoreError) as caught:
        open_store(tmp_path)
    assert str(caught.value) == (
        f"{path}: it is not a database; it was left as it is: move it away for a new one"
    )
    assert path.read_bytes() == before


def test_a_damaged_database_is_said_to_be_damaged(tmp_path: Path) -> None:
    with RunStore.open(tmp_path) as store:
        store.begin(run_of())
        for number in range(1, 200):
            store.keep("run", record_of(trial=number))
    path = Layout(tmp_path).database
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))

    with RunStore.open(tmp_path) as store, pytest.raises(StoreError, match="it is damaged"):
        store.runs()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cases SET trace = x'00'",
        "UPDATE cases SET parts = '{'",
        "UPDATE cases SET fault = '{}'",
        "UPDATE cases SET parts = '[]'",
    ],
)
def test_a_damaged_record_is_said_to_be_damaged(tmp_path: Path, damage: str) -> None:
    with RunStore.open(tmp_path) as store:
        store.begin(run_of())
        store.keep("run", record_of())
    database(tmp_path, damage)

    with (
        RunStore.open_readonly(tmp_path) as store,
        pytest.raises(StoreError, match="a record of the run store is damaged: .+; run the suite"),
    ):
        list(store.records("run"))


def test_a_folder_where_the_store_should_be_is_said_plainly(tmp_path: Path) -> None:
    Layout(tmp_path).database.mkdir(parents=True)

    with pytest.raises(StoreError, match="it cannot be opened"):
        RunStore.open(tmp_path)


def test_a_file_where_the_folder_should_be_is_said_plainly(tmp_path: Path) -> None:
    Layout(tmp_path).folder.touch()

    with pytest.raises(StoreError, match="move the file away that stands where a folder should"):
        RunStore.open(tmp_path)


def test_a_full_disk_keeps_what_was_stored_and_the_store_goes_on(
    tmp_path: Path,
) -> None:
    Layout(tmp_path).make()
    opened = Database.open(Layout(tmp_path).database)
    opened.execute("PRAGMA max_page_count = 16")
    with RunStore(opened) as store:
        store.begin(run_of())
        big = Trace(status="finished", output=[str(hash((n, "x"))) for n in range(5000)])
        store.keep("run", record_of("small"))

        with pytest.raises(StoreError, match="the disk is full; free some space"):
            store.keep("run", record_of("big", trace=big))
        store.keep("run", record_of("small", 2))

        assert [(each.case, each.trial) for each in store.records("run")] == [
            ("small", 1),
            ("small", 2),
        ]


def test_a_store_that_hits_a_limit_of_the_system_keeps_what_it_said_it_kept(
    tmp_path: Path, store: RunStore
) -> None:
    *numbers, message = child(CROWDED, str(tmp_path)).communicate()[0].splitlines()

    assert message.endswith("free some space, or mend the disk")
    assert len(numbers) > 3
    assert [str(each.trial) for each in store.records("run")] == numbers


def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path, store: RunStore) -> None:
    children = [child(KEEP_FOR_EVER, str(tmp_path), name, "150") for name in ("a", "b")]
    for each in children:
        each.communicate()

    kept = [(each.case, each.trial) for each in store.kept("run")]
    assert kept == [(name, number) for name in ("a", "b") for number in range(1, 151)]


def test_processes_that_make_one_store_at_once_all_use_it(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from flowjury.store.runs import RunStore\n"
        "print('ready', flush=True); input(); RunStore.open(Path(sys.argv[1])).close()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    pipe = subprocess.PIPE
    children = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(4)]
    for each in children:
        assert each.stdout is not None
        each.stdout.readline()
    for each in children:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    for each in children:
        each.communicate()

    assert [each.returncode for each in children] == [0, 0, 0, 0]
    assert sorted(each.name for each in Layout(tmp_path).folder.glob("*.db*")) == ["runs.db"]


def test_a_killed_writer_leaves_everything_that_it_said_it_kept(
    tmp_path: Path, store: RunStore
) -> None:
    writer = child(KEEP_FOR_EVER, str(tmp_path), "a", "0")
    assert writer.stdout is not None
    while int(writer.stdout.readline()) < 100:
        pass
    os.kill(writer.pid, signal.SIGKILL)
    last = int(writer.communicate()[0].split()[-1])

    trials = [each.trial for each in store.records("run")]
    assert trials == list(range(1, len(trials) + 1))
    assert len(trials) >= last
