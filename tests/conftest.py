"""What all tests share: golden files, which `pytest --update` rewrites."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the golden files with what was rendered"
    )


@pytest.fixture(autouse=True)
def process_as_it_was() -> Iterator[None]:
    """Put back what the command line sets for its whole process, which here has other tests."""
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    thresholds = gc.get_threshold()
    yield
    for each, handler in handlers.items():
        signal.signal(each, handler)
    gc.set_threshold(*thresholds)


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name, or rewrite the file."""
    return _rewrite if pytestconfig.getoption("update") else _compare


def _rewrite(name: str, text: str) -> None:
    path = GOLDEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def _compare(name: str, text: str) -> None:
    path = GOLDEN / name
    assert path.exists(), f"there is no tests/golden/{name}: look at it after pytest --update"
    assert text == path.read_bytes().decode(), f"tests/golden/{name}: rewrite by pytest --update"
