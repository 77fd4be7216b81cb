"""What the benchmarks share: figures with their limits, and the processor time of programs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

SOURCE: Final = Path(__file__).resolve().parent.parent / "src"


_LAUNCHER: Final = """
import os, resource, sys
status = os.spawnv(os.P_WAIT, sys.argv[1], sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
"""
"""Runs a program from a small process: a child is charged with the memory of what started it."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One thing measured, and the most it may be: by itself, or as a multiple of another."""

    name: str
    measured: float
    unit: str
    limit: float | None = None
    """The most it may be, in the same unit."""
    beside: float | None = None
    """What was measured beside it, in the same unit."""
    ratio_limit: float | None = None
    """The most it may be as a multiple of that."""

    @property
    def ratio(self) -> float | None:
        """Return how many times as much it is as what was measured beside it."""
        return self.measured / self.beside if self.beside else None

    @property
    def verdict(self) -> str:
        """Tell whether it keeps its limit; nothing where it has none."""
        if self.ratio is not None and self.ratio_limit is not None:
            return "PASS" if self.ratio <= self.ratio_limit else "FAIL"
        if self.limit is not None:
            return "PASS" if self.measured <= self.limit else "FAIL"
        return ""


@dataclass(frozen=True)
class Spent:
    """What a program took."""

    seconds: float
    """Processor time, in which other programs do not count."""
    peak: float
    """The most memory that it held, in MB."""


def python(*arguments: str, folder: Path | None = None, exits: int = 0) -> Spent:
    """Run a program of Python to its end. Its bytecode is kept, as of an installed one."""
    launched = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LAUNCHER, sys.executable, *arguments],
        cwd=folder,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    *said, numbers = launched.stderr.splitlines()
    status, seconds, peak = map(float, numbers.split())
    if status != exits:
        raise SystemExit("\n".join([*said, f"{arguments} exited with {status:g}, not {exits}"]))
    return Spent(seconds, peak / (2**20 if sys.platform == "darwin" else 2**10))


def flowjury(*arguments: str, folder: Path, exits: int = 0) -> Spent:
    """Run the command `flowjury`."""
    return python("-m", "flowjury.cli.main", *arguments, folder=folder, exits=exits)


def cpu(call: Callable[[], object]) -> float:
    """Return the processor time of a call in this process, in seconds."""
    start = time.process_time()
    call()
    return time.process_time() - start


def least(rounds: int, calls: Sequence[Callable[[], float]]) -> list[float]:
    """Return the least that each call returned; they take turns, so that all share a busy machine.

    The first round only fills caches.
    """
    times = [[call() for call in calls] for _ in range(rounds + 1)]
    return [min(column) for column in zip(*times[1:], strict=True)]


@cache
def _environment() -> Mapping[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**own, "PYTHONPATH": str(SOURCE), "PYTHONPYCACHEPREFIX": mkdtemp(prefix="bytecode-")}
