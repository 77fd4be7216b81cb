from __future__ import annotations

import pytest

SPENT = [
    {"node": "reply", "usage": {"ai_units": 18, "cost_usd": 0.1}},
    {"node": "classify", "usage": {"ai_units": 9, "cost_usd": 0.2}},
    {"node": "reply:inner", "usage": {"ai_units": 1}},
]
SILENT = [{"node": "reply", "usage": {"ai_units": 5}}, {"node": "reply"}]


def budget(**fields):
    return {"kind": "budget", "unit": "ai_units", **fields}


@pytest.mark.parametrize(
    ("check", "ran", "verdict", "message"),
    [
        (budget(max=28), SPENT, "passed", "ai_units: 28 spent of at most 28"),
        (
            budget(max=20),
            SPENT,
            "failed",
            "ai_units: 28 spent, 8 over the max of 20; most by reply 18, classify 9, reply:inner 1",
        ),
        (budget(unit="cost_usd", max=0.3), SPENT, "passed", "cost_usd: 0.3 spent of at most 0.3"),
        (
            budget(max=19, node="reply"),
            SPENT,
            "passed",
            "ai_units of reply: 19 spent of at most 19",
        ),
        (
            budget(max=8, node="classify"),
            SPENT,
            "failed",
            "ai_units of classify: 9 spent, 1 over the max of 8; most by classify 9",
        ),
        (budget(unit="tokens", max=9), SPENT, "unknown", "tokens: no node reported any"),
        (
            budget(unit="ai_unit", max=9),
            SPENT,
            "unknown",
            "ai_unit: no node reported any; nearest is 'ai_units'",
        ),
        (budget(max=9, node="other"), SPENT, "unknown", "ai_units of other: other reported none"),
        (
            budget(max=9),
            SILENT,
            "unknown",
            (
                "ai_units: 5 spent of at most 9 as far as is known, "
                "but not all was recorded: reply did not always report it"
            ),
        ),
        (
            budget(max=4),
            SILENT,
            "failed",
            "ai_units: 5 spent, 1 over the max of 4; most by reply 5",
        ),
        (
            budget(unit="seconds", max=1),
            [{"node": "a", "start_ns": 0, "end_ns": 2_500_000_000}],
            "failed",
            "seconds: 2.5 spent, 1.5 over the max of 1; most by a 2.5",
        ),
        (
            budget(unit="seconds", max=1),
            [{"node": "a", "replayed": True}],
            "unknown",
            "seconds: answers came from fixtures, so times measure nothing",
        ),
        (budget(unit="seconds", max=1), [], "unknown", "seconds: no times were recorded"),
        (
            budget(unit="seconds", max=1, node="a"),
            [
                {"node": "a", "start_ns": 0, "end_ns": 500_000_000},
                {"node": "b", "start_ns": 0, "end_ns": 9_500_000_000},
            ],
            "passed",
            "seconds of a: 0.5 spent of at most 1",
        ),
    ],
)
def test_spending_is_exact_and_what_was_not_measured_is_not_nothing(
    lab, check, ran, verdict, message
):
    finding = lab.weigh(
        check, lab.run(ran), lab.names("reply -> reply:inner, classify, other, a, b")
    )

    assert (finding.verdict, finding.message) == (verdict, message)


def test_what_the_engine_states_is_the_total(lab):
    assert lab.weigh(budget(max=20), lab.run(SPENT, usage={"ai_units": 19})).verdict == "passed"


@pytest.mark.parametrize(
    ("on_missing", "verdict", "enforcement"),
    [("fail", "failed", "fail"), ("warn", "unknown", "warn"), ("skip", "unknown", "report")],
)
@pytest.mark.parametrize("seen", [([], 1), (SILENT, 9)])
def test_a_budget_says_what_it_means_that_something_was_not_measured(
    lab, on_missing, verdict, enforcement, seen
):
    ran, limit = seen
    finding = lab.weigh(budget(max=limit, on_missing=on_missing), lab.run(ran))

    assert (finding.verdict, finding.enforcement) == (verdict, enforcement)


def test_what_was_measured_is_enforced_whatever_missing_means(lab):
    finding = lab.weigh(budget(max=1, on_missing="skip"), lab.run(SPENT))

    assert (finding.verdict, finding.enforcement) == ("failed", "fail")


def test_a_weaker_enforcement_stays(lab):
    check = budget(max=1, on_missing="warn", enforcement="report")

    assert lab.weigh(check, lab.run()).enforcement == "report"


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (budget(max=3), "passed"),
        (budget(max=2, step="one"), "passed"),
        (budget(max=0, step="two"), "failed"),
        (budget(max=9, step="three"), "unknown"),
        (budget(unit="seconds", max=0.00000002), "passed"),
    ],
)
def test_a_conversation_spends_what_its_turns_spend(lab, check, verdict):
    turns = [
        {"id": "one", "trace": lab.run([{"node": "a", "usage": {"ai_units": 2}}])},
        {"id": "two", "trace": lab.run([{"node": "a", "usage": {"ai_units": 1}}])},
    ]

    assert lab.weigh(check, lab.run(None, steps=turns)).verdict == verdict


def test_an_incomplete_turn_makes_the_sum_incomplete(lab):
    turns = [
        {"id": "one", "trace": lab.run([{"node": "a", "usage": {"ai_units": 2}}])},
        {"id": "two", "trace": lab.run("a", complete={})},
    ]

    assert lab.weigh(budget(max=3), lab.run(None, steps=turns)).verdict == "unknown"


@pytest.mark.parametrize("limit", [-1, float("inf"), float("nan"), True, "20"])
def test_a_budget_needs_a_finite_number_from_nought_on(lab, limit):
    assert lab.fault(budget(max=limit))


def test_the_node_is_a_reference_and_the_step_an_address(lab):
    asked = lab.check(budget(max=1, node="a", step="one"))

    assert [(each.at, each.name) for each in asked.references()] == [("/node", "a")]
    assert list(asked.addresses()) == [("/step", "/steps/one")]
