"""The user's code, loaded by name, and what is said where it cannot be."""

from __future__ import annotations

import sys

import pytest

from flowjury.errors import Fault, InputError
from flowjury.interruption import heeded
from flowjury.loading import load


@pytest.fixture(autouse=True)
def _imports_as_before():
    path, modules = sys.path[:], set(sys.modules)
    yield
    sys.path[:] = path
    for name in sys.modules.keys() - modules:
        del sys.modules[name]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sample_flows.py").write_text(
        "import sample_helper\n"
        "class Flow:\n"
        "    def run(self): return sample_helper.NAME\n"
        "flow = Flow()\n"
    )
    (tmp_path / "sample_helper.py").write_text("NAME = 'first'\n")
    return tmp_path


def refused(call, folder, path=(".",)):
    with pytest.raises(InputError) as caught:
        load(call, root=folder, path=path)
    (fault,) = caught.value.faults
    assert fault == Fault(file=call, message=fault.message)
    return fault.message


def test_an_attribute_of_a_module_in_the_folders_is_found_by_its_dotted_name(folder):
    assert load("sample_flows:flow.run", root=folder.parent, path=[folder.name])() == "first"
    assert sys.path[0] == str(folder)


def test_suites_with_modules_of_one_name_do_not_get_each_others(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "sample_flows.py").write_text((folder / "sample_flows.py").read_text())
    (other / "sample_helper.py").write_text("NAME = 'second'\n")

    calls = [
        load("sample_flows:flow.run", root=root, path=["."]) for root in (folder, other, folder)
    ]

    assert [call() for call in calls] == ["first", "second", "first"]


def test_a_module_of_the_standard_library_is_never_replaced(folder):
    (folder / "json.py").write_text("loads = None\n")
    before = sys.modules["json"]

    load("sample_flows:flow", root=folder, path=["."])

    assert sys.modules["json"] is before


@pytest.mark.parametrize("call", ["sample_flows", "sample_flows:", ":flow", "a b:c", "x:y.1"])
def test_what_names_no_code_is_refused(call, folder):
    assert refused(call, folder) == f"{call!r} does not name code; write it as 'module:attribute'"


def test_a_missing_module_is_named_with_the_nearest_and_where_it_was_searched(folder):
    assert refused("sample_flow:run", folder) == (
        f"no module is named 'sample_flow'; nearest is 'sample_flows' (searched {folder} and the"
        " installed packages)"
    )


def test_a_missing_attribute_is_named_with_the_nearest(folder):
    assert refused("sample_flows:flows", folder) == (
        f"module 'sample_flows' ({folder / 'sample_flows.py'}) has no 'flows'; nearest is 'flow'"
    )
    assert refused("sample_flows:Flow.walk", folder) == (
        f"'Flow' of module 'sample_flows' ({folder / 'sample_flows.py'}) has no 'walk'"
    )


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("import nothing_of_this_name\n", "ModuleNotFoundError: No module named", 1),
        ("\nraise ValueError('a\\n  b')\n", "ValueError: a b", 2),
        ("\n\nimport json\njson.loads('')\n", "JSONDecodeError: Expecting value", 4),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3", 2),
        ("import sys\nsys.exit()\n", "SystemExit (at", 2),
        ("import os\nos._exit(0)\n", "SystemExit: called os._exit(0)", 2),
        ("raise GeneratorExit('no')\n", "GeneratorExit: no", 1),
        ("class Stop(BaseException): pass\nraise Stop('no')\n", "Stop: no", 2),
        ("x = \n", "SyntaxError: invalid syntax", 1),
        ("raise ValueError\n", "ValueError (at", 1),
    ],
)
def test_an_import_that_fails_is_told_with_its_error_and_the_users_line(folder, text, reason, line):
    (folder / "sample_broken.py").write_text(text)

    message = refused("sample_broken:x", folder)

    assert message.startswith(f"module 'sample_broken' cannot be imported: {reason}")
    assert message.endswith(f"(at {folder / 'sample_broken.py'}:{line})")


def test_an_interruption_that_an_import_catches_goes_through_all_the_same(folder):
    (folder / "sample_deaf.py").write_text(
        "import signal\n"
        "try:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    pass\n"
        "flow = print\n"
    )

    with heeded(), pytest.raises(KeyboardInterrupt):
        load("sample_deaf:flow", root=folder, path=["."])


def test_an_import_of_what_an_extra_installs_says_how(folder):
    missing = "raise ModuleNotFoundError('no langgraph.graph', name='langgraph.graph')\n"
    (folder / "sample_broken.py").write_text(missing)

    message = refused("sample_broken:x", folder)

    assert message.endswith(
        f": pip install 'flowjury[langgraph]' (at {folder / 'sample_broken.py'}:1)"
    )
