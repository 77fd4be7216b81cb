from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flowjury.errors import StoreError
from flowjury.store.outputs import write_out

PRINTS = """
from pathlib import Path
from flowjury.store.outputs import write_out
print("before", flush=True)
print(write_out(Path("/dev/stdout"), b"report\\n"), flush=True)
"""


def test_a_file_is_replaced_whole_also_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a long old text")
    (tmp_path / "link").symlink_to("file")

    assert write_out(tmp_path / "link", b"new") == "file"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_pipe_is_written_into_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as others:
        read = others.submit(pipe.read_bytes)

        assert write_out(pipe, b"report") == "stream"
        assert read.result() == b"report"
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no such device")
def test_standard_output_that_is_a_file_goes_on_where_it_was(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, "-c", PRINTS], stdout=out, check=True)

    assert (tmp_path / "out").read_text() == "before\nreport\nstream\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has such a device")
def test_a_device_that_takes_nothing_is_said() -> None:
    with pytest.raises(StoreError, match=r"^/dev/full: cannot be written: .*; free some space$"):
        write_out(Path("/dev/full"), b"report")
