from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flowjury.errors import StoreError, UsageError
from flowjury.record import CaseRecord, RunRecord, Stimulus
from flowjury.store._database import Database
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore
from flowjury.trace import Trace

STARTED = "2026-10-01T12:00:00+00:00"
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
        record = CaseRecord(case="a", trial=number, stimulus=Stimulus(parts={}), trace=trace)
        store.keep("run", record)
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


def test_a_store_is_read_without_being_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing is stored yet: there is no "):
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


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """Give a project whose store can only be read."""
    with RunStore.open(tmp_path) as store:
        store.begin(run_of())
        store.keep("run", record_of())
    layout = Layout(tmp_path)
    layout.database.chmod(0o400)
    layout.folder.chmod(0o500)
    yield tmp_path
    layout.folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is locked to this user")
def test_a_store_that_allows_no_more_is_read(locked: Path) -> None:
    with RunStore.open_as_allowed(locked) as store:
        assert store.readonly
        assert list(store.records("run")) == [record_of()]
    with pytest.raises(StoreError, match="it cannot be written to"):
        RunStore.open(locked)


def test_a_store_is_written_where_that_is_allowed(tmp_path: Path) -> None:
    with RunStore.open_as_allowed(tmp_path) as made:
        made.begin(run_of())
    with RunStore.open_as_allowed(tmp_path) as store:
        store.finish("run")

        assert (made.readonly, store.readonly) == (False, False)


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
        f"{path}: the store has format 7, this FlowJury reads up to 2; upgrade flowjury"
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
        pytest.raises(StoreError, match="a record of the run store is damaged"),
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
    said = [100, *map(int, writer.communicate()[0].splitlines())]

    trials = [each.trial for each in store.records("run")]
    assert trials == list(range(1, len(trials) + 1))
    assert len(trials) >= said[-1]
