"""OTLP/JSON: files of the OpenTelemetry Collector, and of what exports as it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flowjury.errors import Fault, InputError
from flowjury.loading import installing
from flowjury.model import Json
from flowjury.sources._assembly import assembled
from flowjury.sources._otlp_documents import blocks, holds_spans
from flowjury.sources._spans import Tree, chosen
from flowjury.trace import Trace


def recognises(lines: Mapping[int, Json]) -> bool:
    """Tell whether the values of a file, by line, are those of this format."""
    return any(map(holds_spans, lines.values()))


def read(
    lines: Mapping[int, Json],
    *,
    file: str,
    trace_id: str | None = None,
    mask: Sequence[str] = (),
) -> Trace:
    """Return one trace of a file, without its secrets.

    Raises InputError for what is no OTLP, for no spans, and where the trace must be chosen.
    """
    try:
        from flowjury.sources._otlp_spans import spans  # noqa: PLC0415 - it needs the extra
    except ModuleNotFoundError as error:
        raise InputError(Fault(file=file, message=_wanted(error))) from error
    found = chosen(spans(blocks(lines, file=file)), trace_id, file=file)
    return assembled(Tree(found, file=file), mask=tuple(mask))


def _wanted(error: ModuleNotFoundError) -> str:
    how = installing(error.name) or f"install {error.name!r}"
    return f"OTLP is read by the package opentelemetry-proto-json, which is not installed: {how}"
