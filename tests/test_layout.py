from __future__ import annotations

import pytest

from flowjury.layout import ERROR_KEYS, INDEX, TOP_KEYS, TRY_KEYS, VISIT_KEYS, Stranger, stranger


@pytest.mark.parametrize(
    ("tokens", "found"),
    [
        ((), None),
        (("output", "any"), None),
        (("otput",), Stranger(0, "otput", TOP_KEYS)),
        (("nodes", "any", "x"), Stranger(2, "x", INDEX)),
        (("nodes", "nodes", "0", "x"), Stranger(3, "x", VISIT_KEYS)),
        (("nodes", "0", "0", "attempts", "1", "attempts"), Stranger(5, "attempts", TRY_KEYS)),
        (("nodes", "a", "0", "output", "x"), None),
        (("error", "x"), Stranger(1, "x", ERROR_KEYS)),
        (("steps", "one", "otput"), Stranger(2, "otput", TOP_KEYS)),
        (("steps", "one"), None),
        (("steps", "steps", "steps"), None),
    ],
)
def test_a_token_that_can_never_stand_where_it_does_is_found(tokens, found):
    assert stranger(tokens) == found
