"""The collecting: suite files with an item for each case, which runs it in this process."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from flowjury.app.casework import Casework, Command
from flowjury.app.moments import run_id, timestamp
from flowjury.app.project import Loaded, find_project
from flowjury.case import Case
from flowjury.errors import FlowJuryError
from flowjury.formats import console
from flowjury.masking import masked_text
from flowjury.pytest_plugin import outcomes
from flowjury.pytest_plugin.outcomes import Ended, Explained, NotPassedError
from flowjury.report import CaseReport
from flowjury.visible import visible

_MARK: Final = re.compile(r"[^\W_][\w.+-]*")
"""What a mark may be called."""
_OF_PYTEST: Final = {"filterwarnings", "parametrize", "skip", "skipif", "usefixtures", "xfail"}
"""Marks that make pytest do something, as a tag should not."""


class SuiteFile(pytest.File):
    """A suite file."""

    def collect(self) -> Iterator[CaseItem]:
        """Read the suite; its code is not loaded before a case runs."""
        try:
            loaded = _work(self.config).read(self.path)
        except FlowJuryError as error:
            raise self.CollectError(_said(error)) from error
        for number, case in enumerate(loaded.suite.cases):
            place = (loaded, f"/cases/{number}")
            item: CaseItem = CaseItem.from_parent(self, name=case.id, case=case, place=place)
            yield item


class CaseItem(pytest.Item):
    """A case."""

    # What hooks of other plugins ask of any test: it has no fixtures, and is no function.
    fixturenames: ClassVar[Sequence[str]] = ()
    obj: ClassVar[object] = None

    def __init__(self, *, case: Case, place: tuple[Loaded, str], **node: Any) -> None:  # noqa: ANN401 - what pytest gives
        """Take a case with its tags as marks, and the pointer to it in its suite."""
        super().__init__(**node)
        self._place = place
        self.add_marker("flowjury")
        for tag in case.tags:
            self._tag(tag)
        self.extra_keyword_matches.update([case.title] if case.title else [])
        if case.skip is not None:
            self.add_marker(pytest.mark.skip(reason=case.skip))

    def _tag(self, tag: str) -> None:
        if _MARK.fullmatch(tag) is None or tag in _OF_PYTEST:
            self.extra_keyword_matches.add(tag)
            return
        line = f"{tag}: a tag of FlowJury suites"
        if line not in self.config.getini("markers"):
            self.config.addinivalue_line("markers", line)
        self.add_marker(tag)

    def runtest(self) -> None:
        """Run the case; what keeps it from passing is raised."""
        ended = self._ended()
        self.stash[outcomes.ENDED] = ended
        self.user_properties.append(("flowjury", ended.status))
        leave = ended.is_open and self.config.getoption("flowjury_incomplete") == "skip"
        if leave or ended.status == "skipped":
            pytest.skip(ended.gist)
        if ended.status != "passed":
            raise NotPassedError(ended)

    def _ended(self) -> Ended:
        try:
            return _told(_work(self.config).run(self.path, self.name))
        except FlowJuryError as error:
            return broken(error)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401 - as pytest has it
        """Explain a case that did not pass; no traceback says more."""
        if isinstance(excinfo.value, NotPassedError):
            path, line, _ = self.reportinfo()
            return Explained(excinfo.value.ended, str(path), line + 1)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Say where the case stands."""
        loaded, at = self._place
        return self.path, (loaded.document.line(at) or 1) - 1, self.name


def choose(session: pytest.Session) -> None:
    """Say of each suite which cases are left after all selection."""
    left: dict[Path, list[str]] = defaultdict(list)
    for item in session.items:
        if isinstance(item, CaseItem):
            left[item.path].append(item.name)
    for path, cases in left.items():
        _work(session.config).choose(path, cases)


def _work(config: pytest.Config) -> Casework:
    """Return the casework of this process; it works for the command of all processes."""
    if outcomes.WORK not in config.stash:
        given: Any = getattr(config, "workerinput", {})
        name, started = given.get("flowjury_command") or (run_id(), timestamp())
        project = find_project(config.rootpath)
        config.stash[outcomes.WORK] = Casework(project, Command(name=name, started=started))
    return config.stash[outcomes.WORK]


def broken(error: FlowJuryError) -> Ended:
    """Say what is wrong with what is needed to run."""
    text = f"error: {_said(error)}"
    return Ended("error", text.splitlines()[0], text)


def _said(error: FlowJuryError) -> str:
    return "\n".join(map(visible, masked_text(str(error)).splitlines()))


def _told(case: CaseReport) -> Ended:
    """Say what came of a case as the console report does."""
    status, gist, text = case.status.value, console.gist(case), console.render_case(case)
    if status == "error":
        gist = f"error: {gist}"
        text = f"{gist}\n{text}"
    return Ended(status, gist, text)
