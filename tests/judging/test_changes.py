from __future__ import annotations

from flowjury.judging import changed
from flowjury.request import Parts

A, B = "a" * 64, "b" * 64


def test_equal_parts_have_not_changed():
    parts = Parts(question=A, criteria={"x": A}, evidence={"/output": A})

    assert changed(parts, parts) == ()


def test_every_difference_is_named():
    then = Parts(
        question=A, criteria={"gone": A, "same": A, "told": A}, evidence={"": A, "/o": A, "/t": A}
    )
    now = Parts(
        question=B, criteria={"new": A, "same": A, "told": B}, evidence={"": B, "/n": A, "/o": B}
    )

    assert changed(then, now) == (
        "question changed",
        "criterion gone removed",
        "criterion new added",
        "criterion told changed",
        "evidence changed",
        "evidence /n added",
        "/o changed",
        "evidence /t removed",
    )
