"""What is masked, and that nothing else is touched."""

from __future__ import annotations

import copy
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.masking import MASK, SECRET_KEYS, masked

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(SECRET_KEYS), inner)
    ),
    max_leaves=20,
)
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


@pytest.mark.parametrize("key", [*SECRET_KEYS, "API-Key", "X_API_KEY", "Set_Cookie", "PASSWORD"])
def test_a_value_under_a_secret_key_is_masked_however_the_key_is_written(key):
    assert masked({"a": [{key: "v"}]}) == {"a": [{key: MASK}]}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (12, MASK),
        (0.5, MASK),
        ("", MASK),
        (True, True),
        (None, None),
        (["a", 1, None], [MASK, MASK, None]),
        ({"name": "n", "tokens": "t"}, {"name": "n", "tokens": "t"}),
        ({"password": "p"}, {"password": MASK}),
    ],
)
def test_texts_and_numbers_under_a_secret_key_are_masked_and_other_values_looked_into(value, shown):
    assert masked({"secret": value}) == {"secret": shown}


@pytest.mark.parametrize(
    "key", ["token", "session-token", "accessToken", "webhook_secret", "DB_PASSWORD", "myApiKey"]
)
def test_texts_under_a_key_that_ends_like_one_are_masked_and_numbers_stay(key):
    assert masked({key: "t"}) == {key: MASK}
    assert masked({key: ["t", 1]}) == {key: [MASK, 1]}
    assert masked({key: 12, "max_tokens": 5, "tokens": "few"}) == {
        key: 12,
        "max_tokens": 5,
        "tokens": "few",
    }


def test_a_suite_adds_keys_of_its_own():
    assert masked({"order-id": "A-1", "other": "A-1"}, ["Order_ID"]) == {
        "order-id": MASK,
        "other": "A-1",
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key sk-abcdefghijklmnop1234 is mine", "key *** is mine"),
        ("sk-proj-abc_DEF-1234567890", "***"),
        ("Authorization: Bearer abc.DEF-123", "Authorization: Bearer ***"),
        ("bearer  0123456789", "bearer  ***"),
        ("Bearer tok:en$with!signs, he said", "Bearer *** he said"),
        ("Bearer onlyletters", "Bearer ***"),
        ("aws AKIAIOSFODNN7EXAMPLE!", "aws ***!"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "***"),
        (f"token={JWT};", "token=***;"),
        ("two sk-aaaaaaaaaaaaaaaa1 sk-bbbbbbbbbbbbbbbb2", "two *** ***"),
    ],
)
def test_a_well_known_shape_of_key_is_masked_inside_a_text(text, shown):
    assert masked([text]) == [shown]


@pytest.mark.parametrize(
    "text",
    [
        "a risk-assessment-of-the-whole-plan",
        "Bearer short and the rest of the text",
        "sk-short",
        "an ordinary sentence about refunds, long enough to be looked at",
        "eyJhbGciOiJIUzI1NiJ9 alone is no token",
    ],
)
def test_what_only_looks_a_little_like_a_key_is_left_alone(text):
    assert masked(text) is text


@given(JSON)
def test_masking_twice_is_masking_once_and_never_changes_what_it_was_given(value):
    before = copy.deepcopy(value)

    once = masked(value)

    assert masked(once) == once
    assert value == before


@given(JSON)
def test_a_value_without_secrets_comes_back_as_the_same_object(value):
    clean = masked(value)

    assert masked(clean) is clean


@pytest.mark.parametrize(
    "hostile", ["eyJ" * 50_000, "sk-" * 50_000, "Bearer " * 20_000, "Bearer" + " " * 100_000]
)
def test_a_hostile_text_takes_linear_time(hostile):
    start = time.process_time()

    masked(hostile)

    assert time.process_time() - start < 0.5
