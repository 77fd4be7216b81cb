from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flowjury import hosts
from flowjury.errors import InputError, JudgeFailure, UsageError
from flowjury.evidence import Evidence
from flowjury.judging import ask
from flowjury.request import Judgement, Request, Vote
from flowjury.rubric import Rubric
from flowjury.trace import Trace

NOW = "2026-01-01T00:00:00Z"
SHAPE = """
from flowjury.model import Model
NAME = "mine"
VERSION = "1"
class Settings(Model):
    level: int = 1
def open_judge(settings, environment, now):
    return settings, environment, now()
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.py"
    path.write_text(text)
    return path


def test_a_judge_is_loaded_by_path(tmp_path):
    host = hosts.load(str(written(tmp_path, "x", SHAPE)))

    assert (host.name, host.version) == ("mine", "1")
    settings, environment, now = host.open({"level": "2"}, environment={"A": "b"}, now=lambda: NOW)
    assert (settings.level, environment, now) == (2, {"A": "b"}, NOW)


def test_a_judge_is_loaded_by_name_from_the_first_folder_that_has_it(tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    written(own, "openai_rubric", SHAPE)

    assert hosts.load("openai_rubric", [tmp_path, own]).name == "mine"
    assert hosts.load("openai_rubric").name == "openai_rubric"


def test_our_judge_has_a_file_that_can_be_copied(tmp_path):
    assert hosts.file_of("openai_rubric").name == "openai_rubric.py"
    assert hosts.file_of("mine", [written(tmp_path, "mine", SHAPE).parent]).parent == tmp_path


def test_a_judge_may_come_from_an_installed_plugin(tmp_path):
    written(tmp_path, "plugged", SHAPE)
    info = tmp_path / "plugged-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[flowjury.judges]\nother = plugged\n")
    program = "from flowjury import hosts; print(hosts.load('other').name)"
    paths = [str(tmp_path), str(Path(hosts.__file__).parents[1])]

    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout == "mine\n"


def test_an_unknown_name_is_told_with_the_nearest(tmp_path):
    written(tmp_path, "mine", SHAPE)
    written(tmp_path, "_part", "")

    with pytest.raises(UsageError) as caught:
        hosts.load("openai_rubrics", [tmp_path])

    assert str(caught.value) == (
        "no host judge is named 'openai_rubrics'; nearest is 'openai_rubric' "
        "(known: mine, openai_rubric); a path must end in .py"
    )


def test_a_path_without_a_file_is_told(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere\.py: there is no such file"):
        hosts.load(str(tmp_path / "nowhere.py"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not define NAME and VERSION and Settings and open_judge"),
        (SHAPE.replace('"mine"', '" "'), "NAME must be a text that is not blank"),
        (SHAPE.replace('"1"', "1"), "VERSION must be a text that is not blank"),
        (SHAPE.replace("(Model)", ""), "Settings must be a subclass of flowjury.model.Model"),
        (SHAPE + "\nopen_judge = 1", "open_judge must be a function"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "cannot be loaded: SystemExit: 3"),
        ("raise BaseException(3)", "cannot be loaded: BaseException: 3"),
        ("def", "cannot be loaded: SyntaxError"),
    ],
)
def test_a_file_that_is_no_judge_is_told_with_the_reason(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        hosts.load(str(written(tmp_path, "x", text)))


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("raise ModuleNotFoundError(name='openai')", r"pip install 'flowjury\[openai\]'"),
        ("raise ModuleNotFoundError(name='tenacity.x')", r"pip install 'flowjury\[openai\]'"),
        ("import surely_not_there", "install it, or correct 'surely_not_there'"),
    ],
)
def test_a_package_that_is_not_installed_is_told_with_how_to_install_it(tmp_path, text, fix):
    with pytest.raises(UsageError, match=fix):
        hosts.load(str(written(tmp_path, "x", text)))


def test_a_wrong_option_is_told(tmp_path):
    host = hosts.load(str(written(tmp_path, "x", SHAPE)))

    with pytest.raises(InputError, match=r"settings of judge mine: .*'level'"):
        host.open({"levle": 2}, environment={}, now=lambda: NOW)


def request_of(output: str) -> Request:
    rubric = Rubric.model_validate(
        {"criteria": [{"id": "a", "text": "A"}], "evidence": [{"at": "/output"}]}
    )
    request = ask("s", output, None, rubric, Evidence(Trace(status="finished", output=output)))
    assert isinstance(request, Request)
    return request


def answer_to(request: Request, vote: Vote | None = None) -> Judgement:
    return Judgement.model_validate(
        {
            "request": request.digest,
            "judge": {"name": "fake"},
            "criteria": [{"id": "a", "verdict": "met"}],
            "vote": vote.model_dump() if vote else None,
            "created": NOW,
        }
    )


class FakeJudge:
    """Answers by a function of the request; knows how many are under way."""

    def __init__(self, answer: Callable[[Request, Vote | None], Judgement] = answer_to) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.under_way = self.peak = 0
        self.closed = False

    async def judge(self, request: Request, vote: Vote | None) -> Judgement:
        self.asked.append(request.case)
        self.under_way += 1
        self.peak = max(self.peak, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        return self.answer(request, vote)

    async def close(self) -> None:
        self.closed = True


def asked(
    judge: FakeJudge, *names: str, votes: int = 1, concurrency: int = 1
) -> tuple[list[Judgement], dict[str, str]]:
    answers: list[Judgement] = []
    failures: dict[str, str] = {}
    asyncio.run(
        hosts.answer_all(
            judge,
            [request_of(name) for name in names],
            votes=votes,
            concurrency=concurrency,
            on_answer=lambda _, judgement: answers.append(judgement),
            on_failure=lambda request, failure: failures.update({request.case: str(failure)}),
        )
    )
    return answers, failures


def failing(code: str) -> Callable[[Request, Vote | None], Judgement]:
    def answer(request: Request, vote: Vote | None) -> Judgement:
        if request.case == "bad":
            raise JudgeFailure(code, "no luck")
        return answer_to(request, vote)

    return answer


def test_a_failure_concerns_its_own_request():
    judge = FakeJudge(failing("refused"))

    answers, failures = asked(judge, "one", "bad", "two")

    assert [answer.request for answer in answers] == [
        request_of("one").digest,
        request_of("two").digest,
    ]
    assert failures == {"bad": "no luck"}
    assert judge.closed


@pytest.mark.parametrize("code", ["auth", "quota", "not-found"])
def test_a_failure_that_all_requests_would_end_in_ends_the_asking(code):
    judge = FakeJudge(failing(code))

    answers, failures = asked(judge, "one", "bad", "two")

    assert judge.asked == ["one", "bad"]
    assert len(answers) == 1
    assert failures == {
        "bad": "no luck",
        "two": "not asked, as another request failed: no luck",
    }


@pytest.mark.parametrize("error", ["ValueError('no')", "SystemExit('no')", "GeneratorExit('no')"])
def test_a_judge_that_breaks_when_it_is_opened_is_told_with_the_reason(tmp_path, error):
    text = f"{SHAPE}\ndef open_judge(settings, environment, now):\n    raise {error}\n"
    host = hosts.load(str(written(tmp_path, "x", text)))

    with pytest.raises(UsageError, match=r"^judge mine cannot be opened: \w+: no$"):
        host.open({}, environment={}, now=lambda: NOW)


@pytest.mark.parametrize("error", [KeyError, SystemExit, GeneratorExit, asyncio.CancelledError])
def test_a_judge_that_breaks_is_told_apart(error):
    def broken(_request: Request, _vote: Vote | None) -> Judgement:
        raise error("a secret")

    reason = f"the judge itself raised {error.__name__}"
    assert asked(FakeJudge(broken), "one", "two") == ([], {"one": reason, "two": reason})


def test_an_answer_to_something_else_is_none():
    def astray(_request: Request, vote: Vote | None) -> Judgement:
        return answer_to(request_of("other"), vote)

    answers, failures = asked(FakeJudge(astray), "one")

    assert answers == []
    assert failures["one"].startswith("it answers request ")


def test_votes_share_a_batch_and_are_numbered():
    answers, _ = asked(FakeJudge(), "one", "two", votes=3)

    votes = [answer.vote for answer in answers if answer.vote]
    assert sorted(vote.n for vote in votes) == [1, 1, 2, 2, 3, 3]
    assert len({vote.batch for vote in votes}) == 1


def test_a_single_answer_is_no_vote():
    [answer], _ = asked(FakeJudge(), "one")

    assert answer.vote is None


def test_no_more_requests_are_under_way_than_allowed():
    judge = FakeJudge()

    asked(judge, *map(str, range(20)), concurrency=4)

    assert judge.peak == 4


def test_what_was_answered_before_an_interruption_is_kept_and_the_judge_is_closed():
    judge = FakeJudge()
    answers: list[Judgement] = []

    def keep(_request: Request, judgement: Judgement) -> None:
        answers.append(judgement)
        if len(answers) == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(
            hosts.answer_all(
                judge,
                [request_of(str(number)) for number in range(9)],
                concurrency=1,
                on_answer=keep,
                on_failure=lambda *_: None,
            )
        )

    assert len(answers) == 2
    assert judge.closed
