"""Schemas: the JSON Schema of each format, generated from the models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from flowjury.app import attaching, judging, linting, listing, pending, showing
from flowjury.app.project import Config, suite_model
from flowjury.errors import UsageError
from flowjury.graphs.native import Flow
from flowjury.model import Model
from flowjury.pointer import nearest
from flowjury.report.model import Report
from flowjury.request import Judgement, Request, Ticket
from flowjury.store.fixture_files import FixtureFile
from flowjury.trace import Trace
from flowjury.workflow import Workflow

_MODELS: dict[str, Callable[[], type[Model]]] = {
    "suite": suite_model,
    "workflow": lambda: Flow,
    "fixtures": lambda: FixtureFile,
    "trace": lambda: Trace,
    "request": lambda: Request,
    "judgement": lambda: Judgement,
    "ticket": lambda: Ticket,
    "report": lambda: Report,
    "config": lambda: Config,
    "graph": lambda: Workflow,
    "attach": lambda: attaching.AttachSaid,
    "judge": lambda: judging.JudgeSaid,
    "lint": lambda: linting.LintSaid,
    "pending": lambda: pending.PendingSaid,
    "runs": lambda: listing.RunListed,
    "show": lambda: showing.Shown,
    "value": lambda: showing.ValueShown,
}
NAMES = tuple(_MODELS)
"""Every format that has a schema: files first, then what commands print with `--json`."""


class _ForEditors(GenerateJsonSchema):
    """Leave out `default: null`, which editors would otherwise insert."""

    def default_schema(self, schema: Any) -> JsonSchemaValue:  # noqa: ANN401 - a core schema
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made


def schema(name: str) -> JsonSchemaValue:
    """Return the JSON Schema of a format. Raises UsageError for a name that is none."""
    if name not in _MODELS:
        near = nearest(name, NAMES)
        hint = f"; nearest is {near!r}" if near else ""
        raise UsageError(f"no schema is named {name!r}{hint} (known: {', '.join(NAMES)})")
    model = _MODELS[name]()
    made = model.model_json_schema(schema_generator=_ForEditors)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
