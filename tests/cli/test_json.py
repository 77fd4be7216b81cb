from __future__ import annotations

import json

import jsonschema
import pytest


@pytest.fixture
def asked(flowjury):
    flowjury.suite("passes", "fails", "asks")
    flowjury("run")
    return flowjury


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["run"], "reports"),
        (["record"], "reports"),
        (["refresh"], "reports"),
        (["report"], "reports"),
        (["pending"], "pending"),
        (["attach"], "attach"),
        (["attach", "--dry-run"], "attach"),
        (["judge", "--host", "openai_rubric", "--dry-run"], "judge-dry-run"),
        (["show", "asks"], "show"),
        (["show", "asks", "--at", "/output"], "value"),
        (["show", "asks", "--node", "answer"], "value"),
        (["show", "asks", "--at", "/nothing"], "value"),
        (["graph", "show", "flow.yaml"], "graph"),
        (["graph", "show", "shop.suite.yaml"], "graph"),
        (["suite", "lint"], "lint"),
        (["runs", "list"], "runs"),
        (["init", "new"], "init"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_what_is_printed_as_json_fits_its_schema(asked, arguments, name):
    schema = asked("schema", name).json
    printed = asked(*arguments, "--json")

    jsonschema.Draft202012Validator(schema).validate(printed.json)
    assert printed.json


def test_the_files_of_a_report_fit_its_schema(asked):
    schema = asked("schema", "report").json
    asked("report", "--format", "json", "--output", "out.json")
    jsonschema.validate(json.loads((asked.root / "out.json").read_text()), schema)


def test_lists_are_empty_where_there_is_nothing(flowjury):
    assert flowjury("runs", "list", "--json").json == []
    flowjury.suite("passes")
    flowjury("run")
    pending = flowjury("pending", "--json")

    assert (pending.code, pending.json) == (0, {"open": [], "rerun": []})
