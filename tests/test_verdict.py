from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.verdict import Status, Verdict, all_of, any_of, flipped, worst

verdicts = st.lists(st.sampled_from(Verdict), min_size=1, max_size=5)
ranked = [Status.PASSED, Status.NEEDS_JUDGE, Status.UNKNOWN, Status.FAILED, Status.ERROR]
statuses = st.lists(st.sampled_from(ranked), min_size=1, max_size=5)

PASSED, UNKNOWN, FAILED, ERROR = Verdict.PASSED, Verdict.UNKNOWN, Verdict.FAILED, Verdict.ERROR


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ([], UNKNOWN),
        ([PASSED], PASSED),
        ([PASSED, UNKNOWN], UNKNOWN),
        ([PASSED, UNKNOWN, FAILED], FAILED),
        ([PASSED, UNKNOWN, FAILED, ERROR], ERROR),
    ],
)
def test_all_is_as_bad_as_its_worst(of, expected):
    assert all_of(of) == expected


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ([], UNKNOWN),
        ([FAILED], FAILED),
        ([FAILED, UNKNOWN], UNKNOWN),
        ([FAILED, UNKNOWN, PASSED], PASSED),
        ([FAILED, UNKNOWN, PASSED, ERROR], ERROR),
    ],
)
def test_any_is_as_good_as_its_best_unless_one_errs(of, expected):
    assert any_of(of) == expected


@pytest.mark.parametrize("combine", [all_of, any_of])
@given(a=verdicts, b=verdicts)
def test_combined_verdicts_group_freely(combine, a, b):
    assert combine([combine(a), combine(b)]) == combine(a + b)


@pytest.mark.parametrize("combine", [all_of, any_of])
@given(of=verdicts)
def test_the_order_of_verdicts_does_not_count(combine, of):
    assert combine(of) == combine(reversed(of)) == combine(of + of)


@given(verdicts)
def test_not_is_pushed_down_by_de_morgan(of):
    assert flipped(all_of(of)) == any_of(map(flipped, of))
    assert flipped(any_of(of)) == all_of(map(flipped, of))


@given(st.sampled_from(Verdict))
def test_flipping_twice_changes_nothing(verdict):
    assert flipped(flipped(verdict)) == verdict


def test_flipping_keeps_what_is_not_known():
    assert [flipped(verdict) for verdict in Verdict] == [FAILED, UNKNOWN, PASSED, ERROR]


@given(statuses, statuses)
def test_worst_groups_freely(a, b):
    assert worst([worst(a), worst(b)]) == worst(a + b)


@given(statuses)
def test_worst_does_not_mind_the_order(of):
    assert worst(of) == worst(reversed(of)) == worst(of + of)


def test_worst_ranks_error_first_and_passed_last():
    below = [worst(ranked[: count + 1]) for count in range(len(ranked))]

    assert below == ranked


def test_a_case_without_a_finding_is_unknown():
    assert worst([]) == Status.UNKNOWN
