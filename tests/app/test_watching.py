"""Rounds of a watch: each runs what has changed since the one before, and reports the whole."""

from __future__ import annotations

import pytest

from flowjury.app.choice import Choice, shard_of
from flowjury.app.running import Orders
from flowjury.app.watching import Watch
from flowjury.errors import InputError

CALL = {"workflow": None, "target": {"kind": "python", "call": "nodes:go"}, "data": "live"}
COUNTING = """
def go(given):
    with open("calls", "a") as file:
        file.write(given["id"] + "\\n")
    return {"id": given["id"]}
"""


def case(name: str, expected: str | None = None, **more):
    value = expected or name
    checks = [{"kind": "value", "at": "/output/id", "op": "equals", "value": value}]
    return {"id": name, "input": {"id": name}, "fixtures": {}, "checks": checks, **more}


class Rounds:
    """A watch of the shop, with what it ran in each round."""

    def __init__(self, shop) -> None:
        self.shop, self.number = shop, 0
        self.watch = Watch(shop.root, ())

    def __call__(self, why="changed", **more):
        self.number += 1
        orders = Orders(run=f"w{self.number}", started="2026-01-01T00:00:00Z", **more)
        done = self.watch.carry_out(self.watch.plan(why, orders))
        return None if done is None else [one.report for one in done.results]

    @property
    def calls(self) -> list[str]:
        """What ran since this was asked last."""
        path = self.shop.root / "calls"
        found = path.read_text().split() if path.exists() else []
        path.unlink(missing_ok=True)
        return found

    def forget(self) -> None:
        """Let no more be known of what ran so far."""
        (self.shop.root / "calls").unlink()


@pytest.fixture
def rounds(shop, monkeypatch):
    monkeypatch.chdir(shop.root)
    shop.write("nodes.py", COUNTING)
    return Rounds(shop)


def statuses(report) -> dict[str, str]:
    return {one.id: one.status.value for one in report.cases}


def test_the_first_round_runs_all_that_is_chosen(rounds, shop):
    shop.suite(case("a"), case("b"), **CALL)

    [report] = rounds("all", choice=Choice(ids=("b",)))

    assert statuses(report) == {"a": "not-run", "b": "passed"}
    assert rounds.calls == ["b"]


def test_a_changed_case_runs_alone_in_a_new_run_that_has_the_others(rounds, shop):
    shop.suite(case("a"), case("b"), **CALL)
    rounds("all")
    rounds.forget()
    shop.suite({**case("a"), "input": {"id": "a", "new": 1}}, case("b"), **CALL)

    [report] = rounds()

    assert statuses(report) == {"a": "passed", "b": "passed"}
    assert (report.run, report.exit, report.partial) == ("w2", 0, False)
    assert rounds.calls == ["a"]
    assert [one.case for one in shop.records("w2")] == ["a", "b"]
    assert [one.case for one in shop.records("w1")] == ["a", "b"]


def test_a_new_case_runs_alone(rounds, shop):
    shop.suite(case("b"), **CALL)
    rounds("all")
    shop.suite(case("a"), case("b"), **CALL)
    rounds.forget()

    [report] = rounds()

    assert list(statuses(report).items()) == [("a", "passed"), ("b", "passed")]
    assert rounds.calls == ["a"]
    assert [one.case for one in shop.records("w2")] == ["a", "b"]


def test_edited_code_runs_again_as_it_is_now(rounds, shop):
    shop.suite(case("a"), case("b"), **CALL)
    rounds("all")
    shop.write("nodes.py", COUNTING.replace('given["id"]}', '"a"}'))
    rounds.forget()

    [report] = rounds()

    assert statuses(report) == {"a": "passed", "b": "failed"}
    assert rounds.calls == ["a", "b"]


def test_an_edited_check_runs_nothing(rounds, shop):
    shop.suite(case("a"), case("b"), **CALL)
    rounds("all")
    shop.suite(case("a", expected="z"), case("b"), **CALL)
    rounds.forget()

    [report] = rounds()

    assert statuses(report) == {"a": "failed", "b": "passed"}
    assert report.run == "w1"
    assert rounds.calls == []


def test_an_edited_fixture_runs_its_case(shop, monkeypatch):
    monkeypatch.chdir(shop.root)
    rounds = Rounds(shop)
    shop.suite({"id": "c", "checks": [shop.check]}, {"id": "d", "checks": [shop.check]})
    rounds("all")
    other = {"look_up": [{"output": {"id": "A-1", "price": 81}}]}
    shop.suite({"id": "c", "checks": [shop.check], "fixtures": other}, {"id": "d"})

    [report] = rounds()

    assert statuses(report) == {"c": "failed", "d": "unknown"}
    assert report.run == "w2"


def test_a_change_that_changes_nothing_is_not_told(rounds, shop):
    shop.suite(case("a"), **CALL)
    rounds("all")
    shop.write("other.py", "")

    assert rounds() is None


def test_who_asks_is_told_all_the_same(rounds, shop):
    shop.suite(case("a"), **CALL)
    rounds("all")
    rounds.forget()

    [report] = rounds("asked")

    assert report.run == "w1"
    assert rounds.calls == []


def test_all_runs_all_again(rounds, shop):
    shop.suite(case("a"), case("b"), **CALL)
    rounds("all")
    rounds.forget()

    [report] = rounds("all")

    assert report.run == "w2"
    assert rounds.calls == ["a", "b"]


def test_a_suite_that_is_wrong_is_told_once_and_goes_on_when_mended(rounds, shop):
    path = shop.suite(case("a"), case("b"), **CALL)
    rounds("all")
    whole = path.read_text()
    path.write_text(whole.replace("checks", "cheks", 1))
    with pytest.raises(InputError, match="cheks") as first:
        rounds()
    with pytest.raises(InputError) as second:
        rounds()
    told = [rounds.watch.tells_anew("changed", each.value) for each in (first, second)]
    path.write_text(whole)
    rounds.forget()

    [report] = rounds()

    assert told == [True, False]
    assert statuses(report) == {"a": "passed", "b": "passed"}
    assert rounds.calls == []


