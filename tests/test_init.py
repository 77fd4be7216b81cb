"""The public names, and what importing them does not load."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

import flowjury


@pytest.mark.parametrize("name", flowjury.__all__)
def test_every_public_name_is_there(name):
    assert getattr(flowjury, name) is not None


def test_the_version_is_that_of_the_installed_package():
    try:
        installed = metadata.version("flowjury")
    except metadata.PackageNotFoundError:
        pytest.skip("flowjury is on the path, but not installed")

    assert flowjury.__version__ == installed


def test_the_public_names_are_few_and_sorted():
    assert flowjury.__all__ == sorted(flowjury.__all__)
    assert len(flowjury.__all__) <= 15
    assert dir(flowjury) == sorted([*flowjury.__all__, "__version__"])


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'flowjury' has no attribute 'nodes'"):
        _ = flowjury.nodes


@pytest.mark.parametrize(
    "statement", ["import flowjury", "from flowjury import Outcome, boundary, carry, node, span"]
)
def test_importing_what_instruments_a_program_loads_nothing_heavy(statement):
    heavy = {"pydantic", "yaml", "re2", "typer", "langgraph", "asyncio", "openai"}
    program = f"import sys; {statement}; print(*sorted({heavy} & sys.modules.keys()))"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == ""
