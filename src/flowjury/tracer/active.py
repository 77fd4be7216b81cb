"""The tracer: which recording is on in this thread or task, and all that an engine needs of it.

    recording = Recording(time.perf_counter_ns)
    with active(recording), recording.visiting("plan", input=topic) as span:
        span.finish(plan(topic))
    recording.executions()

A new thread belongs to the recording that is on in its process; inside which node it runs is only
known if its function went through `instruments.carry`. Tasks know both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import cast

from flowjury.tracer.assembly import Ending
from flowjury.tracer.current import HERE, STRAND, UNRECORDED, Outcome, switched_on
from flowjury.tracer.lateness import keeping
from flowjury.tracer.recording import Recording
from flowjury.tracer.spans import Span, running
from flowjury.tracer.strands import entered

__all__ = [
    "UNRECORDED",
    "Ending",
    "Outcome",
    "Recording",
    "Span",
    "active",
    "current",
    "current_span",
]


@contextmanager
def active(recording: Recording) -> Iterator[Recording]:
    """Make a recording the current one of this thread or task."""
    token, strand = HERE.set((recording, None)), STRAND.set(entered(None))
    replays = recording.data == "replay"
    try:
        with switched_on(recording), keeping(recording) if replays else nullcontext():
            yield recording
    finally:
        recording.over = replays
        HERE.reset(token)
        STRAND.reset(strand)


def current() -> Recording | None:
    """Return the recording that is on here."""
    here = HERE.get()
    return cast("Recording", here[0]) if here else None


def current_span() -> Span | None:
    """Return the span inside which this code runs."""
    here = HERE.get()
    return running(cast("Span | None", here[1])) if here else None
