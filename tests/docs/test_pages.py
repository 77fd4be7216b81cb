"""Every fenced block of README and docs does what the page says, one folder for each page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .pages import Page, pages
from .player import Player


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_its_blocks_do_what_it_says(page: Page, folder: Path, pytestconfig: pytest.Config) -> None:
    if page.sample is not None:
        ignored = shutil.ignore_patterns(".flowjury", "__pycache__")
        shutil.copytree(page.sample, folder, ignore=ignored, dirs_exist_ok=True)
    player = Player(page, folder)
    player.play()
    if pytestconfig.getoption("update"):
        player.rewrite()
        return

    assert player.differences == []
