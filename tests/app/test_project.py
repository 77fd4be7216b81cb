from __future__ import annotations

import pytest

from flowjury.app.project import Config, find_project, load_suites, suite_paths
from flowjury.errors import InputError, UsageError


def test_the_root_is_the_nearest_folder_that_is_marked(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "flowjury.toml").write_text("")

    assert find_project(inner).root == (tmp_path / "a").resolve()


@pytest.mark.parametrize(
    ("name", "text", "config"),
    [
        ("flowjury.toml", "", Config()),
        ("flowjury.toml", "# nothing\n", Config()),
        (
            "flowjury.toml",
            'host = "x"\nsuites = ["a/*.yaml"]',
            Config(host="x", suites=["a/*.yaml"]),
        ),
        ("pyproject.toml", '[project]\nname = "p"', Config()),
        ("pyproject.toml", "tool = 3", Config()),
        ("pyproject.toml", '[tool.flowjury]\nmodel = "m"', Config(model="m")),
        ("pyproject.toml", "[tool.other]\nsince = 2026-01-01", Config()),
    ],
)
def test_the_configuration_is_read(tmp_path, name, text, config):
    (tmp_path / name).write_text(text)

    assert find_project(tmp_path).config == config


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("flowjury.toml", 'hots = "x"', "hots"),
        ("flowjury.toml", "host = ", "flowjury.toml:1"),
        ("pyproject.toml", '[tool.flowjury]\nhots = "x"', r"\[tool.flowjury\]: /hots"),
        ("pyproject.toml", "[tool]\nflowjury = 3", r"\[tool.flowjury\]"),
    ],
)
def test_a_wrong_configuration_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)

    with pytest.raises(InputError, match=message):
        find_project(tmp_path)


def test_suites_are_found_in_folders_but_not_in_hidden_or_foreign_ones(shop):
    for name in (
        "a/x.suite.yaml",
        "b.suite.json",
        ".hidden/c.suite.yaml",
        "node_modules/d.suite.yaml",
        "env/e.suite.yaml",
        "a/other.yaml",
    ):
        shop.write(name, "")
    shop.write("env/pyvenv.cfg", "")
    found = suite_paths(shop.project, ())

    assert [path.relative_to(shop.root).as_posix() for path in found] == [
        "a/x.suite.yaml",
        "b.suite.json",
    ]


def test_a_suite_that_is_named_twice_is_one(shop):
    path = shop.write("a/x.suite.yaml", "")

    assert suite_paths(
        shop.project, [path, shop.root / "a", path.parent / "../a/x.suite.yaml"]
    ) == [path]


def test_configured_patterns_say_which_suites_there_are(shop):
    shop.write("flowjury.toml", 'suites = ["in/*.yaml"]')
    shop.write("b.suite.yaml", "")
    with pytest.raises(UsageError, match="matches no file"):
        suite_paths(shop.project, ())
    path = shop.write("in/x.yaml", "")

    assert suite_paths(shop.project, ()) == [path]


def test_a_folder_without_suites_is_refused(shop):
    (shop.root / "empty").mkdir()

    with pytest.raises(UsageError, match="no suite file"):
        suite_paths(shop.project, [shop.root / "empty"])


def test_two_suites_of_one_name_are_refused(shop):
    text = shop.suite({"id": "c"}).read_text()
    other = shop.write("other.suite.json", text)

    with pytest.raises(InputError, match="'shop' is also the name of"):
        load_suites([shop.path, other])


def test_paths_are_shown_relative_to_the_root(shop, tmp_path):
    assert shop.project.name_of(shop.root / "a" / "x.yaml") == "a/x.yaml"
    assert shop.project.name_of(tmp_path.parent / "x.yaml") == str(tmp_path.parent / "x.yaml")
    assert shop.project.code_root(tmp_path.parent / "x.yaml") == tmp_path.parent.resolve()
