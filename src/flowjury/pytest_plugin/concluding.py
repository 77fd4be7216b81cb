"""The concluding: when all cases have run, what is asserted of whole suites becomes a result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from flowjury.app.casework import conclude
from flowjury.app.project import Project, find_project
from flowjury.errors import FlowJuryError
from flowjury.formats import console
from flowjury.pytest_plugin import outcomes
from flowjury.pytest_plugin.collecting import broken
from flowjury.pytest_plugin.outcomes import Ended


def conclude_all(session: pytest.Session, runs: Mapping[str, str]) -> None:
    """End the runs; a suite that asserts something as a whole is reported as one test more."""
    project = find_project(session.config.rootpath)
    for suite, run in sorted(runs.items()):
        ended = _concluded(project, Path(suite), run)
        if ended is not None:
            _report(session, Path(suite), ended)


def _concluded(project: Project, suite: Path, run: str) -> Ended | None:
    try:
        concluded = conclude(project, suite, run)
    except FlowJuryError as error:
        return broken(error)
    if concluded.status is None:
        return None
    text = console.render_suite(concluded.report)
    gist = next((line.strip() for line in text.splitlines() if line != "SUITE"), "")
    status = concluded.status.value
    return Ended(status, gist, f"error: {gist}\n{text}" if status == "error" else text)


def _report(session: pytest.Session, suite: Path, ended: Ended) -> None:
    """Report it through the hooks, so that counts, files and the exit code know of it."""
    config, name = session.config, "the whole suite"
    path = suite.relative_to(config.rootpath) if suite.is_relative_to(config.rootpath) else suite
    skips = ended.is_open and config.getoption("flowjury_incomplete") == "skip"
    passed = ended.status == "passed"
    report = pytest.TestReport(
        nodeid=f"{path.as_posix()}::{name}",
        location=(path.as_posix(), 0, name),
        keywords={"flowjury": 1},
        outcome="passed" if passed else "skipped" if skips else "failed",
        longrepr=None,
        when="call",
    )
    session.testscollected += 1
    config.hook.pytest_runtest_logreport(report=outcomes.told(report, ended))
    if report.failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
