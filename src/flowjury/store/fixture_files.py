"""Fixture files: recorded answers of boundary nodes, one file per case beside the suite."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from flowjury import documents
from flowjury.case import Fixtures
from flowjury.errors import Fault, InputError
from flowjury.model import Model
from flowjury.store.files import json_bytes, read_bytes, remove, stem, write
from flowjury.validation import refuse_newer, validate


class FixtureFile(Model):
    """The recorded answers of one case."""

    format: Literal[1]
    """The number of this format."""
    case: str
    """Id of the case."""
    fixtures: Fixtures
    """Answers by boundary node, one per visit."""


def fixture_paths(folder: Path, case: str) -> tuple[Path, Path]:
    """Return where the fixtures of a case lie: as YAML, and as JSON if YAML cannot hold them."""
    name = stem(case)
    return folder / f"{name}.yaml", folder / f"{name}.json"


def fixture_file(folder: Path, case: str) -> Path | None:
    """Return the file that holds the recorded answers of a case, if there is one."""
    return next((path for path in fixture_paths(folder, case) if path.exists()), None)


def read_fixtures(folder: Path, case: str) -> Fixtures:
    """Return the recorded answers of a case; none where there is no file.

    Raises InputError with every fault of the file, and StoreError.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - asked for each case, and many times faster
        return {}
    there = [path for path in fixture_paths(folder, case) if path.exists()]
    if len(there) > 1:
        message = f"{there[1].name} holds fixtures of the same case; keep one of the two"
        raise InputError(Fault(file=str(there[0]), message=message))
    return _read(there[0], case) if there else {}


def write_fixtures(folder: Path, case: str, fixtures: Fixtures) -> Path:
    """Write the recorded answers of a case in place of those before, and return the file.

    Raises InputError if what is there is broken or belongs to another case, and StoreError.
    """
    value = {
        "format": 1,
        "case": case,
        "fixtures": {
            node: [answer.model_dump(exclude_unset=True) for answer in fixtures[node]]
            for node in sorted(fixtures)
        },
    }
    paths = fixture_paths(folder, case)
    read_fixtures(folder, case)
    # PyYAML is heavy, and only who records writes fixtures.
    from flowjury.store._fixture_yaml import written  # noqa: PLC0415

    text = written(value)
    path, other = paths[::-1] if text is None else paths
    write(path, json_bytes(value) if text is None else text)
    remove(other)
    return path


def _read(path: Path, case: str) -> Fixtures:
    document = documents.parse(read_bytes(path), name=str(path))
    refuse_newer(document)
    file = validate(document, FixtureFile)
    if file.case != case:
        message = (
            f"these are the fixtures of case {file.case!r}, not {case!r}; rename one of the two"
        )
        line = document.line("/case")
        raise InputError(Fault(file=str(path), pointer="/case", message=message, line=line))
    return file.fixtures
