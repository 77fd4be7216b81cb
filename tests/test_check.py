from __future__ import annotations

import pytest

from flowjury.check import Check, Claim, Truth, walk, walk_all
from flowjury.finding import Actual
from flowjury.verdict import Verdict


class Claiming(Check):
    """A check whose claims are given."""

    kind: str = "claiming"
    given: tuple[Claim, ...] = ()
    parts: tuple[Check, ...] = ()

    def claims(self, scope):  # noqa: ARG002 - they are given
        return self.given

    def inner(self):
        return [(f"/parts/{number}", part) for number, part in enumerate(self.parts)]


def claim(truth, says="s", **fields):
    return Claim(truth=truth, says=says, **fields)


@pytest.mark.parametrize(
    ("truth", "asserted", "denied"),
    [
        (Truth.HOLDS, "passed", "failed"),
        (Truth.FAILS, "failed", "passed"),
        (Truth.MISSING, "failed", "unknown"),
        (Truth.UNKNOWN, "unknown", "unknown"),
        (Truth.ERROR, "error", "error"),
    ],
)
def test_a_verdict_is_what_is_true_and_what_is_wanted(truth, asserted, denied):
    check = Claiming(given=(claim(truth),))
    turned = Claiming(given=(claim(truth, want="fails"),))

    assert [check.weigh(None).verdict, check.weigh(None, "fails").verdict] == [asserted, denied]
    assert [turned.weigh(None, "fails").verdict, turned.weigh(None).verdict] == [asserted, denied]


def test_one_claim_is_the_finding_and_signed_by_the_check():
    given = claim(Truth.FAILS, "it is 2", expected=None, actual=Actual.of(2), where="/output")
    check = Claiming(given=(given,), id="i", label="l", rule="r", critical=True, enforcement="warn")

    assert check.weigh(None).model_dump(mode="json") == {
        "kind": "claiming",
        "verdict": "failed",
        "message": "it is 2",
        "id": "i",
        "label": "l",
        "rule": "r",
        "critical": True,
        "enforcement": "warn",
        "expected": None,
        "actual": {"present": True, "value": 2},
        "where": "/output",
        "children": [],
    }


def test_an_expectation_of_null_is_told_from_none():
    shown = Claiming(given=(claim(Truth.HOLDS, expected=None),)).weigh(None)
    silent = Claiming(given=(claim(Truth.HOLDS),)).weigh(None)

    assert ("expected" in shown.model_fields_set, "expected" in silent.model_fields_set) == (
        True,
        False,
    )


@pytest.mark.parametrize(
    ("given", "verdict", "message"),
    [
        ((), Verdict.UNKNOWN, "it claims nothing"),
        ((claim(Truth.HOLDS, "a"), claim(Truth.HOLDS, "b")), Verdict.PASSED, "a; b"),
        (
            tuple(claim(Truth.HOLDS, str(n)) for n in range(4)),
            Verdict.PASSED,
            "all 4 claims hold: 0; …",
        ),
        (
            (claim(Truth.HOLDS, "a"), *(claim(Truth.FAILS, str(n)) for n in range(5))),
            Verdict.FAILED,
            "0; 1; 2; and 2 more",
        ),
    ],
)
def test_several_claims_are_joined_with_the_reasons_for_the_verdict(given, verdict, message):
    finding = Claiming(given=given).weigh(None)

    assert (finding.verdict, finding.message) == (verdict, message)
    assert len(finding.children) == len(given)


def test_checks_are_walked_with_those_inside():
    check = Claiming(parts=(Claiming(), Claiming(parts=(Claiming(),))))

    assert [at for at, _ in walk(check)] == ["", "/parts/0", "/parts/1", "/parts/1/parts/0"]
    assert [at for at, _ in walk_all([Claiming(), Claiming()], "/checks")] == [
        "/checks/0",
        "/checks/1",
    ]


def test_a_check_that_says_nothing_else_names_nothing():
    check = Claiming()

    assert [*check.references(), *check.addresses(), *check.flaws(None)] == []
