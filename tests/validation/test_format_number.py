from __future__ import annotations

import pytest

from flowjury.documents import parse
from flowjury.errors import InputError
from flowjury.validation import refuse_newer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "zzz: 1\nformat: 2",
            "s.yaml:2: /format: format 2 is newer than this FlowJury reads (1); upgrade flowjury",
        ),
        ("name: x", "s.yaml:1: key 'format' is missing; add `format: 1`"),
        ("[]", "s.yaml:1: this must be an object, not an array"),
        ("~", "s.yaml:1: this must be an object, not null"),
        ("format: one", "s.yaml:1: /format: 'one' is not a format number; write `format: 1`"),
        ("format: true", "s.yaml:1: /format: true is not a format number; write `format: 1`"),
        ("format: 0", "s.yaml:1: /format: 0 is not a format number; write `format: 1`"),
    ],
)
def test_another_format_than_the_supported_one_is_refused(text, message):
    with pytest.raises(InputError) as raised:
        refuse_newer(parse(text, name="s.yaml"))

    assert str(raised.value) == message


def test_a_supported_format_is_accepted():
    refuse_newer(parse("format: 2", name="s.yaml"), supported=2)
