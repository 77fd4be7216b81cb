from __future__ import annotations

import pytest

ORDER = {
    "type": "object",
    "required": ["id", "amount"],
    "properties": {"id": {"pattern": "^A-[0-9]+$"}, "amount": {"$ref": "#/$defs/money"}},
    "additionalProperties": False,
    "$defs": {"money": {"type": "integer", "minimum": 0}},
}


def schema(at, schema):
    return {"kind": "schema", "at": at, "schema": schema}


@pytest.mark.parametrize(
    ("output", "verdict", "message"),
    [
        ({"id": "A-1", "amount": 7}, "passed", "/output fits the schema"),
        ({"id": "A-1", "amount": 7.0}, "passed", "/output fits the schema"),
        ({"amount": 7}, "failed", "/output lacks 'id'"),
        (
            {"id": "A-1", "amount": -1},
            "failed",
            "/output/amount is -1, which does not fit `minimum: 0`",
        ),
        (
            {"id": "B-1", "amount": True},
            "failed",
            (
                '/output/id is "B-1", which does not fit `pattern: "^A-[0-9]+$"`; '
                '/output/amount is true, which does not fit `type: "integer"`'
            ),
        ),
        (
            {"id": "A-1", "amount": 1, "x": 1},
            "failed",
            (
                '/output is {"id": "A-1", "amount": 1, "x": 1}, '
                "which does not fit `additionalProperties: false`"
            ),
        ),
    ],
)
def test_a_value_fits_a_schema_or_the_first_misfits_are_told(lab, output, verdict, message):
    finding = lab.weigh(schema("/output", ORDER), lab.run(output=output))

    assert (finding.verdict, finding.message) == (verdict, message)


def test_no_more_than_three_misfits_are_told(lab):
    finding = lab.weigh(
        schema("/output", {"items": {"type": "string"}}), lab.run(output=[1, 2, 3, 4])
    )

    assert finding.message.endswith("; and more")
    assert finding.message.count("does not fit") == 3


@pytest.mark.parametrize(
    ("check", "verdict", "message"),
    [
        (schema("/output/x", {}), "failed", "/output resolves, 'x' is not a key there"),
        (schema("/tools", {}), "unknown", "tools was not recorded"),
        (schema("/output", schema=False), "failed", "/output is {}, where nothing may be"),
        (
            schema("/output", {"$ref": "#"}),
            "error",
            "/output: the schema leads back to itself without end",
        ),
    ],
)
def test_what_cannot_be_validated_is_not_valid(lab, check, verdict, message):
    finding = lab.weigh(check, lab.run(output={}))

    assert (finding.verdict, finding.message) == (verdict, message)


def test_an_incomplete_value_is_not_known_to_fit(lab):
    finding = lab.weigh(schema("/tools", {"maxItems": 3}), lab.run(tools=[], complete={}))

    assert (finding.verdict, finding.message) == (
        "unknown",
        "/tools fits the schema; tools were not recorded completely",
    )


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"type": "objekt"}, "not a JSON Schema: /type: 'objekt' is not valid"),
        ([], "a JSON Schema is an object or a boolean, not []"),
        (
            {"$ref": "https://example.org/schema.json"},
            "$ref 'https://example.org/schema.json' leads out of the schema",
        ),
        ({"items": {"$ref": "other.json"}}, "$ref 'other.json' leads out of the schema"),
        ({"$ref": "#/$defs/x"}, "$ref '#/$defs/x' leads nowhere"),
        ({"properties": {"a": {"pattern": "(?=a)"}}}, "regex is not one that RE2 can compile"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(lab, written, message):
    assert message in lab.fault(schema("/output", written))


@pytest.mark.parametrize(
    "written",
    [
        {"const": {"$ref": "elsewhere"}},
        {"properties": {"$ref": {"type": "string"}, "pattern": {"type": "string"}}},
        {"enum": [{"pattern": "(?=a)"}]},
        {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}},
        True,
    ],
)
def test_data_in_a_schema_is_not_taken_for_keywords(lab, written):
    assert lab.check(schema("/output", written)).schema_ == written


def test_the_pointer_of_a_schema_is_an_address(lab):
    assert list(lab.check(schema("/output", {})).addresses()) == [("/at", "/output")]
