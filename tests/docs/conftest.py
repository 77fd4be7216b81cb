"""What the tests of the docs share: a project of its own for each page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .shell import forget_modules


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a page a project, without a key, and leave no trace of it in this process."""
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path, written = sys.path[:], sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # a file may be rewritten within a second
    yield tmp_path
    forget_modules(tmp_path)
    sys.path[:], sys.dont_write_bytecode = path, written
