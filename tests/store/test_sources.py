from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import flowjury
from flowjury.errors import StoreError
from flowjury.store.sources import ImportedSources, imported_sources, rehash

FOREIGN = (
    "env/lib/python3.11/other.py",
    "lib/site-packages/other.py",
    "dist-packages/other.py",
    "node_modules/x/other.py",
    ".flowjury/other.py",
)


def module(file: object) -> ModuleType:
    made = ModuleType("made")
    made.__file__ = file  # type: ignore[assignment]  # anything may stand there
    return made


def put(path: Path, text: str = "x = 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def sha256(text: str = "x = 1\n") -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_projects_own_files_are_hashed_by_relative_path(tmp_path: Path) -> None:
    modules = {
        "nodes": module(str(put(tmp_path / "src/nodes.py"))),
        "graph": module(str(put(tmp_path / "graph/__init__.py", ""))),
    }

    found = imported_sources(tmp_path, modules)

    assert found == {"graph/__init__.py": sha256(""), "src/nodes.py": sha256()}
    assert list(found) == sorted(found)


def test_modules_that_were_there_before_do_not_count(tmp_path: Path) -> None:
    modules = {name: module(str(put(tmp_path / f"{name}.py"))) for name in ("old", "new")}

    assert list(imported_sources(tmp_path, modules, frozenset({"old"}))) == ["new.py"]


@pytest.mark.parametrize("place", FOREIGN)
def test_what_is_not_the_projects_own_does_not_count(tmp_path: Path, place: str) -> None:
    put(tmp_path / "env/pyvenv.cfg", "")

    assert imported_sources(tmp_path, {"other": module(str(put(tmp_path / place)))}) == {}


def test_files_outside_the_root_and_flowjury_itself_do_not_count(tmp_path: Path) -> None:
    outside = module(str(put(tmp_path / "other/outside.py")))
    above = Path(flowjury.__path__[0]).parent

    assert imported_sources(tmp_path / "project", {"outside": outside}) == {}
    assert imported_sources(above, {"flowjury": flowjury}) == {}


def test_modules_without_a_file_do_not_count(tmp_path: Path) -> None:
    class Lazy(SimpleNamespace):
        def __getattr__(self, name: str) -> object:
            raise ImportError(name)

    modules = {"built_in": module(None), "lazy": Lazy(), "nothing": None}

    assert imported_sources(tmp_path, modules) == {}  # type: ignore[arg-type]  # so is sys.modules


def test_a_file_is_named_as_it_was_imported_even_through_links(tmp_path: Path) -> None:
    put(tmp_path / "shared/tool.py")
    (tmp_path / "project").mkdir()
    (tmp_path / "project/linked").symlink_to(tmp_path / "shared")
    (tmp_path / "alias").symlink_to(tmp_path / "project")
    linked = module(str(tmp_path / "project/linked/tool.py"))
    dotted = module(str(put(tmp_path / "project/src/nodes.py").parent / "../src/nodes.py"))

    assert list(imported_sources(tmp_path / "project", {"a": linked, "b": dotted})) == [
        "linked/tool.py",
        "src/nodes.py",
    ]
    assert list(imported_sources(tmp_path / "alias", {"b": dotted})) == ["src/nodes.py"]


def test_files_are_hashed_anew_where_they_changed_and_named_where_they_are_gone(
    tmp_path: Path,
) -> None:
    paths = [put(tmp_path / name) for name in ("a.py", "b.py", "c.py", "d.py")]
    then = rehash(tmp_path, ["a.py", "b.py", "c.py", "d.py"])
    paths[1].write_text("x = 22\n")
    paths[2].unlink()
    paths[3].unlink()
    paths[3].mkdir()

    now = rehash(tmp_path, [*then, "e.py"])

    assert now == {
        "a.py": sha256(),
        "b.py": sha256("x = 22\n"),
        "c.py": "",
        "d.py": "",
        "e.py": "",
    }


def test_a_file_of_the_same_size_and_time_is_not_read_again(tmp_path: Path) -> None:
    path = put(tmp_path / "a.py")
    before = path.stat()
    rehash(tmp_path, ["a.py"])
    path.write_text("x = 2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert rehash(tmp_path, ["a.py"]) == {"a.py": sha256()}


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").symlink_to(tmp_path / "a.py")

    with pytest.raises(StoreError, match=r"a\.py: cannot be read: "):
        rehash(tmp_path, ["a.py"])


def test_what_is_imported_later_is_seen_and_what_is_edited_later_is_not(tmp_path: Path) -> None:
    modules = {"nodes": module(str(put(tmp_path / "nodes.py")))}
    sources = ImportedSources(tmp_path, modules)
    first = sources.now()
    put(tmp_path / "nodes.py", "x = 22\n")
    modules["late"] = module(str(put(tmp_path / "late.py", "")))

    assert first == {"nodes.py": sha256()}
    assert sources.now() == {"nodes.py": sha256(), "late.py": sha256("")}


def test_what_makes_way_for_a_namesake_stays_a_source(tmp_path: Path) -> None:
    modules = {"nodes": module(str(put(tmp_path / "a/nodes.py")))}
    sources = ImportedSources(tmp_path, modules)
    sources.now()
    del modules["nodes"]
    modules["tools"] = module(str(put(tmp_path / "b/tools.py")))

    assert sorted(sources.now()) == ["a/nodes.py", "b/tools.py"]


def test_what_is_no_file_has_no_hash(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    assert rehash(tmp_path, ["pipe", "a\0b", "gone", "."]) == dict.fromkeys(
        ["pipe", "a\0b", "gone", "."], ""
    )
