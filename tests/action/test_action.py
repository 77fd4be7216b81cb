from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from .conftest import ROOT

TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")
ACTION = yaml.safe_load(TEXT)
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
CONTEXTS = re.compile(r"\b(inputs|steps)\.([\w-]+)")


def _texts(value: Any) -> Iterator[str]:
    match value:
        case dict():
            for inner in value.values():
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
        case _:
            yield str(value)


def test_it_is_a_composite_action_that_describes_itself():
    described = [ACTION, *ACTION["inputs"].values(), *ACTION["outputs"].values()]

    assert ACTION["runs"]["using"] == "composite"
    assert all(each["description"].endswith(".") for each in described)
    assert ACTION.keys() <= {
        *("name", "description", "author", "branding", "inputs", "outputs", "runs"),
    }


def test_every_input_is_used_and_every_one_that_is_used_is_there():
    used = {name for text in _texts(STEPS) for kind, name in CONTEXTS.findall(text)} - {"run"}

    assert used == set(ACTION["inputs"])


def test_every_input_has_a_default():
    assert [name for name, each in ACTION["inputs"].items() if "default" not in each] == []


@pytest.mark.parametrize("step", [step for step in STEPS if "run" in step], ids=lambda s: s["name"])
def test_no_text_of_others_is_part_of_a_script(step):
    assert "${{" not in step["run"]
    assert step["shell"] == "bash"


def test_each_script_and_each_variable_of_it_is_there():
    for step in STEPS:
        for path in re.findall(r"\$GITHUB_ACTION_PATH/(\S+?)\"", step.get("run", "")):
            script = (ROOT / path).read_text(encoding="utf-8")
            asked = set(re.findall(r"""environment(?:\.get\(|\[)"([A-Z_]+)\"""", script))
            asked |= {name for name in ("SUITES", "ARGS") if f'"{name}"' in script}
            ours = {name for name in asked if not name.startswith(("GITHUB_", "RUNNER_"))}

            assert ours == step["env"].keys()


def test_only_the_step_that_comments_has_the_token():
    having = [step["name"] for step in STEPS if "inputs.token" in str(step)]

    assert having == ["Comment on the pull request"]


def test_what_comes_after_the_run_comes_always():
    after = STEPS[[step.get("id") for step in STEPS].index("run") + 1 :]

    assert [step["name"] for step in after if not step["if"].startswith("always() && ")] == []
    assert after[-1]["run"] == 'exit "$CODE"'


def test_the_package_of_every_action_is_pinned_to_a_major():
    used = [step["uses"] for step in STEPS if "uses" in step]

    assert used
    assert [each for each in used if not re.fullmatch(r"actions/[\w-]+@v\d+", each)] == []


def test_its_steps_read_what_the_run_tells():
    told = re.search(r"_tell\(environment, (exit=.*reports=.*)\)", _script("run"))
    read = set(re.findall(r"steps\.run\.outputs\.(\w+)", TEXT))

    assert told
    assert set(re.findall(r"(\w+)=", told[1])) == read


def _script(name: str) -> str:
    return (ROOT / ".ci" / "action" / f"{name}.py").read_text(encoding="utf-8")
