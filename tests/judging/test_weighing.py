from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from flowjury.judging import decide
from flowjury.request import Judgement, Vote

from .conftest import Bench

MET = {"verdict": "met", "quotes": [{"pointer": "/output", "text": "manager"}], "reason": "said"}
UNQUOTED = {"verdict": "met", "quotes": [{"pointer": "/output", "text": "never said"}]}
DAY = "2026-01-{:02}T00:00:00Z"
GREENER = {"failed": 0, "needs-judge": 1, "passed": 2}


def weighed(bench: Bench, *judgements: Judgement, allowed: tuple[str, ...] = ()) -> tuple[str, str]:
    report = decide(bench.rubric, bench.request, judgements, allowed=allowed)
    return report.decision, report.message


@pytest.mark.parametrize(
    ("rubric", "answers", "decision", "message"),
    [
        (
            {},
            {"a": "met", "b": "met"},
            "passed",
            "passed: every required criterion is met or does not apply (ada)",
        ),
        ({}, {"a": "met", "b": "not-met"}, "failed", "failed: b not met (ada: so says b)"),
        (
            {},
            {"a": "cannot-tell", "b": "not-met"},
            "failed",
            "failed: b not met (ada: so says b)",
        ),
        (
            {},
            {"a": "met", "b": "cannot-tell"},
            "needs-judge",
            "needs-judge: b cannot be told (ada: so says b)",
        ),
        (
            {},
            {"a": "met", "b": UNQUOTED},
            "needs-judge",
            "needs-judge: b cannot be told (ada: quote not found)",
        ),
        (
            {},
            {"a": "met", "b": {"verdict": "met"}},
            "needs-judge",
            "needs-judge: b cannot be told (ada: no quote given)",
        ),
        (
            {},
            {"a": "met", "b": "met", "unsupported_claims": ["It is free", " "]},
            "failed",
            "failed: unsupported claim: It is free (ada)",
        ),
        (
            {"unsupported_claims": "warn"},
            {"a": "met", "b": "met", "unsupported_claims": ["It is free"]},
            "passed",
            (
                "passed: every required criterion is met or does not apply (ada); "
                "warning: unsupported claim: It is free (ada)"
            ),
        ),
        (
            {"minimum_score": 3},
            {"a": "met", "b": "met", "score": 2},
            "failed",
            "failed: score 2 is under the minimum of 3 (ada)",
        ),
        (
            {"minimum_score": 3},
            {"a": "met", "b": "met"},
            "needs-judge",
            "needs-judge: no score given (ada)",
        ),
        (
            {"minimum_score": 3},
            {"a": "met", "b": "met", "score": 3},
            "passed",
            "passed: every required criterion is met or does not apply (ada)",
        ),
    ],
)
def test_one_answer_decides_by_its_worst_required_part(rubric, answers, decision, message):
    bench = Bench(rubric)

    assert weighed(bench, bench.judgement(**answers)) == (decision, message)


@pytest.mark.parametrize("verdict", ["not-met", "cannot-tell"])
def test_what_is_not_required_does_not_decide(verdict):
    criteria = [{"id": "a", "text": "A"}, {"id": "b", "text": "B", "required": False}]
    bench = Bench({"criteria": criteria})

    assert weighed(bench, bench.judgement(a="met", b=verdict))[0] == "passed"


@pytest.mark.parametrize(
    ("b", "decision"), [("not-applicable", "needs-judge"), ("met", "needs-judge")]
)
def test_where_no_required_criterion_applies_nothing_was_judged(b, decision):
    criteria = [
        {"id": "a", "text": "A", "applies": "x"},
        {"id": "b", "text": "B", "applies": "x", "required": False},
    ]
    bench = Bench({"criteria": criteria})

    assert weighed(bench, bench.judgement(a="not-applicable", b=b)) == (
        decision,
        "needs-judge: no criterion applies (ada)",
    )


def test_a_criterion_that_does_not_apply_is_out_of_the_decision():
    criteria = [{"id": "a", "text": "A"}, {"id": "b", "text": "B", "applies": "x"}]
    bench = Bench({"criteria": criteria})

    assert weighed(bench, bench.judgement(a="met", b="not-applicable"))[0] == "passed"


def test_a_criterion_may_do_without_a_quote():
    bench = Bench({"criteria": [{"id": "a", "text": "A", "quote": False}]})

    assert weighed(bench, bench.judgement(a={"verdict": "met"}))[0] == "passed"


def test_without_an_answer_the_case_needs_a_judge():
    bench = Bench()

    report = decide(bench.rubric, bench.request, [], allowed=("ada",))

    assert (report.decision, report.message) == ("needs-judge", "needs-judge: no judgement yet")
    assert [criterion.verdict for criterion in report.criteria] == ["open", "open"]


def test_answers_of_nobody_who_counts_decide_nothing_but_are_kept():
    bench = Bench()
    answer = bench.judgement("eve", a="not-met", b="met")

    report = decide(bench.rubric, bench.request, [answer], allowed=("ada", "bob"))

    assert report.decision == "needs-judge"
    assert report.message == "needs-judge: answers of nobody who counts (eve); count: ada, bob"
    assert report.judgements == (answer,)


