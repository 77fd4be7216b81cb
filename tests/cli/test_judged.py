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
            raise JudgeFailure("busy", "try later", usage={"tokens": 3})
        rulings = tuple(Ruling(id=c.id, verdict=self.settings.verdict) for c in request.criteria)
        return Judgement(request=request.digest, judge=Judge(name=NAME), criteria=rulings,
                         vote=vote, created=self.now(), usage={"tokens": 7})

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
    [one] = asked("pending", "--json").json["open"]
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


def test_a_case_that_must_run_again_is_pending(asked):
    suite = (asked.root / "shop.suite.yaml").read_text()
    asked.write("shop.suite.yaml", suite.replace("price: 80", "price: 81"))
    printed = asked("pending")
    said = asked("pending", "--json")

    assert (printed.code, printed.out) == (
        3,
        "1 case must be run again (flowjury run):\n  shop: asks: stimulus changed: fixtures\n",
    )
    assert (said.code, said.json) == (
        3,
        {
            "open": [],
            "rerun": [{"suite": "shop", "case": "asks", "reason": "stimulus changed: fixtures"}],
        },
    )


def test_a_bad_answer_exits_2_and_says_what_would_be_right(asked):
    [one] = asked("pending", "--json").json["open"]
    digest = one["request"]["digest"]
    asked.write("a.json", json.dumps(answer(digest, None)))
    asked.write("b.json", json.dumps(answer("0" * 64)))
    printed = asked("attach", "a.json", "b.json")

    assert printed.code == 2
    assert printed.out.splitlines()[:2] == [
        "a.json:1: half-filled (asks): criterion 'clear' has no verdict",
        f"b.json:1: foreign: request {'0' * 12}… was never asked here",
    ]


def test_attaching_exits_as_the_reports_do_unless_an_answer_could_not_be_used(asked):
    [one] = asked("pending", "--json").json["open"]
    nothing = asked("attach")
    asked.write("bad.json", json.dumps(answer("0" * 64)))
    refused = asked("attach", "bad.json")
    asked.write("no.json", json.dumps(answer(one["request"]["digest"], "not-met")))
    failed = asked("attach", "no.json")

    assert (nothing.code, nothing.out) == (
        3,
        "no results found; put them into .flowjury/results, or name files\n",
    )
    assert (refused.code, refused.err) == (2, "flowjury: exit 2: 1 answer could not be used\n")
    assert (failed.code, failed.err) == (1, "")


def test_a_dry_run_says_what_would_be_and_writes_nothing(asked):
    [one] = asked("pending", "--json").json["open"]
    asked.write("a.json", json.dumps(answer(one["request"]["digest"])))
    attached = asked("attach", "a.json", "--dry-run")
    judged = asked("judge", "--host", "tester", "--dry-run")

    assert (attached.code, attached.out) == (0, "a.json:1: would be attached (asks)\n")
    assert (judged.code, judged.out) == (
        0,
        f"tester would be asked 1 request\n  {one['request']['digest'][:12]}  shop: asks\n",
    )
    assert not (asked.root / "judgements").exists()


@pytest.mark.parametrize(
    ("verdict", "code", "err"),
    [
        ("met", 0, ["spent: tokens 7"]),
        ("not-met", 1, ["spent: tokens 7"]),
        ("nothing", 3, ["shop: asks: no answer (busy): try later", "spent: tokens 3"]),
    ],
)
def test_a_judge_is_found_by_name_and_its_answers_decide(asked, verdict, code, err):
    printed = asked("judge", "--host", "tester", "--set", f"verdict={verdict}")

    said = ["asking tester 1 request", *err]
    assert (printed.code, printed.err.splitlines()) == (code, [f"flowjury: {one}" for one in said])
    assert printed.out.startswith("shop · run ")


def test_a_judge_by_path_with_a_wrong_setting_is_refused(asked):
    printed = asked("judge", "--host", "judges/tester.py", "--set", "verdct=met")

    assert printed.code == 2
    assert "nearest is 'verdict'" in printed.err


def test_a_judge_that_needs_a_model_says_how_it_is_named(asked):
    needing = JUDGE.replace("model: str | None = None", "model: str")
    asked.write("judges/tester.py", needing)
    refused = asked("judge", "--host", "tester")
    named = asked("judge", "--host", "tester", "--model", "m", "--votes", "2")

    assert (refused.code, refused.err) == (
        2,
        "flowjury: judge tester needs a model: --model NAME, or `model = …` in flowjury.toml\n",
    )
    assert named.err.splitlines()[0] == "flowjury: asking tester (model m) 1 request, 2 times each"


def test_a_file_without_a_judge_is_the_users_to_mend(asked):
    asked.write("judges/none.py", "x = 1\n")
    printed = asked("judge", "--host", "judges/none.py")

    assert (printed.code, "does not define NAME" in printed.err) == (2, True)


def test_answers_may_come_from_standard_input(asked):
    [one] = asked("pending", "--json").json["open"]
    given = json.dumps(answer(one["request"]["digest"]))
    printed = asked.process("attach", "-", input=given)

    assert printed.stdout.splitlines()[0] == "standard input:1: attached (asks)"
