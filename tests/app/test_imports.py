"""A suite's code sees its own modules, and everything else sees those that were there before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from flowjury.app.imports import Imports, passing


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    path, modules = sys.path[:], dict(sys.modules)
    yield
    sys.path[:] = path
    sys.modules.clear()
    sys.modules.update(modules)


def test_a_module_that_made_way_is_back_outside_and_gone_inside():
    theirs, own = ModuleType("wares"), ModuleType("wares")
    inner = ModuleType("wares.inner")
    sys.modules |= {"wares": theirs, "wares.inner": inner}
    imports = Imports()
    with imports.inside():
        sys.modules["wares"] = own
        del sys.modules["wares.inner"]

    assert (sys.modules["wares"], sys.modules["wares.inner"]) == (theirs, inner)
    with imports.inside():
        assert sys.modules["wares"] is own
        assert "wares.inner" not in sys.modules
    assert sys.modules["wares"] is theirs


def test_folders_are_searched_only_inside():
    imports = Imports()
    with imports.inside():
        sys.path.insert(0, "their/folder")

    assert "their/folder" not in sys.path
    with imports.inside():
        assert sys.path[0] == "their/folder"


def test_what_is_new_stays():
    with Imports().inside():
        sys.modules["brand_new"] = ModuleType("brand_new")

    assert "brand_new" in sys.modules


def test_modules_of_a_folder_pass_and_others_stay(tmp_path):
    (tmp_path / "passes_by.py").write_text("")
    sys.path.insert(0, str(tmp_path))
    with passing([tmp_path]):
        __import__("passes_by")
        sys.modules["of_nowhere"] = ModuleType("of_nowhere")

    assert "passes_by" not in sys.modules
    assert "of_nowhere" in sys.modules
