from __future__ import annotations

from pathlib import Path

import pytest

from flowjury.errors import StoreError
from flowjury.json_values import loads
from flowjury.request import AskedCriterion, Parts, Request
from flowjury.store.files import names_in
from flowjury.store.views import point_latest, write_report, write_requests

PARTS = Parts(question="c" * 64, criteria={}, evidence={})


def request(letter: str, suite: str = "refunds") -> Request:
    return Request(
        digest=letter * 64,
        parts=PARTS,
        suite=suite,
        case="over-limit",
        question="Is the reply polite?",
        criteria=(AskedCriterion(id="polite", text="It greets."),),
        evidence={"/output": {"message": "Grüße", "note": None}},
        answer_schema={"type": "object"},
        instructions="Answer.",
    )


def test_an_open_request_is_a_file_that_reads_back(tmp_path: Path) -> None:
    write_requests(tmp_path, "refunds", [request("a")])

    text = (tmp_path / f"{'a' * 64}.json").read_text("utf-8")
    assert Request.model_validate(loads(text)) == request("a")
    assert "Grüße" in text
    assert '"step"' not in text


def test_requests_no_longer_open_are_removed_and_nothing_else(tmp_path: Path) -> None:
    write_requests(tmp_path, "orders", [request("b", suite="orders")])
    write_requests(tmp_path, "refunds", [request("a"), request("c")])
    (tmp_path / "notes.json").touch()
    (tmp_path / f"{'d' * 64}.json").write_text("torn")
    (tmp_path / f"{'e' * 64}.json").write_text("[]")

    write_requests(tmp_path, "refunds", [request("c")])

    assert names_in(tmp_path) == [f"{'b' * 64}.json", f"{'c' * 64}.json", "notes.json"]


def test_a_suite_without_open_requests_has_an_empty_folder(tmp_path: Path) -> None:
    write_requests(tmp_path / "requests", "refunds", [])

    assert names_in(tmp_path / "requests") == []


def test_a_report_lies_under_its_suite_and_run(tmp_path: Path) -> None:
    place = write_report(tmp_path, "my refunds", "2026/1", {"report.md": b"a", "report.json": b"b"})

    assert place == tmp_path / "my%20refunds/2026%2F1"
    assert (place / "report.md").read_bytes() == b"a"
    assert names_in(place) == ["report.json", "report.md"]


def test_latest_leads_to_the_run_it_was_pointed_at(tmp_path: Path) -> None:
    for run in ("one", "two"):
        write_report(tmp_path, "refunds", run, {"report.md": run.encode()})
        point_latest(tmp_path, "refunds", run)
    before = (tmp_path / "refunds/latest").lstat().st_ino

    point_latest(tmp_path, "refunds", "two")

    assert (tmp_path / "refunds/latest/report.md").read_bytes() == b"two"
    assert (tmp_path / "refunds/latest").lstat().st_ino == before
    assert names_in(tmp_path / "refunds") == ["latest", "one", "two"]


def test_a_folder_in_place_of_latest_is_said_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "refunds/latest/mine").mkdir(parents=True)

    with pytest.raises(StoreError, match="latest: cannot be written"):
        point_latest(tmp_path, "refunds", "one")
    assert [each.name for each in (tmp_path / "refunds").iterdir()] == ["latest"]


def test_where_no_link_can_be_made_latest_is_a_text(tmp_path: Path) -> None:
    def refuse(_path: Path, _target: str) -> None:
        raise PermissionError

    point_latest(tmp_path, "refunds", "one", link=refuse)
    assert (tmp_path / "refunds/latest").read_text() == "one\n"

    point_latest(tmp_path, "refunds", "two")
    assert str((tmp_path / "refunds/latest").readlink()) == "two"
