from __future__ import annotations

import pytest

from flowjury.checks._globs import matches
from flowjury.finding import Actual, Finding
from flowjury.verdict import Verdict

SEEN = {"writes": ["out/a.json", "out/deep/b.txt"], "deletes": ["old.txt"], "stderr": ""}


def effects(**fields):
    return {"kind": "effects", **fields}


def denied(check):
    return {"kind": "not", "check": check}


@pytest.fixture
def seen(lab):
    def of(recorded=SEEN, **fields):
        return lab.run(effects=recorded, files={"out/a.json": "{}"}, **fields)

    return of


@pytest.mark.parametrize(
    ("path", "glob", "fits"),
    [
        ("a.txt", "*.txt", True),
        ("out/a.txt", "*.txt", False),
        ("out/a.txt", "out/*", True),
        ("out/deep/a.txt", "out/*", False),
        ("out/deep/a.txt", "out/**", True),
        ("out/deep/a.txt", "out/", True),
        ("out", "out/**", False),
        ("a.txt", "**", True),
        ("a.txt", "**/a.txt", True),
        ("x/y/a.txt", "**/a.txt", True),
        ("x/y/a.txt", "x/**/y/*.txt", True),
        ("x/y/a.txt", "x/**/z/*.txt", False),
        ("output/a.txt", "out/**", False),
        ("A.TXT", "*.txt", False),
        ("a1", "a?", True),
        ("a/b", "a?b", False),
        ("a" * 200 + "/b", "**/" + "*a" * 30 + "*c", False),
    ],
)
def test_a_glob_stays_in_one_folder_unless_it_says_otherwise(path, glob, fits):
    assert matches(path, glob) is fits


def test_what_was_written_elsewhere_is_named(lab, seen):
    assert lab.weigh(effects(writes_within=["out/*"]), seen()) == Finding(
        kind="effects",
        verdict=Verdict.FAILED,
        message='writes outside of what is allowed: "out/deep/b.txt"',
        expected=["out/*"],
        actual=Actual.of(["out/a.json", "out/deep/b.txt"]),
        where="/effects/writes",
    )


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (effects(writes_within=["out/**"]), "passed"),
        (effects(writes_within=["out/*", "out/deep/*"]), "passed"),
        (effects(writes_within=[]), "failed"),
        (effects(deletes_within=["old.txt"]), "passed"),
        (effects(deletes_within=[]), "failed"),
        (effects(writes_within=["out/"], deletes_within=["*.log"]), "failed"),
        (denied(effects(writes_within=["out/*"])), "passed"),
        (denied(effects(writes_within=["out/**"])), "failed"),
        (denied(effects(deletes_within=[])), "passed"),
    ],
)
def test_writes_and_deletes_stay_within_what_is_allowed(lab, seen, check, verdict):
    assert lab.weigh(check, seen()).verdict == verdict


def test_a_misspelt_glob_never_passes_denied(lab, seen):
    finding = lab.weigh(denied(effects(writes_within=["otu/**"])), seen())

    assert finding.verdict == "unknown"
    assert finding.children[0].message == (
        'writes outside of what is allowed: "out/a.json", "out/deep/b.txt"; '
        "nothing at all fits 'otu/**'"
    )


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(
    "check",
    [effects(writes_within=["**"]), effects(deletes_within=["**"]), effects(network="none")],
)
@pytest.mark.parametrize("recorded", [{}, {"stderr": ""}, [], {"writes": [1], "deletes": "all"}])
def test_what_was_not_recorded_is_unknown(lab, seen, recorded, check, negated):
    assert lab.weigh(denied(check) if negated else check, seen(recorded)).verdict == "unknown"


def test_no_effects_at_all_are_unknown(lab):
    finding = lab.weigh(effects(writes_within=[]), lab.run())

    assert (finding.verdict, finding.message) == ("unknown", "writes were not recorded")


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (effects(writes_within=["**"]), "unknown"),
        (effects(writes_within=["out/*"]), "failed"),
        (effects(network="none"), "unknown"),
    ],
)
def test_of_incomplete_effects_only_a_violation_counts(lab, seen, check, verdict):
    assert lab.weigh(check, seen({**SEEN, "network": []}, complete={})).verdict == verdict


@pytest.mark.parametrize(
    ("network", "verdict", "message"),
    [
        ([], "passed", "it connected to nothing"),
        (False, "passed", "it connected to nothing"),
        (True, "failed", "it connected to something"),
        (["a.example:443"], "failed", 'it connected to "a.example:443"'),
        (None, "unknown", "nobody watched for network"),
        (0, "unknown", "nobody watched for network"),
        ({}, "unknown", "nobody watched for network"),
    ],
)
def test_network_is_weighed_where_somebody_watched_for_it(lab, seen, network, verdict, message):
    finding = lab.weigh(effects(network="none"), seen({**SEEN, "network": network}))

    assert (finding.verdict, finding.message) == (verdict, message)


@pytest.mark.parametrize("key", ["network", "writes", "wirtes"])
def test_a_pointer_to_an_effect_that_nobody_watched_for_proves_no_absence(lab, seen, key):
    absent = {"kind": "value", "at": f"/effects/{key}", "op": "absent"}
    finding = lab.weigh(absent, seen({"stderr": ""}))

    assert (finding.verdict, finding.message) == ("unknown", f"nobody watched for {key}")


def test_it_asserts_something(lab):
    assert "it asserts nothing" in lab.fault(effects())


@pytest.mark.parametrize("glob", ["/etc/*", "../x", "./x", "a//b", "a\\b", "", "/"])
def test_a_glob_that_fits_no_path_in_a_workspace_is_refused(lab, glob):
    assert lab.fault(effects(writes_within=[glob]))
