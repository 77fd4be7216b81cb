from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import pytest

from flowjury import families
from flowjury.check import Check
from flowjury.checks import composition
from flowjury.errors import PluginError, UsageError
from flowjury.model import Model

Install = Callable[..., str]

NUMBERS = count()
KIND = """
from typing import Literal
from flowjury.model import Model

class {name}(Model):
    kind: {kind}
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution with modules and entry points to them; every family is a new one."""
    monkeypatch.syspath_prepend(tmp_path)
    number = next(NUMBERS)

    def install_one(modules: Mapping[str, str], dist: str = "extra", **entries: str) -> str:
        return put(tmp_path, f"family{number}", modules, dist=dist, entries=entries)

    return install_one


def put(
    folder: Path, family: str, modules: Mapping[str, str], *, dist: str, entries: Mapping[str, str]
) -> str:
    for name, text in modules.items():
        (folder / f"{family}_{name}.py").write_text(text)
    info = folder / f"{dist}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.2\n")
    listed = "".join(f"{name} = {family}_{value}\n" for name, value in entries.items())
    (info / "entry_points.txt").write_text(f"[flowjury.{family}]\n{listed}")
    return family


def test_a_folder_is_scanned_for_members() -> None:
    assert families.members("checks")["composition"] is composition


def test_modules_that_start_with_an_underscore_are_no_members() -> None:
    assert [name for name in families.names("store") if name.startswith("_")] == []


def test_members_are_sorted_and_found_once(install: Install) -> None:
    family = install({"b": "", "a": ""}, second="b", first="a")

    assert list(families.members(family)) == ["first", "second"]
    assert families.members(family) is families.members(family)


def test_a_family_without_folder_and_plugins_is_empty() -> None:
    assert dict(families.members("nobodys")) == {}


def test_one_member_is_imported_without_the_others(install: Install) -> None:
    family = install({"good": "HERE = 1", "bad": "1/0"}, good="good", bad="bad")

    assert families.member(family, "good").HERE == 1
    assert f"{family}_bad" not in sys.modules


def test_an_unknown_member_is_the_users_error(install: Install) -> None:
    family = install({"a": ""}, markdown="a", html="a")

    with pytest.raises(UsageError) as caught:
        families.member(family, "markdwn")

    assert str(caught.value) == (
        f"no member of {family} is named 'markdwn'; nearest is 'markdown' (known: html, markdown)"
    )


def test_all_broken_plugins_are_named_with_distribution_and_reason(install: Install) -> None:
    family = install(
        {
            "division": "1/0",
            "exits": "raise SystemExit('two\\nlines')",
            "stops": "raise BaseException('enough')",
            "silent": "raise KeyError",
            "long": "raise ValueError('x' * 400)",
            "number": "thing = 5",
        },
        division="division",
        exits="exits",
        stops="stops",
        silent="silent",
        long="long",
        number="number:thing",
        good="number",
        gone="gone",
    )

    with pytest.raises(PluginError) as caught:
        families.members(family)

    reasons = {
        "division": "cannot be imported: ZeroDivisionError: division by zero",
        "exits": "cannot be imported: SystemExit: two lines",
        "gone": f"cannot be imported: ModuleNotFoundError: No module named '{family}_gone'",
        "long": f"cannot be imported: ValueError: {'x' * 300}…",
        "number:thing": "is of type int, not a module",
        "silent": "cannot be imported: KeyError",
        "stops": "cannot be imported: BaseException: enough",
    }
    assert str(caught.value).splitlines() == [
        f"{family}: plugin {value.partition(':')[0]!r} of extra 1.2 ({family}_{value}) {reason}"
        for value, reason in reasons.items()
    ]


def test_a_member_defines_what_the_family_needs(install: Install) -> None:
    family = install({"half": "render = print"}, half="half")

    assert list(families.members(family, "render")) == ["half"]
    with pytest.raises(PluginError) as caught:
        families.members(family, "render", "suffix", "title")
    assert str(caught.value) == (
        f"{family}: plugin 'half' of extra 1.2 ({family}_half) does not define suffix and title"
    )


def test_two_plugins_of_one_name_are_refused(install: Install) -> None:
    install({"a": ""}, dist="one", same="a")
    family = install({"b": ""}, dist="two", same="b")

    with pytest.raises(PluginError) as caught:
        families.names(family)

    assert str(caught.value) == (
        f"{family}: plugin 'same' of two 1.2 ({family}_b): there is also "
        f"{family}: plugin 'same' of one 1.2 ({family}_a); uninstall or rename one"
    )


def test_a_plugin_does_not_replace_a_built_in_member(tmp_path: Path) -> None:
    put(tmp_path, "checks", {"mine": ""}, dist="extra", entries={"composition": "mine"})
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from flowjury import families\n"
        "try: families.member('checks', 'composition')\n"
        "except families.PluginError as error: print(error)"
    )

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout

    assert said.decode() == (
        "checks: plugin 'composition' of extra 1.2 (checks_mine): there is also "
        "checks: built-in 'composition'; uninstall or rename one\n"
    )


def test_classes_are_those_with_a_kind_that_the_modules_define() -> None:
    found = {each.__name__ for each in families.classes("checks", Check)}

    assert {"AllOf", "AnyOf", "Negation"} <= found
    assert not {"Check", "_Composite"} & found


def test_classes_are_sorted_by_kind_and_may_have_several(install: Install) -> None:
    family = install(
        {
            "one": KIND.format(name="Late", kind='Literal["z", "a"]'),
            "two": KIND.format(name="Middle", kind='Literal["m"]') + "Alias = Middle\n",
        },
        one="one",
        two="two",
    )

    assert [each.__name__ for each in families.classes(family, Model)] == ["Late", "Middle"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1", " defines no subclass of Model with a field `kind`"),
        ("from flowjury.model import Model", " defines no subclass of Model with a field `kind`"),
        (
            KIND.format(name="Loose", kind="str"),
            ': the field `kind` of Loose must be a Literal of text, such as Literal["count"]',
        ),
        (
            KIND.format(name="Number", kind="Literal[1]"),
            ': the field `kind` of Number must be a Literal of text, such as Literal["count"]',
        ),
    ],
)
def test_a_module_without_a_kind_is_refused(install: Install, text: str, reason: str) -> None:
    family = install({"odd": text}, odd="odd")

    with pytest.raises(PluginError) as caught:
        families.classes(family, Model)

    assert str(caught.value) == f"{family}: plugin 'odd' of extra 1.2 ({family}_odd){reason}"


def test_two_classes_of_one_kind_are_refused(install: Install) -> None:
    text = KIND.format(name="{name}", kind='Literal["same"]')
    family = install({"a": text.format(name="A"), "b": text.format(name="B")}, a="a", b="b")

    with pytest.raises(PluginError) as caught:
        families.classes(family, Model)

    assert str(caught.value) == (
        f"{family}: plugin 'b' of extra 1.2 ({family}_b): B has the kind 'same' of {family}_a.A"
    )


def test_no_plugin_is_imported_before_it_is_asked_for() -> None:
    program = "import sys, flowjury.families; print('flowjury.checks' in sys.modules)"

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout

    assert said == b"False\n"