def test_an_answer_that_is_none_is_ignored_aloud():
    bench = Bench()
    half = bench.judgement("bob", a="met")

    assert weighed(bench, half) == (
        "needs-judge",
        (
            "needs-judge: no judgement yet; "
            "ignored an answer of bob: half-filled: no answer to criterion 'b'"
        ),
    )
    assert weighed(bench, half, bench.judgement(a="met", b="met"))[0] == "passed"


PASS, FAIL, OPEN = ({"b": answer} for answer in ("met", "not-met", "cannot-tell"))


@pytest.mark.parametrize(
    ("agreement", "answers", "decision"),
    [
        ("any-fail", [PASS, PASS], "passed"),
        ("any-fail", [PASS, OPEN], "needs-judge"),
        ("any-fail", [PASS, OPEN, FAIL], "failed"),
        ("majority", [PASS, PASS, FAIL], "passed"),
        ("majority", [PASS, FAIL, FAIL], "failed"),
        ("majority", [PASS, FAIL], "needs-judge"),
        ("majority", [PASS, PASS, FAIL, OPEN], "needs-judge"),
        ("majority", [PASS, OPEN, OPEN], "needs-judge"),
        ("unanimous", [PASS, PASS], "passed"),
        ("unanimous", [FAIL, FAIL], "failed"),
        ("unanimous", [PASS, PASS, FAIL], "needs-judge"),
        ("unanimous", [], "needs-judge"),
        ("majority", [], "needs-judge"),
    ],
)
def test_several_judges_become_one_decision_by_agreement(agreement, answers, decision):
    bench = Bench({"agreement": agreement})
    judgements = [
        bench.judgement(f"judge-{number}", a="met", **answer)
        for number, answer in enumerate(answers)
    ]

    report = decide(bench.rubric, bench.request, judgements)

    verdict = {"passed": "met", "failed": "not-met", "needs-judge": "cannot-tell"}[decision]
    assert report.decision == decision
    assert report.criteria[1].verdict == (verdict if answers else "open")


@pytest.mark.parametrize(
    ("agreement", "answers", "decision"),
    [
        ("unanimous", {"ada": "met", "bob": "met"}, "needs-judge"),
        ("unanimous", {"ada": "not-met", "bob": "not-met"}, "needs-judge"),
        ("unanimous", {"ada": "met", "bob": "met", "cy": "met"}, "passed"),
        ("majority", {"ada": "met"}, "needs-judge"),
        ("majority", {"ada": "met", "bob": "met"}, "passed"),
        ("majority", {"ada": "not-met", "bob": "not-met"}, "failed"),
        ("majority", {"ada": "met", "bob": "not-met"}, "needs-judge"),
        ("any-fail", {"ada": "met"}, "passed"),
    ],
)
def test_an_agreement_is_one_of_all_judges_that_are_listed(agreement, answers, decision):
    bench = Bench({"agreement": agreement})
    judgements = [bench.judgement(name, a="met", b=answer) for name, answer in answers.items()]

    assert weighed(bench, *judgements, allowed=("ada", "bob", "cy"))[0] == decision


def test_judges_who_are_awaited_are_named():
    bench = Bench({"agreement": "unanimous"})
    report = decide(
        bench.rubric, bench.request, [bench.judgement(a="met", b="met")], allowed=("ada", "bob")
    )

    assert report.message == "needs-judge: waits for bob; so far ada passed"
    assert report.criteria[0].reason == "not all judges have answered"


@pytest.mark.parametrize("verdict", ["met", "not-met"])
def test_a_batch_of_votes_decides_nothing_until_all_are_there(verdict):
    bench = Bench()
    votes = [
        bench.judgement(a="met", b=verdict, vote={"batch": "x", "n": n, "of": 3}) for n in (1, 2, 3)
    ]
    whole = {"met": "passed", "not-met": "failed"}[verdict]

    assert weighed(bench, *votes[:2]) == (
        "needs-judge",
        "needs-judge: only 2 of 3 votes are there (ada)",
    )
    assert weighed(bench, *votes)[0] == whole


def test_a_vote_is_one_of_its_batch():
    with pytest.raises(ValidationError, match="vote 4 is none of 3"):
        Vote(batch="x", n=4, of=3)


def test_a_rubric_that_no_answer_could_fail_is_refused():
    criteria = [{"id": "a", "text": "A", "required": False}]

    with pytest.raises(ValidationError, match="no answer could fail it"):
        Bench({"criteria": criteria})
    assert Bench({"criteria": criteria, "minimum_score": 2}).rubric.minimum_score == 2


def test_judges_who_do_not_agree_are_named():
    bench = Bench({"agreement": "majority"})
    ada, bob = bench.judgement(a="met", b="met"), bench.judgement("bob", a="met", b="not-met")

    assert weighed(bench, ada, bob) == (
        "needs-judge",
        "needs-judge: judges do not agree: ada passed, bob failed",
    )


