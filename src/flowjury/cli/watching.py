"""The option `--watch` of `flowjury run`: a report for each round, until somebody ends it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, Final

from flowjury.cli.ending import Done, shown
from flowjury.cli.output import complain, is_terminal, mention, progress
from flowjury.cli.streams import prints_aside
from flowjury.errors import FlowJuryError, InputError, UsageError
from flowjury.plural import numbered

if TYPE_CHECKING:
    from flowjury.app.looking import Wake, Woken
    from flowjury.app.running import Orders
    from flowjury.app.watching import Plan, Watch

_KEYS: Final[dict[str, Wake]] = {"": "asked", "a": "all", "q": "quit"}
_MOST_NAMED: Final = 3


@dataclass(frozen=True)
class Again:
    """What each round is asked to do."""

    suites: Sequence[Path]
    orders: Orders
    wanted: Sequence[tuple[str, Path]]
    last_failed: bool


def refuse_json(*, as_json: bool) -> None:
    """Refuse JSON, which would never come to its end. Raises UsageError."""
    if as_json:
        raise UsageError(
            "--watch prints a report for each round, and --json one value; leave one of them out, "
            "or write JSON after each round: --report json=FILE"
        )


def watch(again: Again, *, advisory: bool, verbose: bool) -> int:
    """Run once, and then whenever something changes; return the exit code of the last report.

    What is wrong with a suite is printed, and waited for to be mended; a command that is wrong
    from the start is none that could be mended.
    """
    from flowjury.app.looking import Woken, wait
    from flowjury.app.watching import Watch

    orders = _narrowed(again) if again.last_failed else again.orders
    watch = Watch(Path.cwd(), again.suites, wanted=again.wanted, tell=complain)
    woken, code, first = Woken("all", watch.look()), 0, True
    while woken.why != "quit":
        try:
            done = _round(watch, orders, woken, first=first)
            if done is not None:
                code = shown(done, again.wanted, advisory=advisory, verbose=verbose, as_json=False)
        except FlowJuryError as error:
            if first and (isinstance(error, UsageError) or not isinstance(error, InputError)):
                raise
            code, done = _wrong(watch, woken, error, code)
        if done is not None:
            mention(_waiting())
        woken = wait(woken.states, watch.look, _hear)
        orders, first = _next(orders), False
    return code


def _round(watch: Watch, orders: Orders, woken: Woken, *, first: bool) -> Done | None:
    plan = watch.plan(woken.why, orders)
    if plan.due and not first:
        mention(_head(woken, plan))
    with prints_aside():
        came = watch.carry_out(plan)
    if came is None:
        return None
    if not (plan.due or first):
        mention(_head(woken, plan))
    return Done(came.results, interrupted=came.interrupted)


def _wrong(watch: Watch, woken: Woken, error: FlowJuryError, code: int) -> tuple[int, Done | None]:
    if not watch.tells_anew(woken.why, error):
        return code, None
    complain(str(error))
    return 2 if isinstance(error, InputError) else 4, Done([])


def _narrowed(again: Again) -> Orders:
    from flowjury.app.failing import only_failing
    from flowjury.app.project import find_project, load_suites
    from flowjury.app.suite_files import suite_paths

    project = find_project(Path.cwd())
    loaded = load_suites(suite_paths(project, again.suites, tell=complain))
    choice = only_failing(project, loaded, again.orders.choice, tell=complain)
    return replace(again.orders, choice=choice)


def _next(orders: Orders) -> Orders:
    """Return the orders of the next round: a run of its own."""
    from flowjury.app.moments import run_id, timestamp

    return replace(orders, run=run_id(), started=timestamp(), resume=False, tell=progress())


def _head(woken: Woken, plan: Plan) -> str:
    names = [os.path.relpath(each) for each in woken.changed]
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    why = f"changed: {', '.join([*names[:_MOST_NAMED], *more])}" if names else "asked"
    what = numbered(plan.trials, "trial") if plan.due else "nothing"
    return f"\n── {why} · runs {what}"


def _waiting() -> str:
    if is_terminal(sys.stdin):
        return "watching · Enter: what changed · a: all · q: quit"
    return "watching"


def _hear(seconds: float) -> Wake | None:
    """Wait for a line that somebody types; where nobody can, just wait."""
    if not is_terminal(sys.stdin):
        time.sleep(seconds)
        return None
    descriptor = sys.stdin.fileno()
    if not select([descriptor], [], [], seconds)[0]:
        return None
    typed = os.read(descriptor, 1024).decode(errors="replace")
    return _KEYS.get(typed.strip().lower()) if typed else "quit"
