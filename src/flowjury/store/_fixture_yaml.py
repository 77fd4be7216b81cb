"""The YAML of fixtures: texts of many lines as blocks, and only what reads back the same."""

from __future__ import annotations

from typing import ClassVar, Final

import yaml

from flowjury import documents
from flowjury.documents import yaml_scalars
from flowjury.errors import InputError
from flowjury.json_values import dumps
from flowjury.model import Json

_STRING: Final = "tag:yaml.org,2002:str"
_UNFOLDED: Final = 2**30
"""A width of lines at which none is folded."""


def written(value: Json) -> bytes | None:
    """Write YAML, if it reads back the same: it has no lone surrogates, among others."""
    try:
        text: bytes = yaml.dump(
            value,
            Dumper=_Dumper,
            allow_unicode=True,
            encoding="utf-8",
            sort_keys=False,
            width=_UNFOLDED,
        )
        same = dumps(documents.parse(text, name="fixtures.yaml").value) == dumps(value)
    except (yaml.YAMLError, InputError, ValueError, RecursionError):
        return None
    return text if same else None


class _Dumper(yaml.CSafeDumper):  # type: ignore[misc]  # PyYAML ships no types
    """Writes YAML that reads back the same by YAML 1.2, with texts of many lines as blocks."""

    yaml_representers: ClassVar = {
        **yaml.CSafeDumper.yaml_representers,
        str: lambda dumper, text: dumper.represent_scalar(_STRING, text, style=_style(text)),
    }

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - of no value
        """Write each value out, however often it occurs."""
        return True


def _style(text: str) -> str | None:
    """Choose a block for many lines, and quotes for what YAML 1.2 alone takes for a number."""
    if "\n" in text:
        return "|"
    try:
        return None if yaml_scalars.resolve(text) == text else "'"
    except ValueError:
        return "'"
