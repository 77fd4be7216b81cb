"""What is said of an exception, in one line."""

from __future__ import annotations

import pytest

from flowjury.reason import reason_of, text_of


class HostileError(BaseException):
    def __str__(self):
        raise SystemExit(0)


class DeafError(Exception):
    def __str__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("a\n  b"), "ValueError: a b"),
        (ValueError(), "ValueError"),
        (ValueError("x" * 400), f"ValueError: {'x' * 300}…"),
        (ValueError("no user {'password': 'p'}"), "ValueError: no user {'password': '***'}"),
        (ValueError(f"{'x' * 290} sk-{'a' * 20}"), f"ValueError: {'x' * 290} ***"),
        (HostileError(), "HostileError: <no message: str() of this HostileError fails>"),
    ],
)
def test_it_is_the_class_and_the_text(error, reason):
    assert reason_of(error) == reason


def test_an_interruption_meanwhile_goes_through():
    with pytest.raises(KeyboardInterrupt):
        text_of(DeafError())
