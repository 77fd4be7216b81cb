from __future__ import annotations

import pytest

from flowjury.app.modules import code_of

FILES = {
    "grades.py": "import rules\nfrom house import style as s, Missing\nimport json, pytest",
    "rules.py": "def late():\n    from house.deep.words import LIST",
    "house/__init__.py": "",
    "house/style.py": "from . import colour\nfrom .deep import *",
    "house/colour.py": "import grades",
    "house/deep/__init__.py": "from ..tone import x",
    "house/deep/words.py": "raise SystemExit('it was imported')",
    "house/tone.py": "this is no Python",
    "aside.py": "",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_module_is_made_of_all_that_it_imports_of_the_project(folder):
    assert sorted(code_of("grades", [folder])) == [
        "grades",
        "house",
        "house.colour",
        "house.deep",
        "house.deep.words",
        "house.style",
        "house.tone",
        "rules",
    ]


def test_every_file_of_it_counts_and_no_other(folder):
    before = code_of("grades", [folder])
    (folder / "aside.py").write_text("1", encoding="utf-8")
    same = code_of("grades", [folder])
    (folder / "house/deep/words.py").write_text("LIST = []", encoding="utf-8")
    changed = code_of("grades", [folder])

    assert same == before
    assert {name for name in before if before[name] != changed[name]} == {"house.deep.words"}


def test_a_module_in_a_package_is_made_of_the_packages_around_it(folder):
    assert sorted(code_of("house.deep.words", [folder])) == [
        "house",
        "house.deep",
        "house.deep.words",
        "house.tone",
    ]


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A distribution whose module is in no file, as in one that is built into the interpreter."""

    def install(release):
        info = tmp_path / "quality_tools-1.dist-info"
        info.mkdir(exist_ok=True)
        metadata = f"Metadata-Version: 2.1\nName: quality-tools\nVersion: {release}\n"
        (info / "METADATA").write_text(metadata, encoding="utf-8")
        (info / "top_level.txt").write_text("quality\n", encoding="utf-8")

    monkeypatch.syspath_prepend(tmp_path)
    return install


def test_what_is_in_no_file_is_the_version_of_its_distribution(installed, tmp_path):
    installed("1.2")
    before = code_of("quality.tone", [tmp_path / "nowhere"])
    installed("1.3")

    assert before == {"quality-tools==": "1.2"}
    assert code_of("quality.tone", [tmp_path / "nowhere"]) == {"quality-tools==": "1.3"}


def test_what_is_in_no_file_and_of_no_version_has_no_code(folder):
    assert code_of("nowhere", [folder]) == {}
