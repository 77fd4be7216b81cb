from __future__ import annotations

import json

import jsonschema
import pytest

from flowjury.app import schemas
from flowjury.errors import UsageError


@pytest.mark.parametrize("name", schemas.NAMES)
def test_every_schema_is_one_and_insists_on_no_null(name):
    made = schemas.schema(name)

    jsonschema.Draft202012Validator.check_schema(made)
    assert '"default": null' not in json.dumps(made)


def test_the_schema_of_suites_knows_every_kind_and_asks_for_it(shop):
    made = schemas.schema("suite")
    suite = json.loads(
        shop.suite({"id": "c", "checks": [shop.check], "trials": {"n": 2, "pass": 1}}).read_text()
    )
    jsonschema.validate(suite, made)
    del suite["cases"][0]["checks"][0]["kind"]

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(suite, made)


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="no schema is named 'siute'; nearest is 'suite'"):
        schemas.schema("siute")
