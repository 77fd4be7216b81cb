from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowjury.check import Outcome
from flowjury.errors import StoreError, UsageError
from flowjury.record import CaseFault, CaseRecord, RunRecord, Stimulus
from flowjury.request import Parts, Ticket
from flowjury.store.layout import Layout
from flowjury.store.runs import RunStore, StoredRun
from flowjury.trace import Trace
from flowjury.workflow import Edge, Node, Workflow

STARTED = "2026-10-01T12:00:00+00:00"
GRAPH = Workflow(
    name="refunds",
    nodes={"look_up": Node(boundary=True), "reply": Node(kind="model", outcomes=("over", "under"))},
    edges=(Edge(source="look_up", target="reply", outcome="over"),),
    entry=("look_up",),
    tools=(),
)


def run_of(name: str = "run", **fields: object) -> RunRecord:
    values = {"suite": "refunds", "suite_file": "a.yaml", "data": "replay", "started": STARTED}
    return RunRecord.model_validate({"id": name, **values, **fields})


def record_of(case: str = "over-limit", trial: int = 1, **fields: object) -> CaseRecord:
    values = {"stimulus": Stimulus(parts={"input": "1"}), "trace": Trace(status="finished")}
    return CaseRecord.model_validate({"case": case, "trial": trial, **values, **fields})


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
        ("zebra", "no run is named 'zebra' (stored, newest first: 2026-b1, 2026-a12, run)"),
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


def test_a_record_is_copied_into_another_run_as_it_is(store: RunStore) -> None:
    record = record_of(seconds=1.5, printed="hello", replayed=True)
    store.keep("run", record, position=3)
    store.begin(run_of("second"))

    store.copy("run", "second", ("over-limit", 1), position=0)

    assert list(store.records("second")) == [record]
    assert list(store.records("run")) == [record]
