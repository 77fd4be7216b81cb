from __future__ import annotations

import pytest
from pydantic import ValidationError

from flowjury.app.project import suite_model
from flowjury.case import Trials

SUITE = {"format": 1, "name": "s", "target": {"kind": "trace"}}


def suite_of(*cases, **more):
    return suite_model().model_validate({**SUITE, "cases": cases, **more})


def test_a_suite_needs_little():
    suite = suite_of({"id": "c"})

    assert (suite.data, suite.timeout, suite.trials) == ("replay", 60, Trials(n=1))
    assert suite.trials_of(suite.cases[0]) == Trials(n=1)


def test_trials_of_a_case_stand_before_those_of_the_suite():
    suite = suite_of({"id": "a", "trials": {"n": 2}}, {"id": "b"}, trials={"n": 3, "pass": "2/3"})

    assert [suite.trials_of(case).n for case in suite.cases] == [2, 3]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"cases": []}, "at least 1"),
        ({"cases": [{"id": "c"}] * 2}, "ids occur more than once: case 'c'"),
        ({"cases": [{"id": "a/b"}]}, "pattern"),
        ({"cases": [{"id": ""}]}, "at least 1"),
        ({"cases": [{"id": "c", "checks": [{"kind": "vlaue"}]}]}, "vlaue"),
        ({"cases": [{"id": "c"}], "target": {"kind": "no"}}, "no"),
        ({"cases": [{"id": "c"}], "format": 2}, "1"),
        ({"cases": [{"id": "c"}], "timeout": 0}, "greater than 0"),
        ({"cases": [{"id": "c"}], "gates": {"critical": -1}}, "greater than or equal to 0"),
        ({"cases": [{"id": "c"}], "strange": 1}, "Extra inputs"),
    ],
)
def test_what_is_wrong_is_refused(value, message):
    with pytest.raises(ValidationError, match=message):
        suite_model().model_validate({**SUITE, **value})


def test_checks_may_stand_inside_checks():
    inner = {"kind": "value", "at": "/output", "op": "exists"}
    suite = suite_of({"id": "c", "checks": [{"kind": "not", "check": inner}]})

    assert [check.kind for _, check in suite.cases[0].checks[0].inner()] == ["value"]
