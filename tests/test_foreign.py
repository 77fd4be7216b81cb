"""The foreign traces: how the source of a file is found, and what is said where none fits."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import pytest

from flowjury.errors import InputError, UsageError
from flowjury.foreign import is_foreign, read_foreign

SPAN = {
    "traceId": "5b8efff798038103d269b633813fc60c",
    "spanId": "eee19b7ec3c1b174",
    "name": "invoke_agent helper",
    "startTimeUnixNano": "1",
    "endTimeUnixNano": "2",
}
OTLP = {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}]}
LINE = json.dumps(OTLP)


def refused(content, **more):
    text = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(InputError) as caught:
        read_foreign(text, file="f.json", **more)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        json.dumps(OTLP, indent=2),
        f"\ufeff{LINE}",
        f"{LINE}\n",
        f"\n{LINE}\r\n\r\n{LINE}\n",
        f"[{LINE}]",
    ],
)
def test_the_content_of_a_file_tells_its_source(text):
    found = read_foreign(text.encode(), file="any name")

    assert found.source == "otlp"
    assert [each.node for each in found.trace.executions] == ["helper"]
    assert is_foreign(text.encode(), file="f")


def test_a_source_that_is_named_is_taken():
    assert read_foreign(LINE.encode(), file="f", source="otlp").source == "otlp"
    with pytest.raises(UsageError, match="nearest is 'otlp'"):
        read_foreign(LINE.encode(), file="f", source="otpl")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "f.json: the file is empty"),
        (" \n", "f.json: the file is empty"),
        (b"\xe9", "f.json:1: not UTF-8: byte 0xe9 at offset 0"),
        (gzip.compress(b"{}"), "f.json: it is compressed; unpack it first: gunzip"),
        (b"\0\0\1\0\x28\xb5\x2f\xfd", "f.json: it is compressed; unpack it first: zstd -d"),
        (
            '{"observations": [], "trace": {}}',
            'it begins with an object with ["observations", "trace"] (known: otlp)',
        ),
        ("7", "f.json: no source recognises it: it begins with a value of type integer"),
        ("[]", "f.json: no source recognises it: it begins with a value of type array"),
        ('{"format": 1, "status": "finished"}', "it is a trace of FlowJury already"),
        (LINE[:-9], "f.json:1: not JSON: "),
        (f"{LINE}\n{LINE[:-9]}\n{LINE}\n[", "f.json:2: not JSON: "),
    ],
)
def test_a_file_that_no_source_can_read_is_refused_with_the_reason(content, said):
    assert said in refused(content)


def test_every_line_that_is_wrong_is_told():
    said = refused(f"{LINE}\n{LINE[:-9]}\n[")

    assert [line.split(": ")[0] for line in said.splitlines()] == ["f.json:2", "f.json:3"]


def test_a_file_that_several_sources_recognise_is_refused_with_their_names(tmp_path):
    (tmp_path / "greedy.py").write_text(
        "def recognises(lines): return True\ndef read(lines, *, file, trace_id, mask): ...\n"
    )
    (tmp_path / "greedy-1.dist-info").mkdir()
    (tmp_path / "greedy-1.dist-info" / "METADATA").write_text("Name: greedy\nVersion: 1\n")
    (tmp_path / "greedy-1.dist-info" / "entry_points.txt").write_text(
        "[flowjury.sources]\ngreedy = greedy\n"
    )
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from flowjury.errors import InputError\n"
        "from flowjury.foreign import read_foreign\n"
        "try: read_foreign(sys.stdin.buffer.read(), file='f.json')\n"
        "except InputError as error: print(error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], input=LINE, capture_output=True, text=True, check=True
    )

    assert done.stdout == (
        "f.json: several sources recognise it: greedy, otlp; choose one"
        " (flowjury trace import --source NAME)\n"
    )


def test_the_package_that_a_source_needs_is_named():
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from flowjury.errors import InputError\n"
        "from flowjury.foreign import read_foreign\n"
        "try: read_foreign(sys.stdin.buffer.read(), file='f.json')\n"
        "except InputError as error: print(error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], input=LINE, capture_output=True, text=True, check=True
    )

    assert done.stdout == (
        "f.json: OTLP is read by the package opentelemetry-proto-json, which is not installed:"
        " pip install 'flowjury[otlp]'\n"
    )


def test_what_no_source_recognises_is_not_foreign():
    assert not is_foreign(b"{", file="f")
    assert not is_foreign(b'{"status": "finished"}', file="f")