def test_what_a_failure_left_waits_for_a_change_that_counts(rounds, shop):
    shop.suite(case("bad", expected="z"), case("c"), **CALL)
    [first] = rounds("all", fail_fast=True)
    shop.write("other.py", "")
    unmoved = rounds(fail_fast=True)
    shop.write("nodes.py", COUNTING.replace('given["id"]}', '"z"}'))
    shop.suite(case("bad", expected="z"), case("c", expected="z"), **CALL)

    [report] = rounds(fail_fast=True)

    assert statuses(first) == {"bad": "failed", "c": "not-run"}
    assert unmoved is None
    assert statuses(report) == {"bad": "passed", "c": "passed"}


def test_of_several_suites_only_the_touched_one_runs(rounds, shop):
    shop.suite(case("a"), name="one", **CALL)
    shop.suite(case("b"), name="two", **CALL)
    rounds("all")
    rounds.forget()
    shop.suite({**case("b"), "input": {"id": "b", "new": 1}}, name="two", **CALL)

    one, two = rounds()

    assert (one.run, two.run) == ("w1-1", "w2")
    assert rounds.calls == ["b"]


def test_fewer_trials_are_no_more_than_asked_for(rounds, shop):
    shop.suite(case("a", trials={"n": 3}), **CALL)
    rounds("all")
    rounds.forget()
    shop.suite(case("a", trials={"n": 2}), **CALL)

    [report] = rounds()

    assert report.cases[0].planned == 2
    assert rounds.calls == []


def test_further_trials_are_the_only_ones_that_run(rounds, shop):
    shop.suite(case("a"), **CALL)
    rounds("all")
    rounds.forget()
    shop.suite(case("a", trials={"n": 3}), **CALL)

    [report] = rounds()

    assert report.cases[0].passed == 3
    assert rounds.calls == ["a", "a"]


def test_another_data_mode_runs_all_again(rounds, shop):
    shop.suite(case("a"), **CALL)
    rounds("all")
    rounds.forget()

    [report] = rounds(data="replay")

    assert report.run == "w2"
    assert rounds.calls == ["a"]


def test_a_part_of_the_cases_stays_that_part(rounds, shop):
    shop.suite(*(case(name) for name in "abcdef"), **CALL)
    choice = Choice(shard=shard_of("1/2"))
    rounds("all", choice=choice)
    first = rounds.calls
    shop.write("nodes.py", COUNTING + "\n# edited\n")

    rounds(choice=choice)

    assert 0 < len(first) < 6
    assert rounds.calls == first


def test_code_in_a_suite_that_never_ran_is_looked_at(rounds, shop):
    shop.suite(case("a"), **CALL)
    broken = shop.write("nodes.py", "def go(")
    with pytest.raises(InputError):
        rounds("all")

    before = rounds.watch.look()
    broken.write_text(COUNTING)

    assert rounds.watch.look() != before
    assert statuses(rounds()[0]) == {"a": "passed"}


def test_an_answer_that_somebody_gave_is_told(shop, monkeypatch):
    monkeypatch.chdir(shop.root)
    rounds = Rounds(shop)
    shop.suite({"id": "c", "rubric": shop.rubric})
    [asked] = rounds("all")
    seen = rounds.watch.look()
    [one] = shop.pending()
    shop.write("answer.json", shop.answer(one.request))
    shop.attach("answer.json")

    [report] = rounds()

    assert rounds.watch.look() != seen
    assert (statuses(asked), statuses(report)) == ({"c": "needs-judge"}, {"c": "passed"})
    assert report.run == "w1"


def test_an_edited_evaluator_answers_again_and_no_case_runs(rounds, shop):
    asks = {"checks": [{"kind": "evaluator", "use": "rules:fits"}]}
    shop.write("rules.py", "def fits(context, parameters):\n    return True\n")
    shop.suite({**case("a"), **asks}, **CALL)
    [first] = rounds("all")
    rounds.forget()
    shop.write("rules.py", "def fits(context, parameters):\n    return False\n")

    [report] = rounds()

    assert (statuses(first), statuses(report)) == ({"a": "passed"}, {"a": "failed"})
    assert rounds.calls == []


def test_what_the_failure_of_one_suite_left_of_another_goes_on_when_it_is_mended(rounds, shop):
    shop.suite(case("a", expected="z"), name="one", **CALL)
    shop.suite(case("b"), name="two", **CALL)
    first = rounds("all", fail_fast=True)
    unmoved = rounds(fail_fast=True)
    shop.suite({**case("a"), "input": {"id": "a", "new": 1}}, name="one", **CALL)

    second = rounds(fail_fast=True)

    assert [statuses(each) for each in first] == [{"a": "failed"}, {"b": "not-run"}]
    assert unmoved is None
    assert [statuses(each) for each in second] == [{"a": "passed"}, {"b": "passed"}]


def test_code_that_was_edited_during_a_round_runs_again_in_the_next(rounds, shop):
    editing = (
        COUNTING
        + """
import pathlib
file = pathlib.Path(__file__)
go_on = go

def go(given):
    if not file.read_text().endswith("# edited"):
        file.write_text(file.read_text() + "# edited")
    return go_on(given)
"""
    )
    shop.write("nodes.py", editing)
    shop.suite(case("a"), **CALL)
    [first] = rounds("all")

    [report] = rounds()

    assert (statuses(first), statuses(report)) == ({"a": "not-run"}, {"a": "passed"})
    assert rounds() is None
