"""The pytest plugin: suite files are collected as tests, and hand-written tests are recorded.

It is loaded whenever pytest starts, so nothing of ours is loaded before a suite is met.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flowjury.pytest_plugin import outcomes

if TYPE_CHECKING:
    from flowjury.app.tracing import Traced
    from flowjury.pytest_plugin.collecting import SuiteFile

_COMMAND = "flowjury_command"
_RUNS = "flowjury_runs"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that says what incomplete cases are."""
    parser.getgroup("flowjury").addoption(
        "--flowjury-incomplete",
        choices=("fail", "skip"),
        default="fail",
        help="what cases are in which something was not measured or judged (default: fail)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark of all cases known."""
    config.addinivalue_line("markers", "flowjury: a case of a FlowJury suite")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    """Collect the files whose names say that they are suites."""
    if ".suite." not in file_path.name:
        return None
    from flowjury.app.suite_files import is_suite  # noqa: PLC0415 - not before a suite is met
    from flowjury.pytest_plugin.collecting import SuiteFile  # noqa: PLC0415

    return SuiteFile.from_parent(parent, path=file_path) if is_suite(file_path) else None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Say which cases are left after all selection."""
    if outcomes.WORK in session.config.stash:
        from flowjury.pytest_plugin.collecting import choose  # noqa: PLC0415

        choose(session)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put on the report of a case what came of it."""
    report = yield
    ended = item.stash.get(outcomes.ENDED, None)
    return report if ended is None or call.when != "call" else outcomes.told(report, ended)


@pytest.hookimpl(wrapper=True)
def pytest_report_from_serializable(
    data: dict[str, Any],  # noqa: ARG001 - named by pytest
) -> Generator[None, Any, Any]:
    """Put back what a report loses on its way from a worker."""
    report = yield
    return outcomes.restored(report)


def pytest_report_teststatus(report: pytest.TestReport) -> outcomes.Status | None:
    """Show cases that are open by words of their own."""
    return outcomes.status_of(report)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Explain the cases that are open."""
    outcomes.explain(terminalreporter, quiet=config.getoption("tbstyle") == "no")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:  # noqa: ANN401 - of xdist, which may not be there
    """Tell a worker of xdist the command that all work for."""
    from flowjury.app.moments import run_id, timestamp  # noqa: PLC0415 - only where it is used

    command = node.config.stash.setdefault(outcomes.COMMAND, (run_id(), timestamp()))
    node.workerinput[_COMMAND] = command


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:  # noqa: ANN401, ARG001 - likewise
    """Hear from a worker of xdist of which suites it has run cases."""
    runs = getattr(node, "workeroutput", {}).get(_RUNS, [])
    node.config.stash.setdefault(outcomes.RUNS, {}).update(dict(runs))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End the runs, or in a worker of xdist tell of them."""
    config = session.config
    work = config.stash.get(outcomes.WORK, None)
    runs = config.stash.setdefault(outcomes.RUNS, {})
    if work is not None:
        runs.update((str(path), run) for path, run in work.runs)
        work.close()
    if hasattr(config, "workeroutput"):
        config.workeroutput[_RUNS] = list(runs.items())
    elif runs:
        from flowjury.pytest_plugin.concluding import conclude_all  # noqa: PLC0415

        conclude_all(session, runs)


@pytest.fixture
def trace() -> Iterator[Traced]:
    """Record what the decorated functions do that the test calls, for `flowjury.assert_check`."""
    from flowjury.app.tracing import traced  # noqa: PLC0415 - for tests that use it

    with traced() as recorded:
        yield recorded
