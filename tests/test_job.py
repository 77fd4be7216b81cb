from __future__ import annotations

from flowjury.app.project import suite_model
from flowjury.case import Fixture
from flowjury.job import Turn, job_of

CHECK = {"kind": "value", "at": "/output", "op": "exists"}


def suite_of(*cases, **more):
    value = {"format": 1, "name": "s", "target": {"kind": "trace"}, **more}
    return suite_model().model_validate({**value, "cases": cases})


def test_a_job_holds_what_is_done_and_nothing_that_is_expected():
    case = {"id": "c", "input": {"a": 1}, "checks": [CHECK], "trace": "t.json"}
    suite = suite_of(case, ignore={"n": ["/at"]}, mask=["pin"], timeout=9, data="live")
    job = job_of(suite, suite.cases[0], trial=2, recorded={})

    assert (job.case, job.trial, job.turns) == ("c", 2, (Turn(id=None, input={"a": 1}),))
    assert (job.data, job.timeout, job.trace) == ("live", 9, "t.json")
    assert (job.ignore, job.mask) == ({"n": ("/at",)}, ("pin",))
    assert not hasattr(job, "checks")


def test_fixtures_in_the_case_replace_those_in_files_by_node():
    case = {"id": "c", "fixtures": {"a": [{"output": "inline"}]}, "timeout": 3}
    suite = suite_of(case)
    recorded = {"a": (Fixture(output="file"),), "b": (Fixture(output="file"),)}
    job = job_of(suite, suite.cases[0], trial=1, recorded=recorded)

    assert {node: answers[0].output for node, answers in job.fixtures.items()} == {
        "a": "inline",
        "b": "file",
    }
    assert job.timeout == 3


def test_each_step_is_a_turn():
    steps = [
        {"id": "ask", "input": 1, "fixtures": {"a": [{"output": 2}]}},
        {"id": "go", "resume": {"wait": "w", "action": "approve"}},
    ]
    suite = suite_of({"id": "c", "steps": steps})
    first, second = job_of(suite, suite.cases[0], trial=1, recorded={}).turns

    assert (first.id, first.input, first.fixtures["a"][0].output) == ("ask", 1, 2)
    assert (second.id, second.resume.action) == ("go", "approve")
