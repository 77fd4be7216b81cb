"""The outcomes: what came of a case, in the terms of pytest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest

if TYPE_CHECKING:
    from flowjury.app.casework import Casework  # noqa: F401 - named in a text

Status: TypeAlias = tuple[str, str, str]
"""A category for the counts, a letter for the progress, and a word for the verbose one."""

_OPEN: Final = {"unknown": "U", "needs-judge": "J", "not-run": "N"}
"""The statuses that pytest has no word for, each with its letter."""
_ADVICE: Final = {
    "needs-judge": "`flowjury pending` lists the open questions, for `flowjury judge` or `attach`"
}


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a case, or of the checks of a whole suite."""

    status: str
    gist: str
    """Why, in one line."""
    text: str
    """Why, at length."""

    @property
    def is_open(self) -> bool:
        """Tell whether something was not measured, or not judged."""
        return self.status in _OPEN


WORK: Final = pytest.StashKey["Casework"]()
"""The suites of this process."""
COMMAND: Final = pytest.StashKey[tuple[str, str]]()
"""The name of the command of all processes, and when it started."""
RUNS: Final = pytest.StashKey[dict[str, str]]()
"""The runs that were begun in any process, by suite file."""
ENDED: Final = pytest.StashKey[Ended]()
"""What came of an item."""


class NotPassedError(Exception):
    """A case did not pass."""

    def __init__(self, ended: Ended) -> None:
        """Keep what came of it."""
        super().__init__(ended.gist)
        self.ended = ended


@dataclass(frozen=True, slots=True)
class Crash:
    """Where and why, in one line."""

    path: str
    lineno: int
    message: str


class Explained:
    """An explanation as pytest wants one for a failure."""

    def __init__(self, ended: Ended, path: str, lineno: int) -> None:
        """Take what came of the case, and where it stands."""
        self._text = ended.text.rstrip()
        self.reprcrash = Crash(path, lineno, ended.gist)

    def toterminal(self, tw: Any) -> None:  # noqa: ANN401 - a terminal writer of pytest
        """Write it."""
        tw.line(self._text)

    def __str__(self) -> str:
        """Return it whole."""
        return self._text


def told(report: pytest.TestReport, ended: Ended) -> pytest.TestReport:
    """Put on a report what came of its case, in a form that a worker can send."""
    report.__dict__["flowjury"] = [ended.status, ended.gist, ended.text]
    path, line, _ = report.location
    if report.skipped:
        report.longrepr = (path, (line or 0) + 1, ended.gist)
    restored(report)
    return report


def restored(report: Any) -> Any:  # noqa: ANN401 - a report on tests, or on collection
    """Give a failed report its explanation."""
    ended = _ended(report)
    if ended is not None and report.failed:
        path, line, _ = report.location
        report.longrepr = Explained(ended, path, (line or 0) + 1)
    return report


def status_of(report: Any) -> Status | None:  # noqa: ANN401 - likewise
    """Return how a report on an open case is shown."""
    ended = _ended(report)
    if ended is None or not ended.is_open:
        return None
    return ended.status, _OPEN[ended.status], ended.status.upper()


def explain(terminal: pytest.TerminalReporter, *, quiet: bool) -> None:
    """Write why cases are open, as pytest does it for failures."""
    for status in _OPEN:
        reports = terminal.stats.get(status, [])
        if reports and not quiet:
            terminal.write_sep("=", status.upper())
            _explain_each(terminal, reports)
        for report in reports:
            ended = _ended(report)
            terminal.write_line(f"{status.upper()} {report.nodeid} - {ended.gist if ended else ''}")
        if reports and status in _ADVICE:
            terminal.write_line(_ADVICE[status])


def _explain_each(terminal: pytest.TerminalReporter, reports: Iterable[Any]) -> None:
    for report in reports:
        if report.failed:
            terminal.write_sep("_", report.head_line)
            terminal.write_line(str(report.longrepr))


def _ended(report: Any) -> Ended | None:  # noqa: ANN401 - likewise
    found = getattr(report, "flowjury", None)
    return None if found is None else Ended(*found)
