from __future__ import annotations

import pytest

YES = {"kind": "path", "must": ["a"]}
NO = {"kind": "path", "must": ["b"]}
OPEN = {"kind": "budget", "unit": "tokens", "max": 1}
BROKEN = {"kind": "schema", "at": "/output", "schema": {"$ref": "#"}}


@pytest.mark.parametrize(
    ("kind", "checks", "verdict", "denied"),
    [
        ("all", [YES, YES], "passed", "failed"),
        ("all", [YES, OPEN], "unknown", "unknown"),
        ("all", [YES, OPEN, NO], "failed", "passed"),
        ("all", [NO, BROKEN], "error", "error"),
        ("any", [NO, YES, OPEN], "passed", "failed"),
        ("any", [NO, OPEN], "unknown", "unknown"),
        ("any", [NO, NO], "failed", "passed"),
        ("any", [YES, BROKEN], "error", "error"),
    ],
)
def test_all_and_any_combine_and_a_denial_is_pushed_down(lab, kind, checks, verdict, denied):
    check = {"kind": kind, "checks": checks}
    seen, known = lab.run("a", output=1), lab.names("a, b")

    assert lab.weigh(check, seen, known).verdict == verdict
    assert lab.weigh({"kind": "not", "check": check}, seen, known).verdict == denied


def test_every_child_is_kept_and_a_tally_gives_the_reasons(lab):
    finding = lab.weigh({"kind": "any", "checks": [NO] * 5}, lab.run("a"), lab.names("a, b"))

    reasons = "; ".join(["b was not visited: the graph shows no way from its entry to b"] * 3)
    assert finding.message == f"any: 5 of 5 failed: {reasons}; and 2 more"
    assert [child.verdict for child in finding.children] == ["failed"] * 5


def test_a_composition_signs_its_own_finding(lab):
    check = {"kind": "not", "check": NO, "id": "n", "enforcement": "warn", "critical": True}
    finding = lab.weigh(check, lab.run("a"), lab.names("a, b"))

    assert (finding.kind, finding.id, finding.enforcement, finding.critical) == (
        "not",
        "n",
        "warn",
        True,
    )


def test_checks_inside_are_found_by_their_pointers(lab):
    nested = {"kind": "any", "checks": [YES, {"kind": "not", "check": NO}]}
    inner = lab.check(nested).inner()
    [(_, outer)] = lab.check({"kind": "all", "checks": [nested]}).inner()

    assert [(at, each.kind) for at, each in inner] == [("/checks/0", "path"), ("/checks/1", "not")]
    assert [at for at, _ in inner[1][1].inner()] == ["/check"]
    assert outer.kind == "any"


@pytest.mark.parametrize("kind", ["all", "any"])
def test_an_empty_composition_is_refused(lab, kind):
    assert "at least 1 item" in lab.fault({"kind": kind, "checks": []})


def test_a_composition_claims_nothing_itself(lab):
    composites = [
        {"kind": "all", "checks": [YES]},
        {"kind": "any", "checks": [YES]},
        {"kind": "not", "check": YES},
    ]

    assert [tuple(lab.check(each).claims(None)) for each in composites] == [(), (), ()]
