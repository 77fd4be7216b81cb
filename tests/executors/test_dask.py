"""Dask: a local cluster of three processes, of which one is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from flowjury.errors import InputError, UsageError
from flowjury.executors import Assignment
from flowjury.executors.dask import hire
from flowjury.job import Job, Turn
from flowjury.targets.python import PythonTarget

pytest.importorskip("distributed")

CLUSTER = """\
import json, sys
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    )
    workers = {worker.worker_address: worker.pid for worker in cluster.workers.values()}
    address = cluster.scheduler_address.removeprefix("tcp://")
    print(json.dumps({"address": address, "workers": workers}), flush=True)
    sys.stdin.read()
    cluster.close()
"""
CODE = """\
import os, posix, time

def answer(given):
    print("asked", given)
    if given == "leave":
        posix._exit(7)
    if given == "hang":
        time.sleep(600)
    if given == "wait":
        while not os.path.exists("go"):
            time.sleep(0.05)
    return {"said": given}
"""


def job(given: str, timeout: float = 30) -> Job:
    return Job(
        case=given,
        trial=1,
        turns=(Turn(id=None, input=given),),
        data="live",
        fixtures={},
        ignore={},
        mask=(),
        timeout=timeout,
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    script = tmp_path_factory.mktemp("cluster") / "cluster.py"
    script.write_text(CLUSTER)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        yield json.loads(process.stdout.readline())
        process.stdin.close()
        process.wait(60)


@pytest.fixture
def assignment(tmp_path):
    (tmp_path / "cluster_code.py").write_text(CODE)
    return Assignment(
        target=PythonTarget(kind="python", call="cluster_code:answer"),
        root=tmp_path,
        workflow=None,
        folder=tmp_path,
        code_root=tmp_path,
    )


@pytest.fixture
def executor(cluster, assignment):
    hired = hire(assignment, workers=0, address=cluster["address"])
    yield hired
    hired.close()


def test_cases_run_on_the_workers_of_the_cluster(executor):
    assert executor.slots == 3

    seen = [executor.submit(job(str(n))) for n in range(9)]

    assert [one.result(60).observed.trace.output for one in seen] == [
        {"said": str(n)} for n in range(9)
    ]
    assert {one.result().printed for one in seen} == {f"asked {n}\n" for n in range(9)}
    assert all(list(one.result().sources) == ["cluster_code.py"] for one in seen)
    assert all(one.result().notes == () for one in seen)


def test_a_case_that_hangs_or_ends_its_process_costs_itself_alone(executor):
    hang, leave = executor.submit(job("hang", 0.2)), executor.submit(job("leave"))
    fine = executor.submit(job("fine"))

    assert hang.result(60).observed.fault.kind == "timeout"
    assert leave.result(60).observed.fault.kind == "crash"
    assert "exited with code 7" in leave.result().observed.fault.message
    assert fine.result(60).observed.trace.output == {"said": "fine"}


def test_code_that_cannot_be_loaded_is_a_fault_of_the_suite(cluster, assignment):
    (assignment.root / "cluster_code.py").write_text("import missing_thing")

    with pytest.raises(InputError, match="missing_thing"):
        hire(assignment, workers=0, address=cluster["address"])


def test_a_cluster_that_is_not_there_is_refused(assignment, monkeypatch):
    monkeypatch.setattr("flowjury.executors.dask._PATIENCE", 1)

    with pytest.raises(UsageError, match="no scheduler answers"):
        hire(assignment, workers=0, address="127.0.0.1:9")
    with pytest.raises(UsageError, match="write dask://HOST:PORT"):
        hire(assignment, workers=0, address="")


def test_a_case_whose_worker_is_lost_is_done_elsewhere_and_the_worker_named(
    cluster, executor, tmp_path
):
    going = [executor.submit(job("wait")) for _ in range(3)]
    deadline = time.monotonic() + 30
    while sum(map(len, executor.starts.values())) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    address, process = next(iter(cluster["workers"].items()))

    os.kill(process, signal.SIGKILL)
    (tmp_path / "go").touch()
    seen = [one.result(60) for one in going]

    assert [one.observed.trace.output for one in seen] == [{"said": "wait"}] * 3
    assert [note for one in seen for note in one.notes] == [f"its worker {address} was lost"]
