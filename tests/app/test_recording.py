"""Records as they come from several workers: those of a case together, and none out of date."""

from __future__ import annotations

import pytest

from flowjury.app.project import suite_model
from flowjury.app.recording import together
from flowjury.app.staffing import Staffing
from flowjury.record import CaseRecord, Stimulus
from flowjury.suite import Suite

CALL = {"workflow": None, "target": {"kind": "python", "call": "nodes:go"}, "data": "live"}


def suite(**trials: int) -> Suite:
    cases = [{"id": name, "input": {}, "trials": {"n": n}} for name, n in trials.items()]
    target = {"kind": "python", "call": "nodes:go"}
    return suite_model().model_validate(
        {"format": 1, "name": "shop", "target": target, "cases": cases}
    )


def record(case: str, trial: int = 1, *, replayed: bool = False) -> CaseRecord:
    return CaseRecord(
        case=case, trial=trial, stimulus=Stimulus(parts={}), trace=None, replayed=replayed
    )


def names(records) -> list[str]:
    return [f"{one.case}{one.trial}" for one in records]


def test_the_trials_of_a_case_come_together_as_soon_as_they_are_all_there():
    come = [record("a"), record("b"), record("a", 3), record("c"), record("a", 2)]
    given = iter(come)
    waiting = together(suite(a=3, b=1, c=1), given)

    assert names([next(waiting)]) == ["b1"]
    assert names(given) == ["a3", "c1", "a2"], "nothing was read in advance"
    assert names(together(suite(a=3, b=1, c=1), come)) == ["b1", "c1", "a1", "a2", "a3"]


def test_a_case_that_was_replayed_wholly_has_one_trial():
    assert names(together(suite(a=3, b=1), [record("a", replayed=True), record("b")])) == [
        "a1",
        "b1",
    ]


def test_of_a_run_that_was_cut_short_what_there_is_comes_in_the_end():
    assert names(together(suite(a=3, b=1), [record("a", 2), record("a"), record("b")])) == [
        "b1",
        "a1",
        "a2",
    ]


EDITING = """
from pathlib import Path

def go(given):
    if given == 1:
        path = Path("{}")
        path.write_text(path.read_text() + "\\n")
    return given
"""


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("file", ["nodes.py", "flow.json"])
def test_a_run_during_which_a_file_is_edited_is_no_answer(shop, monkeypatch, file, workers):
    monkeypatch.chdir(shop.root)
    shop.write("nodes.py", EDITING.format(file))
    cases = [{"id": f"c{n}", "input": n, "fixtures": {}, "checks": []} for n in range(3)]
    shop.suite(*cases, **{**CALL, "workflow": "flow.json"})

    report = shop.run(staffing=Staffing(workers))

    changed = f"stimulus changed: {file if file == 'nodes.py' else 'workflow'}"
    reasons = {case.id: case.reason for case in report.cases}
    assert reasons["c1"] == changed
    # A worker that was hired only after the edit has run the edited code.
    assert workers or set(reasons.values()) == {changed}
    assert {case.status.value for case in report.cases if case.reason} == {"not-run"}
    assert report.exit == 3
