from __future__ import annotations

import pytest

from flowjury.record import CaseFault, Stimulus

THEN = Stimulus(parts={"input": "1", "target": "2"}, sources={"a.py": "x"})


@pytest.mark.parametrize(
    ("now", "changes"),
    [
        (THEN, []),
        (Stimulus(parts={"input": "9", "target": "2"}, sources={"a.py": "x"}), ["input"]),
        (Stimulus(parts={"input": "1"}, sources={"a.py": "x"}), ["target"]),
        (
            Stimulus(parts={"input": "1", "target": "2", "fixtures": "3"}, sources={"a.py": "x"}),
            ["fixtures"],
        ),
        (Stimulus(parts=THEN.parts, sources={"a.py": ""}), ["a.py"]),
        (Stimulus(parts=THEN.parts), ["a.py"]),
        (Stimulus(parts=THEN.parts, sources={"a.py": "x", "b.py": "y"}), []),
    ],
)
def test_a_stimulus_names_what_differs_now(now, changes):
    assert THEN.changes(now) == changes


def test_a_fault_does_not_keep_the_secrets_that_an_error_quotes():
    fault = CaseFault(kind="target", message="no answer from https://me:p4ss@host/")

    assert fault.message == "no answer from https://me:***@host/"