def test_each_criterion_says_who_answered_what_and_why():
    bench = Bench()
    ada, bob = bench.judgement(a="met", b="met"), bench.judgement("bob", a="met", b="not-met")

    criterion = decide(bench.rubric, bench.request, [ada, bob]).criteria[1]

    assert (criterion.verdict, criterion.reason) == ("not-met", "so says b")
    assert criterion.judges == {"ada": "met", "bob": "not-met"}


def test_of_one_judge_the_newest_answer_counts_in_whatever_zone_it_was_given():
    bench = Bench()
    old = bench.judgement(a="met", b="not-met", created="2026-01-02T00:30:00+02:00")
    new = bench.judgement(a="met", b="met", created="2026-01-01T23:00:00Z")

    assert weighed(bench, new, old)[0] == "passed"


@pytest.mark.parametrize(
    ("votes", "verdict", "reason"),
    [
        (["met", "met", "not-met"], "met", "2 of 3 votes: so says b"),
        (["met", "not-met", "not-met"], "not-met", "2 of 3 votes: so says b"),
        (["met", "not-met"], "cannot-tell", "votes are split: 1 met, 1 not-met"),
        (
            ["met", "not-met", "cannot-tell"],
            "cannot-tell",
            "votes are split: 1 cannot-tell, 1 met, 1 not-met",
        ),
        (["met", "met", "met"], "met", "so says b"),
    ],
)
def test_votes_of_one_batch_decide_by_majority(votes, verdict, reason):
    bench = Bench()
    judgements = [
        bench.judgement(a="met", b=vote, vote={"batch": "x", "n": number + 1})
        for number, vote in enumerate(votes)
    ]

    criterion = decide(bench.rubric, bench.request, judgements).criteria[1]

    assert (criterion.verdict, criterion.reason) == (verdict, reason)


def test_only_the_newest_batch_counts():
    bench = Bench()
    old = [voted(bench, "old", n, DAY.format(1), b="not-met") for n in (1, 2, 3)]
    new = [voted(bench, "new", n, DAY.format(2), b="met") for n in (1, 2)]

    assert weighed(bench, *new, *old)[0] == "passed"


@pytest.mark.parametrize(
    ("scores", "decision"),
    [([2, 3, 5], "passed"), ([2, 3], "failed"), ([5, None, 5], "needs-judge")],
)
def test_the_lower_median_of_the_votes_is_the_score(scores, decision):
    bench = Bench({"minimum_score": 3})
    votes = [
        voted(bench, "x", number + 1, DAY.format(1), b="met", score=score)
        for number, score in enumerate(scores)
    ]

    assert weighed(bench, *votes)[0] == decision


@pytest.mark.parametrize(
    ("claims", "decision"),
    [([["x"], []], "needs-judge"), ([["x"], ["x"], []], "failed"), ([["x"], [], []], "passed")],
)
def test_an_unsupported_claim_needs_the_majority_of_the_votes(claims, decision):
    bench = Bench()
    votes = [
        voted(bench, "x", number + 1, DAY.format(1), b="met", unsupported_claims=some)
        for number, some in enumerate(claims)
    ]

    assert weighed(bench, *votes)[0] == decision


def voted(bench: Bench, batch: str, n: int, created: str, **answers: Any) -> Judgement:
    return bench.judgement(a="met", vote={"batch": batch, "n": n}, created=created, **answers)


@pytest.mark.parametrize("agreement", ["any-fail", "majority", "unanimous"])
@given(data=st.data())
def test_the_order_of_the_answers_never_matters(agreement, data):
    bench = Bench({"agreement": agreement, "minimum_score": 2})
    judgements = data.draw(st.lists(judgements_of(bench), max_size=8))
    shuffled = data.draw(st.permutations([*judgements, *judgements[:2]]))

    assert decide(bench.rubric, bench.request, judgements) == decide(
        bench.rubric, bench.request, shuffled
    )


@pytest.mark.parametrize("agreement", ["any-fail", "majority", "unanimous"])
@given(data=st.data())
def test_one_more_not_met_never_makes_it_greener(agreement, data):
    bench = Bench({"agreement": agreement})
    judgements = data.draw(st.lists(judgements_of(bench), max_size=8))
    judge = data.draw(st.sampled_from(["ada", "bob", "cy", "new"]))
    created = data.draw(st.sampled_from([DAY.format(day) for day in (1, 2, 3, 4)]))
    more = bench.judgement(judge, created, a="not-met", b="met")

    before, _ = weighed(bench, *judgements)
    after, _ = weighed(bench, *judgements, more)

    assert GREENER[after] <= GREENER[before]


def judgements_of(bench: Bench) -> st.SearchStrategy[Judgement]:
    verdict = st.sampled_from(["met", "not-met", "cannot-tell"])
    votes = st.none() | st.fixed_dictionaries(
        {"batch": st.sampled_from("xy"), "n": st.integers(1, 3)}
    )
    return st.builds(
        bench.judgement,
        judge=st.sampled_from(["ada", "bob", "cy"]),
        created=st.sampled_from([DAY.format(day) for day in (1, 2, 3)]),
        a=verdict,
        b=verdict,
        score=st.none() | st.integers(1, 5),
        vote=votes,
    )
