from __future__ import annotations

import pytest

from flowjury.app import judging
from flowjury.app.project import Config, Project
from flowjury.errors import UsageError


@pytest.fixture
def asked(shop):
    shop.suite(
        {"id": "a", "rubric": shop.rubric},
        {"id": "b", "rubric": {**shop.rubric, "question": "Really?"}},
        {"id": "same", "rubric": shop.rubric},
        {"id": "other", "checks": [shop.check]},
    )
    shop.run()
    return shop


@pytest.mark.parametrize(
    ("verdict", "code", "failures"), [("met", 0, 0), ("not-met", 1, 0), ("nothing", 3, 2)]
)
def test_a_host_judge_answers_every_open_request_once(asked, verdict, code, failures):
    sitting = asked.judge(verdict=verdict)

    assert [request.case for request in sitting.asked] == ["a", "b"]
    assert len(sitting.failures) == failures
    assert judging.exit_of(sitting) == code
    assert asked.refresh().exit == code


def test_what_is_answered_is_not_asked_again(asked):
    asked.judge()

    assert asked.judge().asked == ()


def test_only_the_cases_named_are_judged(asked):
    sitting = asked.judge(cases=("b",))

    assert [request.case for request in sitting.asked] == ["b"]
    with pytest.raises(UsageError, match="no case is named 'othr'; nearest is 'other'"):
        asked.judge(cases=("othr",))


def test_each_vote_is_an_answer(asked):
    asked.judge(votes=3, cases=("b",))
    [case] = [case for case in asked.refresh().cases if case.id == "b"]

    assert len(case.trials[0].rubrics[0].judgements) == 3


def test_what_would_be_asked_is_known_without_writing(asked):
    before = asked.files()
    requests = judging.open_requests(asked.project, (), ())

    assert [request.case for request in requests] == ["a", "b"]
    assert asked.files() == before


def test_each_answer_is_on_disk_before_it_is_told(asked):
    seen = []

    def tell(request, _answer):
        seen.append((asked.root / "judgements" / request.digest / "ticket.json").is_file())

    asked.judge(tell=tell)

    assert seen == [True, True]


def test_what_a_judge_did_is_told_as_data(asked):
    said = judging.said(asked.judge(verdict="nothing", cases=("b",)))

    assert (said.asked, [(f.case, f.code, f.message) for f in said.failures]) == (
        1,
        [("b", "busy", "try later")],
    )


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ([], {}),
        (
            ["level=2", "name=x=y", "list=[1]", "text=a b"],
            {"level": 2, "name": "x=y", "list": [1], "text": "a b"},
        ),
    ],
)
def test_settings_are_read_as_json_where_they_are(tmp_path, given, settings):
    assert judging.settings_of(Project(tmp_path, Config()), None, given) == settings


def test_the_host_and_the_model_may_stand_in_the_configuration(tmp_path):
    project = Project(tmp_path, Config(host="h", model="m"))

    assert (judging.host_of(project, None), judging.host_of(project, "x")) == ("h", "x")
    assert judging.settings_of(project, None, []) == {"model": "m"}
    assert judging.settings_of(project, "n", []) == {"model": "n"}
    with pytest.raises(UsageError, match="name the judge: --host openai_rubric"):
        judging.host_of(Project(tmp_path, Config()), None)
    with pytest.raises(UsageError, match="--set 'x': write KEY=VALUE"):
        judging.settings_of(project, None, ["x"])
