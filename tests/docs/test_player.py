"""The player of pages finds what is wrong with a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from .pages import Page
from .player import Player

SUITE = """\
```yaml file=a.suite.yaml
format: 1
name: a
target: {kind: python, call: a:answer}
cases: [{id: one, input: 1, checks: [{kind: value, at: /output, op: equals, value: 2}]}]
```
```python file=a.py
def answer(given):
    return given
```
"""


def console(*lines: str) -> str:
    return "\n".join(["```console", *lines, "```"])


@pytest.mark.parametrize(
    "text",
    [
        console("$ echo one", "one"),
        console("$ echo one; echo two; echo three", "one", "…", "three"),
        console("$ echo one two three", "one … three"),
        console("$ echo one"),
        console("$ false", "$ echo $?", "1"),
        SUITE + console("$ flowjury run", "…", "FAILED  one", "…", "$ echo $?", "1"),
        "```python\nprint(1)\n```\n```text\n1\n```",
        "```json\n{}\n```",
    ],
)
def test_a_page_that_is_right_has_no_differences(text: str, folder: Path) -> None:
    assert played(text, folder) == []


@pytest.mark.parametrize(
    ("text", "difference"),
    [
        (console("$ echo one", "two"), "page.md:2: echo one prints\none\n\nnot\ntwo\n"),
        (console("$ echo one", "one", "…", "two"), "page.md:2: echo one prints\none\n"),
        (console("$ false"), "page.md:2: false: exit 1; show it: $ echo $?\n"),
        (SUITE + console("$ flowjury run"), "page.md:12: flowjury run: exit 1; show it: $ echo $?"),
        ("```python\nprint(1)\n```\n```text\n2\n```", "page.md:5: (the Python above) prints\n1\n"),
    ],
)
def test_a_page_that_is_wrong_is_told_with_its_line(
    text: str, difference: str, folder: Path
) -> None:
    [found] = played(text, folder)

    assert found.startswith(difference)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```json\n{\n```", "page.md:2.json"),
        ("```ruby\nputs 1\n```", "page.md:2: which language is this?"),
        ("```python\nraise ValueError('no')\n```", "no"),
        ("```sh\npip install 'flowjury[tea]'\n```", "page.md:2: no such extra"),
        ("```sh\nmake tea\n```", "page.md:2: no such target"),
        ("```text\nopen", "page.md: a fence is never closed"),
    ],
)
def test_a_block_that_cannot_be_is_refused(text: str, message: str, folder: Path) -> None:
    with pytest.raises(Exception, match=message):
        played(text, folder)


def test_an_update_writes_what_is_really_printed_and_keeps_what_is_right(folder: Path) -> None:
    page = Page(folder / "page.md")
    page.path.write_text(console("$ echo one two", "one …", "$ echo three", "four"))
    player = Player(page, folder)
    player.play()
    player.rewrite()

    assert page.text == console("$ echo one two", "one …", "$ echo three", "three") + "\n"


def played(text: str, folder: Path) -> list[str]:
    page = Page(folder / "page.md")
    page.path.write_text(text, encoding="utf-8")
    player = Player(page, folder)
    player.play()
    return player.differences
