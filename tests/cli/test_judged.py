from __future__ import annotations

import json

import pytest

JUDGE = """
from flowjury.errors import JudgeFailure
from flowjury.model import Model
from flowjury.request import Judge, Judgement, Ruling

NAME = "tester"
VERSION = "1"


class Settings(Model):
    model: str | None = None
    verdict: str = "met"


class Host:
    def __init__(self, settings, now):
        self.settings, self.now = settings, now

    async def judge(self, request, vote):
        if self.settings.verdict == "nothing":
            raise JudgeFailure("busy", "try later")
        rulings = tuple(Ruling(id=c.id, verdict=self.settings.verdict) for c in request.criteria)
        return Judgement(request=request.digest, judge=Judge(name=NAME), criteria=rulings,
                         vote=vote, created=self.now())

    async def close(self):
        pass


def open_judge(settings, environment, now):
    return Host(settings, now)
"""


@pytest.fixture
def asked(flowjury):
    flowjury.suite("asks")
    flowjury.write("judges/tester.py", JUDGE)
    flowjury("run")
    return flowjury


def answer(digest, verdict="met", **more):
    return {
        "format": 1,
        "request": digest,
        "judge": {"name": "ann"},
        "criteria": [{"id": "clear", "verdict": verdict}],
        "created": "2026-01-01T00:00:00Z",
        **more,
    }


def test_what_is_pending_is_listed_until_it_is_answered(asked):
    [one] = asked("pending", "--json").json
    digest = one["request"]["digest"]
    before = asked("pending")
    asked.write(".flowjury/results/ann.json", json.dumps(answer(digest)))
    attached = asked("attach")
    after = asked("pending")

    assert (before.code, before.out.splitlines()[:3]) == (
        3,
        ["shop: asks", f"  request {digest}", "  needs-judge: no judgement yet"],
    )
    assert attached.code == 0
    assert attached.out.splitlines()[0].endswith("ann.json:1: attached (asks)")
    assert "exit 0: passed" in attached.out
    assert (after.code, after.out) == (0, "nothing needs a judge\n")


def test_a_bad_answer_exits_2_and_says_what_would_be_right(asked):
    [one] = asked("pending", "--json").json
    digest = one["request"]["digest"]
    asked.write("a.json", json.dumps(answer(digest, None)))
    asked.write("b.json", json.dumps(answer("0" * 64)))
    printed = asked("attach", "a.json", "b.json")

    assert printed.code == 2
    assert printed.out.splitlines()[:2] == [
        "a.json:1: half-filled (asks): criterion 'clear' has no verdict",
        f"b.json:1: foreign: request {'0' * 12}… was never asked here",
    ]


def test_a_dry_run_says_what_would_be_and_writes_nothing(asked):
    [one] = asked("pending", "--json").json
    asked.write("a.json", json.dumps(answer(one["request"]["digest"])))
    attached = asked("attach", "a.json", "--dry-run")
    judged = asked("judge", "--host", "tester", "--dry-run")

    assert (attached.code, attached.out) == (0, "a.json:1: would be attached (asks)\n")
    assert (judged.code, judged.out) == (
        0,
        f"tester would be asked 1 requests\n  {one['request']['digest'][:12]}  shop: asks\n",
    )
    assert not (asked.root / "judgements").exists()


@pytest.mark.parametrize(
    ("verdict", "code", "err"),
    [
        ("met", 0, ""),
        ("not-met", 1, ""),
        ("nothing", 3, "flowjury: shop: asks: no answer (busy): try later\n"),
    ],
)
def test_a_judge_is_found_by_name_and_its_answers_decide(asked, verdict, code, err):
    printed = asked("judge", "--host", "tester", "--set", f"verdict={verdict}")

    assert (printed.code, printed.err) == (code, err)
    assert printed.out.startswith("shop · run ")


def test_a_judge_by_path_with_a_wrong_setting_is_refused(asked):
    printed = asked("judge", "--host", "judges/tester.py", "--set", "verdct=met")

    assert printed.code == 2
    assert "nearest is 'verdict'" in printed.err


def test_answers_may_come_from_standard_input(asked):
    [one] = asked("pending", "--json").json
    given = json.dumps(answer(one["request"]["digest"]))
    printed = asked.process("attach", "-", input=given)

    assert printed.stdout.splitlines()[0] == "standard input:1: attached (asks)"
