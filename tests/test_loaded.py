"""Modules that are loaded again, as what they were loaded from has changed, and those that stay."""

from __future__ import annotations

import sys

import pytest

from flowjury.errors import InputError
from flowjury.loaded import digest_as_loaded, forget_stale, own
from flowjury.loading import load


@pytest.fixture(autouse=True)
def _imports_as_before():
    path, modules = sys.path[:], set(sys.modules)
    yield
    sys.path[:] = path
    for name in sys.modules.keys() - modules:
        del sys.modules[name]


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    return written


@pytest.fixture
def answer(tmp_path):
    def answered(call="sample_flow:answer"):
        forget_stale()
        return load(call, root=tmp_path, path=["."])()

    return answered


FLOW = "from sample_parts.rule import NAME\ndef answer(): return NAME\n"


def test_a_module_that_was_edited_is_loaded_again_with_what_depends_on_it(write, answer):
    write("sample_flow.py", FLOW)
    write("sample_parts/rule.py", "NAME = 'first'\n")
    first = answer()
    write("sample_parts/rule.py", "NAME = 'other'\n")  # as long as before, in the same second

    assert (first, answer()) == ("first", "other")


def test_modules_stay_as_long_as_none_of_them_was_edited(write, answer):
    write("sample_flow.py", "calls = []\ndef answer(): calls.append(1); return len(calls)\n")

    assert [answer(), answer()] == [1, 2]


def test_a_module_whose_import_failed_is_loaded_again_with_what_was_mended(write, answer):
    write("sample_flow.py", "from sample_rule import NAME\ndef answer(): return NAME\n")
    write("sample_rule.py", "NAMES = 1\n")
    with pytest.raises(InputError, match="cannot import name 'NAME'"):
        answer()
    write("sample_rule.py", "NAME = 'mended'\n")

    assert answer() == "mended"


def test_what_the_calling_program_imported_itself_stays_with_its_digest(write, answer, tmp_path):
    write("sample_flow.py", "import sample_host\ndef answer(): return sample_host.NAME\n")
    write("sample_host.py", "NAME = 'first'\n")
    sys.path.insert(0, str(tmp_path))
    __import__("sample_host")
    host = sys.modules["sample_host"]
    digest_as_loaded(host, "digest of then")
    first = answer()
    write("sample_host.py", "NAME = 'second'\n")

    assert (first, answer()) == ("first", "first")
    assert sys.modules["sample_host"] is host
    assert digest_as_loaded(host, "digest of now") == "digest of then"


def test_a_module_of_which_the_file_is_gone_is_loaded_again(write, answer, tmp_path):
    write("sample_flow.py", "def answer(): return 1\n")
    answer()
    (tmp_path / "sample_flow.py").unlink()

    with pytest.raises(InputError, match="no module is named 'sample_flow'"):
        answer()


def test_what_is_installed_is_nobodys_own(write, tmp_path):
    write("site-packages/sample_lib.py", "def answer(): return 'first'\n")
    load("sample_lib:answer", root=tmp_path, path=["site-packages"])
    lib = sys.modules["sample_lib"]
    write("site-packages/sample_lib.py", "def answer(): return 'second'\n")
    own([sys, sys.modules["json"], sys.modules["flowjury"]])

    forget_stale()

    assert sys.modules["sample_lib"] is lib


def test_what_is_no_module_has_the_digest_of_now():
    assert digest_as_loaded({}, "now") == "now"
