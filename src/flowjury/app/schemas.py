"""Schemas: the JSON Schema of each format, generated from the models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from flowjury.app import attaching, importing, judging, linting, listing, pending, showing, starting
from flowjury.app.field_docs import field_docs
from flowjury.app.project import Config, suite_model
from flowjury.errors import UsageError
from flowjury.graphs.native import Flow
from flowjury.model import Model
from flowjury.pointer import nearest
from flowjury.report.model import Report
from flowjury.request import Judgement, Request, Ticket
from flowjury.store.fixture_files import FixtureFile
from flowjury.suite import Suite
from flowjury.trace import Trace
from flowjury.workflow import Workflow

_FORMATS: Final[Mapping[str, Any]] = {
    "suite": Suite,  # bound to the kinds that are found, below
    "workflow": Flow,
    "fixtures": FixtureFile,
    "trace": Trace,
    "request": Request,
    "judgement": Judgement,
    "ticket": Ticket,
    "report": Report,
    "config": Config,
    "attach": attaching.AttachSaid,
    "graph": Workflow,
    "init": starting.StartSaid,
    "judge": judging.JudgeSaid,
    "judge-dry-run": judging.DrySaid,
    "lint": linting.LintSaid,
    "pending": pending.OutstandingSaid,
    "reports": list[Report],
    "runs": list[listing.RunListed],
    "show": showing.Shown,
    "trace-import": importing.ImportSaid,
    "value": showing.ValueShown,
}
NAMES: Final = tuple(_FORMATS)
"""Every format that has a schema: files first, then what commands print with `--json`."""


class _ForEditors(GenerateJsonSchema):
    """Describe fields; leave out `default: null`, which editors would otherwise insert."""

    def model_schema(self, schema: Any) -> JsonSchemaValue:  # noqa: ANN401 - a core schema
        made = super().model_schema(schema)
        model: type[Model] = schema["cls"]
        docs = field_docs(model)
        for name, field in model.model_fields.items():
            shown = made["properties"].get(field.alias or name)
            if shown is not None and name in docs:
                shown.setdefault("description", docs[name])
        return made

    def default_schema(self, schema: Any) -> JsonSchemaValue:  # noqa: ANN401 - a core schema
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made


def schema(name: str) -> JsonSchemaValue:
    """Return the JSON Schema of a format. Raises UsageError for a name that is none."""
    if name not in _FORMATS:
        near = nearest(name, NAMES)
        hint = f"; nearest is {near!r}" if near else ""
        raise UsageError(f"no schema is named {name!r}{hint} (known: {', '.join(NAMES)})")
    known = suite_model() if name == "suite" else _FORMATS[name]
    made = TypeAdapter(known).json_schema(schema_generator=_ForEditors, mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
