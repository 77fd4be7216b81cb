from __future__ import annotations

import os
from pathlib import Path

import pytest

from flowjury.app.project import load_suites
from flowjury.app.reporting import (
    orders,
    refuse_inputs,
    refuse_standard,
    rendered,
    write_reports,
)
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


def test_annotations_stand_at_the_lines_of_their_cases_in_the_repository(shop):
    (shop.root / ".git").mkdir()
    shop.write("sub/flowjury.toml", "")
    lines = ["format: 1", "name: shop", "target: {kind: trace, trace: '{id}.json'}", "cases:"]
    text = "\n".join([*lines, "  - id: a", "    checks: []", "  - id: b", "    skip: later", ""])
    path = shop.write("sub/shop.suite.yaml", text)
    shop.write("sub/a.json", {"format": 1, "status": "error"})
    [ran] = shop.ran(path)

    assert (
        rendered(ran.refreshed, "github")
        .splitlines()[0]
        .startswith("::error file=sub/shop.suite.yaml,line=5,title=shop%3A a failed::")
    )


def test_annotations_outside_of_a_repository_name_the_file_as_the_report_does(shop):
    path = shop.suite({"id": "a", "checks": [shop.check | {"value": "no"}]})
    [ran] = shop.ran(path)

    assert rendered(ran.refreshed, "github").startswith(
        "::error file=shop.suite.json,line=1,title=shop%3A a failed::"
    )


def test_reports_of_several_suites_follow_each_other_in_a_pipe(shop, tmp_path):
    fails = {"id": "a", "checks": [shop.check | {"value": "no"}]}
    ran = shop.ran(shop.suite(fails), shop.suite(fails, name="other"))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        written = write_reports([one.refreshed for one in ran], [("github", pipe)])
        lines = os.read(reader, 100_000).decode().splitlines()
    finally:
        os.close(reader)

    assert written == []
    assert [line.partition("::✗")[0] for line in lines] == [
        f"::error file={name}.suite.json,line=1,title={name}%3A a failed"
        for name in ("shop", "other")
    ]


def test_a_format_of_one_report_takes_no_several_on_standard_output(suites):
    with pytest.raises(UsageError, match=r"junit holds one report, and there are 2 \(shop, b\)"):
        refuse_inputs(orders(["junit=-"]), suites)


def test_standard_output_holds_json_or_a_report():
    with pytest.raises(UsageError) as caught:
        refuse_standard(orders(["github=-"]))

    assert str(caught.value) == "--report github=-: with --json, standard output holds that alone"


@pytest.mark.parametrize("second", ["out.json", "sub/../out.json"])
def test_two_reports_do_not_take_one_file(shop, suites, second):
    wanted = [("json", shop.root / "out.json"), ("junit", shop.root / second)]
    (shop.root / "sub").mkdir()

    with pytest.raises(UsageError) as caught:
        refuse_inputs(wanted, suites[:1])

    (_, one), (_, other) = wanted
    assert str(caught.value) == (
        f"--report junit={other}: --report json={one} writes {other}, too; name another file"
    )


def test_nor_do_they_where_the_names_of_suites_make_them_one(shop, suites):
    wanted = [("json", shop.root / "out.json"), ("junit", shop.root / "out.json")]

    with pytest.raises(UsageError, match=r"writes .*/out-shop\.json, too"):
        refuse_inputs(wanted, suites)


def test_two_reports_may_follow_each_other_in_one_stream(suites):
    refuse_inputs([("json", Path("/dev/null")), ("markdown", Path("/dev/null"))], suites[:1])
