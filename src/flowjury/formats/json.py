"""The JSON format: the whole report as data, nothing cut.

The same report gives the same bytes, in ASCII. Every field is there, with null for none, save two
where null is a value: a finding's `expected` and what it found, `actual.value`, are left out where
there is none. So `Report.model_validate` makes the same report of it.
"""

from __future__ import annotations

from flowjury.finding import Actual, Finding
from flowjury.json_values import dumps
from flowjury.model import Json, Model
from flowjury.report import Report

SUFFIX = ".json"

_ABSENT_WHERE_UNSET: dict[type[Model], str] = {Finding: "expected", Actual: "value"}


def render(report: Report) -> str:
    """Write the report as indented JSON."""
    return dumps(_plain(report), indent=2) + "\n"


def _plain(value: object) -> Json:
    """Make plain data of models and tuples; all else in a report is JSON already."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not isinstance(value, Model):
        return value
    optional = _ABSENT_WHERE_UNSET.get(type(value))
    absent = None if optional in value.model_fields_set else optional
    return {name: _plain(item) for name, item in value if name != absent}
