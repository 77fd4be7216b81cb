from __future__ import annotations

import pytest

from flowjury.plural import numbered


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 cases"), (1, "1 case"), (2, "2 cases"), (2000, "2,000 cases")]
)
def test_one_thing_is_not_many(number, text):
    assert numbered(number, "case") == text
