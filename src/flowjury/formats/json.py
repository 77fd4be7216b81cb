"""The JSON format: the whole report as data, nothing cut.

The same report gives the same bytes, in ASCII; each case is on a line of its own. Every field is
there, with null for none, save two where null is a value: a finding's `expected` and what it found,
`actual.value`, are left out where there is none. So `Report.model_validate` makes the same report
of it.
"""

from __future__ import annotations

from flowjury.finding import Actual, Finding
from flowjury.json_values import dumps
from flowjury.model import Json, Model
from flowjury.report import Report

SUFFIX = ".json"

_ABSENT_WHERE_UNSET: dict[type[Model], str] = {Finding: "expected", Actual: "value"}


def render(report: Report) -> str:
    """Write the report as JSON, with a line for each key of it and for each item of a list."""
    lines = ",\n".join(f"{_line(name)}: {_lines(value)}" for name, value in report)
    return f"{{\n{lines}\n}}\n"


def _lines(value: object) -> str:
    if not isinstance(value, tuple) or not value:
        return _line(value)
    items = ",\n".join(map(_line, value))
    return f"[\n{items}\n]"


def _line(value: object) -> str:
    return dumps(value, plain=_fields)


def _fields(model: Model) -> Json:
    """Make plain data of a model; the encoder itself makes it of what is inside."""
    optional = _ABSENT_WHERE_UNSET.get(type(model))
    if optional is None or optional in model.model_fields_set:
        return vars(model)
    fields = dict(vars(model))
    del fields[optional]
    return fields
