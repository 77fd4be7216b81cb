from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.app.expression import parse
from flowjury.errors import UsageError

TEXTS = ("over-limit", "waits for a manager", "smoke")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("over", True),
        ("OVER", True),
        ("under", False),
        ("", True),
        ("  ", True),
        ("not over", False),
        ("not not over", True),
        ("not under", True),
        ("over and smoke", True),
        ("over and under", False),
        ("under or smoke", True),
        ("under or over and under", False),
        ("(under or over) and smoke", True),
        ("not (over and under)", True),
        ("not over or smoke", True),
        ("not over and smoke", False),
        ("over and(smoke)", True),
        ("'waits for' and \"a manager\"", True),
        ("'manager waits'", False),
        ("'and'", False),
        ("AND", False),
        ("over-limit", True),
    ],
)
def test_words_are_joined_as_in_pytest(text, holds):
    assert parse(text)(TEXTS) is holds


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a b", "'b' is not expected there"),
        ("a and", "it ends where a word is expected"),
        ("and a", "'and' stands where a word is expected"),
        ("not", "it ends where a word is expected"),
        ("a or or b", "'or' stands where a word is expected"),
        ("(a", "a parenthesis is never closed"),
        ("(a b)", "'b' is not expected there"),
        ("a)", "')' is not expected there"),
        ("()", "')' stands where a word is expected"),
        (f"{'(' * 51}a{')' * 51}", "parentheses stand deeper than 50 levels"),
    ],
)
def test_what_is_no_expression_is_refused(text, what):
    with pytest.raises(UsageError) as caught:
        parse(text)

    assert str(caught.value) == (
        f"-k {text!r}: {what}; join words by `and` or `or`, and quote a text with spaces"
    )


def test_a_quote_must_be_closed():
    with pytest.raises(UsageError, match=r"it's.*: a quote is never closed"):
        parse("it's")


def test_a_long_expression_is_read_without_recursion():
    assert parse(f"{'not ' * 9_999} x or {' or '.join(['y'] * 9_999)}")(("y",))


@given(st.text(alphabet="ab()'\" andornot", max_size=20))
def test_any_text_is_an_expression_or_refused(text):
    try:
        holds = parse(text)
    except UsageError:
        return

    assert holds(("ab",)) in {True, False}
