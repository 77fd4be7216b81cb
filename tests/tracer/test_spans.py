"""The span: which of them is current where a context outlives what ran in it."""

from __future__ import annotations

from flowjury.tracer.active import active, current_span
from flowjury.tracer.current import HERE
from flowjury.tracer.recording import Recording
from flowjury.tracer.spans import running


def test_what_begins_where_a_span_has_ended_is_inside_the_innermost_that_still_runs():
    recording = Recording(lambda: 0)
    outer = recording.begin("outer")
    ended = recording.begin("inner", parent=outer)
    ended.finish()

    with active(recording):
        HERE.set((recording, ended))
        here = current_span()
        with recording.visiting("later") as later:
            pass
        recording.tool("called")

    assert here is outer
    assert later.parent is outer
    assert [call.execution for call in recording.trace().tools or ()] == [outer.id]


def test_nothing_runs_where_all_around_have_ended():
    recording = Recording(lambda: 0)
    span = recording.begin("node")
    span.finish()

    assert running(span) is None
    assert running(None) is None
