"""The picture of the README is what a run of today prints; `pytest --update` draws it again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .pages import DOCS, ROOT
from .picture import report, svg
from .shell import forget_modules

PICTURE = DOCS / "images" / "report.svg"


def test_the_picture_shows_what_the_run_prints(
    tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    ignored = shutil.ignore_patterns(".flowjury", "__pycache__")
    folder = shutil.copytree(ROOT / "workflows" / "refunds", tmp_path / "refunds", ignore=ignored)
    (folder / ".git").mkdir()
    monkeypatch.syspath_prepend(folder)
    text = svg(report(folder))
    forget_modules(folder)
    if pytestconfig.getoption("update"):
        PICTURE.write_text(text, encoding="utf-8")

    assert PICTURE.read_text(encoding="utf-8") == text
