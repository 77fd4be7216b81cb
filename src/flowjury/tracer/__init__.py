"""The tracer: what happens in this process, recorded as it happens, becomes a trace.

`instruments` are what user code decorates with, `active` says which recording is on, `recording`
takes what happens, `assembly` makes the trace of it. Nothing is loaded here, so that user code
that imports the instruments loads no more than it needs.
"""
