"""The docs name all that there is, and every link in them leads somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

import pytest
from typer.main import get_command

import flowjury
from flowjury import families
from flowjury.app.project import Config
from flowjury.app.schemas import NAMES
from flowjury.case import Case, Fixture
from flowjury.check import Check
from flowjury.cli.main import app
from flowjury.evidence import TOP_KEYS
from flowjury.graphs.native import Flow, FlowEdge, FlowNode
from flowjury.layout import VISIT_KEYS
from flowjury.operators import OPERATORS
from flowjury.request import Answer
from flowjury.rubric import Criterion, Projection, Rubric
from flowjury.suite import Data, Gates, Suite
from flowjury.target import Target
from flowjury.trace import Execution
from flowjury.verdict import Status, Verdict

from .pages import DOCS, ROOT, Page, pages

COMMON = frozenset(Check.model_fields)
FAMILIES = (
    "checks",
    "executors",
    "formats",
    "graphs",
    "judges",
    "recorders",
    "sources",
    "targets",
)
WORDS: dict[str, Iterable[str]] = {
    "evidence.md": [f"/{key}" for key in TOP_KEYS] + [*VISIT_KEYS, *Execution.model_fields],
    "extending.md": FAMILIES,
    "fixtures.md": [*get_args(Data), *Fixture.model_fields],
    "judging.md": [
        *Rubric.model_fields,
        *Criterion.model_fields,
        *Projection.model_fields,
        *get_args(Answer),
    ],
    "operators.md": OPERATORS,
    "python.md": flowjury.__all__,
    "reports.md": families.names("formats"),
    "running.md": families.names("executors"),
    "sources.md": families.names("sources"),
    "suite.md": [
        *Suite.model_fields.keys() - {"schema_"},
        *Case.model_fields,
        *COMMON,
        *Config.model_fields,
    ],
    "verdicts.md": [
        *Verdict,
        *Status,
        *Gates.model_fields,
        *("0", "1", "2", "3", "4", "130"),
    ],
    "workflow.md": [
        *Flow.model_fields.keys() - {"schema_"},
        *FlowNode.model_fields,
        *(field.alias or name for name, field in FlowEdge.model_fields.items()),
    ],
}


@pytest.mark.parametrize("page", WORDS)
def test_a_page_names_every_word_of_its_subject(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    lacking = [word for word in WORDS[page] if word.removesuffix("_") not in _words(text)]

    assert lacking == []


def test_every_kind_of_check_has_a_page_that_names_its_keys() -> None:
    lacking = [
        f"{page.name}: {key}"
        for kind in families.classes("checks", Check)
        for page in [Page(DOCS / "checks" / f"{_kind(kind)}.md")]
        for name, field in kind.model_fields.items()
        if name not in COMMON and (key := field.alias or name) not in _words(page.text)
    ]

    assert lacking == []


def test_every_page_of_a_check_is_about_a_kind() -> None:
    kinds = {_kind(kind) for kind in families.classes("checks", Check)}

    assert {path.stem for path in (DOCS / "checks").iterdir()} == kinds


def test_every_kind_of_target_is_in_the_page_of_suites() -> None:
    text = (DOCS / "suite.md").read_text(encoding="utf-8")
    rows = [f"| `{_kind(kind)}` |" for kind in families.classes("targets", Target)]

    assert [row for row in rows if row not in text] == []


def test_every_schema_of_a_file_is_linked() -> None:
    links = {link for page in pages() for link in page.links()}
    files = NAMES[: NAMES.index("report") + 1]
    lacking = [
        name
        for name in files
        if name not in {"fixtures", "ticket"} and f"schemas/{name}.schema.json" not in links
    ]

    assert lacking == []


def test_every_everyday_command_is_used_in_an_example() -> None:
    used = {
        line.split()[2]
        for page in pages()
        for block in page.blocks()
        if block.language in {"console", "sh"}
        for line in block.lines
        if line.startswith(("$ flowjury ", "flowjury "))
        for line in [line if line[0] == "$" else f"$ {line}"]
    }
    commands = get_command(app).commands  # type: ignore[attr-defined]  # a group has them

    assert set(commands) - used == set()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_link_leads_to_what_is_there(page: Page) -> None:
    assert list(_broken(page)) == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Page] = set()
    todo = [Page(ROOT / "README.md")]
    while todo:
        page = todo.pop()
        reached.add(page)
        todo += [other for other in _linked(page) if other not in reached]

    assert {page.name for page in pages()} - {page.name for page in reached} == set()


def _broken(page: Page) -> Iterator[str]:
    for link in page.links():
        path, _, anchor = link.partition("#")
        if link.startswith(("https://", "http://")):
            continue
        target = (page.path.parent / path).resolve() if path else page.path
        wrong = anchor and target.suffix == ".md" and anchor not in Page(target).anchors()
        if not target.exists() or wrong:
            yield link


def _linked(page: Page) -> list[Page]:
    paths = ((page.path.parent / link.partition("#")[0]).resolve() for link in page.links())
    return [Page(path) for path in paths if path.suffix == ".md" and path.is_file()]


def _kind(model: type) -> str:
    return str(get_args(model.model_fields["kind"].annotation)[0])  # type: ignore[attr-defined]  # a model


def _words(text: str) -> set[str]:
    """Return the words of a page, with what may stand around them in code taken off."""
    marks = str.maketrans(dict.fromkeys("`|,;:(){}[]<>'\"=*.", " "))
    return {word.rstrip("?!/") for word in text.translate(marks).split()}
