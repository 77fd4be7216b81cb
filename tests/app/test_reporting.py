from __future__ import annotations

from pathlib import Path

import pytest

from flowjury.app.project import load_suites
from flowjury.app.reporting import orders, refuse_inputs
from flowjury.errors import UsageError


@pytest.fixture
def suites(shop):
    shop.write("traces/c.json", {"format": 1, "status": "finished"})
    for name in ("fixtures/c.json", "judgements/x.json", ".flowjury/runs.db", "old.json"):
        shop.write(name, "{}")
    (shop.root / "link").symlink_to("nodes.py")
    target = {"kind": "trace", "trace": "traces/{id}.json"}
    paths = [
        shop.suite({"id": "c", "checks": []}),
        shop.suite({"id": "c", "checks": [], "trace": "traces/c.json"}, name="b", target=target),
    ]
    return load_suites(paths)


@pytest.mark.parametrize(
    "name",
    [
        "shop.suite.json",
        "flow.json",
        "traces/c.json",
        "nodes.py",
        "link",
        "flowjury.toml",
        ".flowjury/runs.db",
    ],
)
def test_a_report_takes_the_place_of_nothing_that_people_wrote(shop, suites, name):
    path = shop.root / name
    with pytest.raises(UsageError) as caught:
        refuse_inputs([("json", path)], suites)

    assert str(caught.value) == (
        f"{path}: a report would take the place of this file, which is no report; name another"
    )


@pytest.mark.parametrize("name", ["fixtures/c.json", "fixtures/new.json", "judgements/x.json"])
def test_a_report_does_not_go_where_answers_lie(shop, suites, name):
    with pytest.raises(UsageError, match="a report does not belong into this folder"):
        refuse_inputs([("json", shop.root / name)], suites)


def test_each_file_that_would_be_written_counts(shop, suites):
    shop.write("out-b.yaml", "")

    with pytest.raises(UsageError, match=r"out-b\.yaml: a report would take the place"):
        refuse_inputs([("json", shop.root / "out.yaml")], suites)


@pytest.mark.parametrize("name", ["old.json", "new.json", "new.yaml", "a/b"])
def test_a_report_takes_the_place_of_a_report(shop, suites, name):
    refuse_inputs([("json", shop.root / name)], suites)


def test_a_report_is_no_folder(tmp_path: Path):
    with pytest.raises(UsageError, match="is a folder; name a file"):
        orders([f"json={tmp_path}"])
