from __future__ import annotations

from functools import reduce

import pytest

from flowjury.check import Scope, Truth
from flowjury.checks._schemas import fitting
from flowjury.evidence import Evidence
from flowjury.pointer import Found

ORDER = {
    "type": "object",
    "required": ["id", "amount"],
    "properties": {"id": {"pattern": "^A-[0-9]+$"}, "amount": {"$ref": "#/$defs/money"}},
    "additionalProperties": False,
    "$defs": {"money": {"type": "integer", "minimum": 0}},
}

STRING = {"type": "string"}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
ENDLESS = "the schema leads back to itself without end, or what it is held against is too deep"


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
        (schema("/output/x", STRING), "failed", "/output resolves, 'x' is not a key there"),
        (schema("/tools", STRING), "unknown", "tools was not recorded"),
        (schema("/output", schema=False), "failed", "/output is {}, where nothing may be"),
        (
            schema("/output", {"$ref": "#"}),
            "error",
            f"/output: {ENDLESS}",
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
        ({"patternProperties": {"(?=a)": STRING}}, "regex is not one that RE2 can compile"),
        ({}, "{} allows everything: write what the value must be"),
        (True, "true allows everything"),
        ({"requird": ["a"]}, "'requird' is no keyword of this draft of JSON Schema; nearest is"),
        ({"allOf": [STRING, {"tpye": "x"}]}, "/allOf/1: 'tpye' is no keyword of this draft"),
        ({"$schema": DRAFT_7, "prefixItems": [STRING]}, "'prefixItems' is no keyword of this"),
        ({"items": {"$schema": DRAFT_7}}, "/items: `$schema` stands at the top only"),
        ({"$schema": "https://example.org/x", **STRING}, "names no known draft; write"),
        ({"format": "emial"}, "format 'emial' cannot be checked; nearest is 'email'"),
        ({"items": {"format": "uri"}}, "/items: format 'uri' cannot be checked"),
        ({"$ref": "#nowhere"}, "$ref '#nowhere' leads nowhere"),
        ({"$ref": "#/required", "required": ["a"]}, "$ref '#/required' leads nowhere"),
        (reduce(lambda inner, _: {"not": inner}, range(400), STRING), "it is nested too deeply"),
        (
            {"patternProperties": {"a": STRING}, "unevaluatedProperties": False},
            "`unevaluatedProperties` cannot stand beside `patternProperties` here",
        ),
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
        {"$schema": DRAFT_7, "definitions": {"a": {}}, "not": {"$ref": "#/definitions/a"}},
        {"default": {"tpye": 1}, "type": "object", "x-note": 1, "title": "t"},
        False,
    ],
)
def test_data_in_a_schema_is_not_taken_for_keywords(lab, written):
    assert lab.check(schema("/output", written)).schema_ == written


def test_the_pointer_of_a_schema_is_an_address(lab):
    assert list(lab.check(schema("/output", STRING)).addresses()) == [("/at", "/output")]


HUGE = 10**400
ONLY_N = {"patternProperties": {"^n": {}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("written", "output", "verdict"),
    [
        ({"format": "email"}, "no address", "failed"),
        ({"format": "date-time"}, "2026-01-31T12:00:00Z", "passed"),
        ({"format": "date-time"}, "2026-01-31T12:00:00", "failed"),
        ({"format": "date-time"}, "2026-02-31T12:00:00Z", "failed"),
        ({"format": "date-time"}, 7, "passed"),
        ({"format": "time"}, "12:00:00+01:00", "passed"),
        ({"format": "time"}, "25:00:00Z", "failed"),
        ({"multipleOf": 0.1}, 0.3, "passed"),
        ({"multipleOf": 0.1}, HUGE, "passed"),
        ({"multipleOf": 3}, HUGE, "failed"),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}], "passed"),
        ({"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}], "failed"),
        ({"patternProperties": {r"^\pL+$": STRING}}, {"é": 1}, "failed"),
        (ONLY_N, {"n": 1}, "passed"),
        (ONLY_N, {"m": 1}, "failed"),
        ({"properties": {"a": {}}, "additionalProperties": STRING}, {"a": 1, "b": 2}, "failed"),
        ({"$schema": DRAFT_7, "items": {"$ref": "#"}, "pattern": "^a$"}, ["b"], "failed"),
        ({"$defs": {"x": {"$anchor": "word", **STRING}}, "$ref": "#word"}, 1, "failed"),
    ],
)
def test_keywords_are_exact(lab, written, output, verdict):
    assert lab.weigh(schema("/output", written), lab.run(output=output)).verdict == verdict


@pytest.mark.parametrize(
    ("written", "output"), [({"pattern": "a"}, "\ud800"), (ONLY_N, {"\ud800": 1})]
)
def test_what_re2_cannot_read_is_unknown_denied_as_well(lab, written, output):
    check = lab.check(schema("/output", written))
    scope = Scope(Evidence(lab.run(output=output)))

    assert {check.weigh(scope, want).verdict.value for want in ("holds", "fails")} == {"unknown"}


def test_no_pattern_takes_longer_than_its_text_is_long(lab):
    written = {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}
    finding = lab.weigh(schema("/output", written), lab.run(output={"a" * 5000 + "b": 1}))

    assert finding.verdict == "failed"


def test_a_schema_that_doubles_its_work_again_and_again_is_given_up():
    defs = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    written = {"$defs": {**defs, "d40": False}, "$ref": "#/$defs/d0"}
    claim = fitting(written, limit=5000)(Found([]), "/output")

    assert (claim.truth, claim.says) == (Truth.ERROR, f"/output: {ENDLESS}")
