from __future__ import annotations

import pytest

from flowjury.judging.quoting import Quotable
from flowjury.request import Quote

EVIDENCE = {
    "/output": {"text": "Approve\n  the refund", "amount": 700, "list": ["café", {"a": True}]},
    "/input": "plain",
    "/wait": {"absent": True},
}


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/output", "Approve the refund"),
        ("/output", "  the   refund "),
        ("/output/text", "refund"),
        ("/output/list/0", "cafe\u0301"),
        ("/output", '"amount": 700'),
        ("/output", '"amount":700'),
        ("/output/amount", "700"),
        ("/output", '{ "text"'),
        ("/output/list", '{"a": true}'),
        ("/input", "plain"),
    ],
)
def test_a_quote_is_found_in_the_item_it_names_but_for_spacing_and_composition(pointer, text):
    assert Quotable(EVIDENCE).holds(Quote(pointer=pointer, text=text))


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/output", "approve the refund"),
        ("/output", "plain"),
        ("/input", "refund"),
        ("/outputs", "refund"),
        ("/output/texd", "refund"),
        ("output", "refund"),
        ("", "refund"),
        ("/output/~2", "refund"),
        ("/output/amount", '"amount": 700'),
        ("/output", ""),
        ("/output", " \n"),
    ],
)
def test_other_words_other_places_and_blank_words_are_no_quote(pointer, text):
    assert not Quotable(EVIDENCE).holds(Quote(pointer=pointer, text=text))


def test_the_whole_document_can_be_an_item():
    assert Quotable({"": {"output": "words"}}).holds(Quote(pointer="/output", text="words"))


@pytest.mark.parametrize(
    ("pointer", "text"),
    [("/wait", "absent"), ("/wait", '{"absent": true}'), ("/wait/absent", "true")],
)
def test_our_own_word_for_what_is_not_there_is_no_evidence(pointer, text):
    assert not Quotable(EVIDENCE).holds(Quote(pointer=pointer, text=text))
