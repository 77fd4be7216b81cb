from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.errors import StoreError
from flowjury.json_values import opaque, paired
from flowjury.record import CaseRecord, RunRecord, Stimulus
from flowjury.store.runs import RunStore
from flowjury.trace import Execution, Raised, StepTrace, ToolCall, Trace
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


ODD_TEXTS = st.sampled_from(["\ud800", "\udfff\0", "é\u2028😀"])
TEXTS = st.text(st.characters(), max_size=5).map(paired) | ODD_TEXTS
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(10**300)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS | st.just(opaque("Socket", "<socket>"))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ERRORS = st.builds(Raised, type=TEXTS, message=TEXTS, where=st.none() | TEXTS)
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


@pytest.mark.parametrize(
    "value",
    ["x" * 50_000_000, 10**300, -(10**5000), "\ud800"],
    ids=["text", "integer", "longer", "surrogate"],
)
def test_a_value_of_any_size_comes_back(shared: RunStore, value: object) -> None:
    record = record_of(trace=Trace(status="finished", output=value))

    shared.keep("run", record)

    back = shared.record("run", record.case, 1)
    assert (back == record) is True  # a difference of fifty million characters is not shown


@pytest.mark.parametrize("value", [float("nan"), object()])
def test_a_trace_that_is_no_json_is_refused_and_named(shared: RunStore, value: object) -> None:
    trace = Trace(status="finished", output=value)

    with pytest.raises(StoreError, match="the trace of case 'over-limit' holds what is no JSON"):
        shared.keep("run", record_of(trace=trace))
