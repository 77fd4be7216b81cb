from __future__ import annotations

from pathlib import Path

import pytest

from flowjury.formats._text import REQUESTS, cut, cut_value, named, show
from flowjury.store.layout import Layout


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("12345", "12345"),
        ("123456", "12345… (6 characters; whole: there)"),
        ("\x00\x00", "\\x00\\… (2 characters; whole: there)"),
    ],
)
def test_a_text_is_cut_so_that_it_is_seen(text, shown):
    assert cut(text, 5, "there") == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("123", '"123"'),
        ("12345", '"1234… (5 characters; whole: there)'),
        ([1, 2, 3], "[1, 2… (3 items; whole: there)"),
        (123456, "12345… (6 digits; whole: there)"),
        ("\u200b", '"\\u200b"'),
    ],
)
def test_a_value_is_cut_so_that_it_is_seen(value, shown):
    assert cut_value(value, 5, "there") == shown


def test_a_name_longer_than_any_is_cut():
    assert named("a" * 200) == "a" * 200
    assert named("a" * 201) == "a" * 200 + "…"


@pytest.mark.parametrize(
    ("case", "at", "command"),
    [
        ("hello", None, "flowjury show hello"),
        ("hello", "/output", "flowjury show hello --at /output"),
        ("hello", "", "flowjury show hello --at ''"),
        ("it's; rm -rf .", "/a b", "flowjury show 'it'\"'\"'s; rm -rf .' --at '/a b'"),
        ("hello", "/" * 201, "flowjury show hello"),
    ],
)
def test_a_command_can_be_copied_to_a_shell(case, at, command):
    assert show(case, at) == command


def test_open_questions_are_looked_for_where_the_store_puts_them():
    assert Layout(Path()).requests == Path(REQUESTS)
