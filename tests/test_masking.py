"""What is masked, and that nothing else is touched."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.masking import MASK, SECRET_KEYS, hides, masked, masked_text

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
        (["a", 1, None], MASK),
        ([True], MASK),
        ({"name": "n", "tokens": 5}, MASK),
        ({"inner": {"deep": ["p"]}}, MASK),
        ([], []),
        ({}, {}),
    ],
)
def test_whatever_says_something_under_a_secret_key_is_masked_whole(value, shown):
    assert masked({"secret": value}) == {"secret": shown}


@pytest.mark.parametrize(
    "key",
    [
        "accessToken",
        "AccessToken",
        "ACCESS_TOKEN",
        "webhook_secret",
        "clientSecret",
        "clientsecret",
        "DB_PASSWORD",
        "dbpassword",
        "DB_PASSWORD_2",
        f"{'x' * 200}_password",
        f"{'x' * 200}Password",
        "myApiKey",
        "OPENAI_API_KEY",
        "OPENAI_API_KEY_2",
        "openaiAPIKey",
        "passwordConfirmation",
        "pwd",
        "userPwd",
        "passwd",
        "privateKey",
        "ssh-private-key",
        "aws_secret_access_key",
        "HTTP_AUTHORIZATION",
        "Proxy-Authorization",
        "setCookie",
        "session_cookie",
    ],
)
def test_a_key_whose_last_words_name_a_secret_is_one_however_it_is_written(key):
    assert masked([{key: "t"}, {key: 12}, {key: ["t", 1]}]) == [{key: MASK}] * 3


@pytest.mark.parametrize(
    "key", ["token", "session-token", "botToken", "apiKeys", "cookies", "access_tokens", "secrets"]
)
def test_under_a_key_that_may_count_texts_are_masked_and_numbers_stay(key):
    assert masked([{key: "t"}, {key: ["t", 1]}, {key: {"a": ["t"]}}]) == [{key: MASK}] * 3
    assert masked([{key: 12}, {key: [1, 2]}, {key: {"in": 1}}]) == [
        {key: 12},
        {key: [1, 2]},
        {key: {"in": 1}},
    ]


@pytest.mark.parametrize(
    "key",
    [
        *("token_count", "input_tokens", "inputTokens", "total_tokens", "max_tokens", "tokens"),
        *("tokenizer", "secretary", "author", "authorized", "key", "primary_key", "monkey"),
        *("cookie_consent", "passwordless", "prior_authorization", "pass", "", "…"),
    ],
)
def test_what_stands_under_a_key_that_only_looks_a_little_like_a_secret_s_stays(key):
    value = {key: ["text", 5, {"name": "n"}]}

    assert masked(value) is value


def test_a_secret_that_is_a_key_is_masked_and_keys_that_become_alike_are_numbered():
    one, other = f"sk-{'a' * 20}", f"sk-{'b' * 20}"

    assert masked({other: 2, one: 1, "n": 3}) == {"***2": 2, MASK: 1, "n": 3}
    assert masked({one: 1, MASK: 0}) == {"***2": 1, MASK: 0}
    assert masked({one: 1, other: 2, f"{one}a": 3}) == {MASK: 1, "***2": 3, "***3": 2}
    assert masked({one: {"password": "p"}, f"key {one}": ["x"]}) == {
        MASK: {"password": MASK},
        "key ***": ["x"],
    }


def test_as_many_keys_as_there_are_can_be_asked_about():
    many = {f"key {number} password": 1 for number in range(10_000)}

    assert masked(many) == dict.fromkeys(many, MASK)


@pytest.mark.parametrize("label", ["name", "key"])
def test_a_value_beside_the_name_of_a_secret_is_masked(label):
    headers = [{label: "Authorization", "value": "Basic YQ=="}, {label: "Accept", "value": "json"}]

    assert masked(headers) == [{label: "Authorization", "value": MASK}, headers[1]]


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
        ("paid with sk_live_abcdefghijklmnop12", "paid with ***"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nAAA\n-----END RSA PRIVATE KEY----- ok",
            "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY----- ok",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----***"),
    ],
)
def test_a_well_known_shape_of_key_is_masked_inside_a_text(text, shown):
    assert masked([text]) == [shown]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("got 'sk-abcd…", "got '***"),
        ("got 'sk-abcdef...uvwxyz' there", "got '***' there"),
        ("Bearer abc…", "Bearer ***"),
        ("AKIAIOSF…", "***"),
        ("ghp_abcd...", "***"),
        ("github_pat_11A…", "***"),
        (f"{JWT[:12]}…", "***"),
        (f"{JWT[:30]}... and more", "*** and more"),
        ("{'user': 'u', 'password': 'hunt…", "{'user': 'u', 'password': '***"),
    ],
)
def test_a_key_that_was_cut_is_masked_as_far_as_it_is_there(text, shown):
    assert masked(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://me:p4ss@host/a?b=c", "see https://me:***@host/a?b=c"),
        ("postgres://u:a@b:c@db:5432/x", "postgres://u:***@db:5432/x"),
        ("redis://:pw@host", "redis://:***@host"),
        ("GET /a?token=abcd1234&page=2", "GET /a?token=***&page=2"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"),
        ("Set-Cookie: sid=abc; Path=/\nok", "Set-Cookie: ***\nok"),
        ('{"api_key": "abc", "n": 1}', '{"api_key": "***", "n": 1}'),
        ("{'clientSecret': 'it\\'s me', 'n': 1}", "{'clientSecret': '***', 'n': 1}"),
        ("Client(api_key='abc', retries=2)", "Client(api_key='***', retries=2)"),
        ('DB_PASSWORD="a b" ./run', 'DB_PASSWORD="***" ./run'),
        ("OPENAI_API_KEY=abcdef ./run", "OPENAI_API_KEY=*** ./run"),
        ("login with password: hunter2", "login with password: ***"),
    ],
)
def test_what_a_text_calls_a_secret_is_masked(text, shown):
    assert masked([text]) == [shown]
    assert masked_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "https://host:8080/a@b and me@example.org",
        "max_tokens=5, token=12, password=None",
        "{'input_tokens': '5', 'secretary': 'Ann'}",
        "api_key=os.environ['API_KEY']",
        "Your password: please choose a new one",
        "The secret: use fresh basil",
        "Cookie: the best of all",
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


def test_it_can_be_asked_whether_a_key_hides_what_stands_under_it():
    assert (hides("clientSecret"), hides("client"), hides(f"sk-{'a' * 20}")) == (True, False, False)
