from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.errors import InputError, StoreError
from flowjury.json_values import loads
from flowjury.store import files

LIMITED = """
import resource, sys
from pathlib import Path
from flowjury.store import files
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try: files.write(Path(sys.argv[1]), b"x" * 5000)
except files.StoreError as error: print(error)
"""


def said(folder: Path, path: Path) -> str:
    with pytest.raises(InputError) as caught:
        files.read_bytes(path)
    return str(caught.value).replace(str(folder), "")


def test_bytes_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\r\n\x00")

    assert files.read_bytes(path) == b"\xff\r\n\x00"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("refund.yaml", "no such file; nearest is '/refunds.yaml'"),
        ("xxx", "no such file"),
        ("suits/a", "no such file: the folder '/suits' does not exist; nearest is '/suites'"),
        ("no/where/a", "no such file: the folder '/no' does not exist"),
        ("refunds.yaml/a", "no such file: the folder '/refunds.yaml' is a file"),
        ("suites", "this is a folder; name a file in it, such as '/suites/one.yaml'"),
        ("empty", "this is a folder; name a file"),
    ],
)
def test_a_file_that_cannot_be_the_one_is_the_users_error(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "refunds.yaml").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites/one.yaml").touch()

    assert said(tmp_path, tmp_path / name) == f"/{name}: {message}"


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_file_can_have_is_the_users_error(tmp_path: Path, name: str) -> None:
    assert said(tmp_path, tmp_path / name).endswith("b': no file has such a name")


def test_a_name_that_leads_nowhere_is_the_users_error(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    long = "x" * 300

    assert said(tmp_path, loop) == (
        "/loop: cannot be read: Too many levels of symbolic links; "
        "mend the symbolic link, which leads to itself"
    )
    assert said(tmp_path, tmp_path / long).endswith(
        "x…: cannot be read: File name too long; use a shorter name"
    )


def test_a_pipe_or_a_device_is_not_read_as_it_may_never_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    message = "this is a pipe or a device, which may never end; name a file"

    assert said(tmp_path, tmp_path / "pipe") == f"/pipe: {message}"
    assert said(tmp_path, Path(os.devnull)) == f"{os.devnull}: {message}"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has such a file")
def test_what_the_system_refuses_to_read_is_a_store_error() -> None:
    with pytest.raises(StoreError, match="mem: cannot be read: "):
        files.read_bytes(Path("/proc/self/mem"))


def test_a_path_leads_where_its_links_lead_and_stays_where_that_is_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "loop").symlink_to("loop")

    assert [files.resolved(tmp_path / name) for name in ("a", "loop", "x\0")] == [
        tmp_path.resolve() / name for name in ("b", "loop", "x\0")
    ]


@pytest.mark.parametrize("write", [files.write, files.write_view])
def test_a_file_is_written_with_its_folders_and_nothing_else_is_left(
    tmp_path: Path, write: Callable[[Path, bytes], None]
) -> None:
    path = tmp_path / "a/b/c.json"

    write(path, b"one")
    write(path, b"two")

    assert path.read_bytes() == b"two"
    assert files.names_in(path.parent) == ["c.json"]


def test_a_new_file_has_the_mode_of_any_new_file_and_an_old_one_keeps_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "usual").touch()
    old = tmp_path / "old"
    old.touch(0o640)

    files.write(tmp_path / "new", b"")
    files.write(old, b"")

    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    assert old.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")

    files.write(tmp_path / "link", b"new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_view_that_is_like_that_already_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "view"
    files.write_view(path, b"same")
    before = path.stat().st_ino

    files.write_view(path, b"same")

    assert path.stat().st_ino == before


def test_a_file_that_does_not_fit_leaves_the_old_one_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    run = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, check=True)

    assert run.stdout.decode() == (
        f"{path}: cannot be written: File too large; raise the limit of this process (ulimit -f)\n"
    )
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("file/x", "file: cannot be made: File exists; move the file away"),
        ("folder", "folder: cannot be written: Is a directory; move the folder away"),
        ("x" * 300, "x: cannot be written: File name too long; use a shorter name"),
    ],
)
def test_a_place_that_cannot_be_written_is_said_with_a_way_out(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()

    with pytest.raises(StoreError, match=message):
        files.write(tmp_path / name, b"")
    assert files.names_in(tmp_path) == ["file", "folder"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, "No space left on device; free some space"),
        (errno.EROFS, "Read-only file system; use a folder that can be written to"),
        (errno.EACCES, "Permission denied; give this user the permission"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_an_error_of_the_system_names_the_path_the_reason_and_the_fix(
    code: int, message: str
) -> None:
    error = files.store_error(OSError(code, ""), Path("a/b"), "cannot be written")

    assert str(error) == f"a/b: cannot be written: {message}"


def test_whatever_stops_the_writing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        files.write(tmp_path / "file", "text")  # type: ignore[arg-type]  # no bytes: it must fail

    assert [each.name for each in tmp_path.iterdir()] == []


def test_names_in_a_folder_are_sorted_and_hidden_ones_left_out(tmp_path: Path) -> None:
    for name in ("b", ".hidden", "a"):
        (tmp_path / name).touch()

    assert files.names_in(tmp_path) == ["a", "b"]
    assert files.names_in(tmp_path / "nowhere") == []
    with pytest.raises(StoreError, match="cannot be listed"):
        files.names_in(tmp_path / "a")


def test_removing_a_file_that_is_not_there_is_fine(tmp_path: Path) -> None:
    files.remove(tmp_path / "gone")

    with pytest.raises(StoreError, match="cannot be removed"):
        files.remove(tmp_path)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("over-limit_1.2~a", "over-limit_1.2~a"),
        ("a b/ü", "a%20b%2F%C3%BC"),
        (".", "%2E"),
        ("..", "%2E."),
        ("50%", "50%25"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_a_stem_is_readable_and_safe(name: str, stem: str) -> None:
    assert files.stem(name) == stem


def test_a_long_name_is_cut_and_marked_with_its_digest() -> None:
    stems = [files.stem("ü" * 199 + last) for last in "ab"]

    assert [len(stem) for stem in stems] == [180, 180]
    assert stems[0] != stems[1]


@given(st.lists(st.text(min_size=1, max_size=200), unique=True, min_size=2, max_size=2))
def test_no_two_names_share_a_stem_and_every_stem_fits(names: list[str]) -> None:
    stems = [files.stem(name) for name in names]

    assert len(set(stems)) == len(stems)
    assert all(len(stem) <= 180 and stem.isascii() and stem[0] != "." for stem in stems)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": ["ü", 1.0]}, '{\n  "a": [\n    "ü",\n    1.0\n  ]\n}\n'),
        (["\ud800ü"], '[\n  "\\ud800\\u00fc"\n]\n'),
        ((), "[]\n"),
    ],
)
def test_json_for_people_is_indented_and_in_their_letters(value: object, text: str) -> None:
    assert files.json_bytes(value).decode() == text


def test_json_for_people_holds_integers_of_any_length() -> None:
    assert loads(files.json_bytes([10**5000])) == [10**5000]
