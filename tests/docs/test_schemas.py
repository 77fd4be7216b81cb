"""The published schemas are those that the models have; `pytest --update` writes them again."""

from __future__ import annotations

import pytest

from flowjury.app.schemas import NAMES, schema
from flowjury.json_values import dumps

from .pages import DOCS

FOLDER = DOCS / "schemas"


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_what_its_model_says(name: str, pytestconfig: pytest.Config) -> None:
    path = FOLDER / f"{name}.schema.json"
    text = dumps(schema(name), indent=2) + "\n"
    if pytestconfig.getoption("update"):
        path.write_text(text, encoding="utf-8")

    assert path.read_text(encoding="utf-8") == text


def test_every_file_is_the_schema_of_something() -> None:
    files = {path.name for path in FOLDER.iterdir()}

    assert files == {f"{name}.schema.json" for name in NAMES}
