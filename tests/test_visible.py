"""What is hidden in a text is shown."""

from __future__ import annotations

import pytest

from flowjury.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße, 世界 👩\u200d🚀", "Grüße, 世界 👩\u200d🚀"),
        ("a\tb\r\nc", "a\\tb\\r\\nc"),
        ("\x00\x1b[31m\x7f\x9b", "\\x00\\x1b[31m\\x7f\\x9b"),
        ("\u202egnp\u2066\u200b\ufeff", "\\u202egnp\\u2066\\u200b\\ufeff"),
        ("\ud800\ufffe\U000e0041", "\\ud800\\ufffe\\U000e0041"),
    ],
)
def test_what_is_hidden_becomes_visible(text, shown):
    assert visible(text) == shown
