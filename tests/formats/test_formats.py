from __future__ import annotations

from flowjury.families import members


def test_every_format_has_a_suffix_and_renders():
    formats = members("formats", "SUFFIX", "render")

    assert {"console", "json", "junit", "markdown"} <= formats.keys()
