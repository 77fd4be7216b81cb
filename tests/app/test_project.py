from __future__ import annotations

import pytest

from flowjury.app.project import Config, find_project, load_suite, load_suites
from flowjury.errors import InputError


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


TWICE = """\
format: 1
name: s
target: {kind: trace}
cases:
  - id: a
    steps:
      - {id: one, input: 1}
      - {id: one, input: 2}
  - {id: b, inptu: 1}
  - {id: a}
"""


def test_ids_that_recur_are_told_with_all_other_faults(tmp_path):
    path = tmp_path / "s.suite.yaml"
    path.write_text(TWICE)
    recurring = [
        f"{path}:8: /cases/0/steps/1/id: 'one' is the id of the step at /cases/0/steps/0 already",
        f"{path}:10: /cases/2/id: 'a' is the id of the case at /cases/0 already",
    ]
    with pytest.raises(InputError) as all_faults:
        load_suite(path)
    path.write_text(TWICE.replace("inptu", "input"))
    with pytest.raises(InputError) as alone:
        load_suite(path)

    assert [line for line in str(all_faults.value).splitlines() if "inptu" not in line] == recurring
    assert "nearest is 'input'" in str(all_faults.value).splitlines()[1]
    assert str(alone.value).splitlines() == recurring


def test_two_suites_of_one_name_are_refused(shop):
    text = shop.suite({"id": "c"}).read_text()
    other = shop.write("other.suite.json", text)

    with pytest.raises(InputError, match="'shop' is also the name of"):
        load_suites([shop.path, other])


def test_paths_are_shown_relative_to_the_root(shop, tmp_path):
    assert shop.project.name_of(shop.root / "a" / "x.yaml") == "a/x.yaml"
    assert shop.project.name_of(tmp_path.parent / "x.yaml") == str(tmp_path.parent / "x.yaml")
    assert shop.project.code_root(tmp_path.parent / "x.yaml") == tmp_path.parent.resolve()
