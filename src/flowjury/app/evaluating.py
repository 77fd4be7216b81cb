"""Evaluating: the user's evaluators answer once for each piece of evidence, and are recorded."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from flowjury.app.codes import code_fault, evaluators, import_folders
from flowjury.app.detached import UnstoppableError, detached
from flowjury.app.project import Loaded, Project
from flowjury.app.refreshing import basis_of, built_of
from flowjury.check import Check, Outcome, Scope, walk_all
from flowjury.checks.evaluator import EvaluatorCheck, evaluator_digest
from flowjury.errors import Fault, InputError
from flowjury.exits import barred
from flowjury.interruption import heed, let_through
from flowjury.json_values import too_deep
from flowjury.loaded import forget_stale
from flowjury.loading import load
from flowjury.masking import masked
from flowjury.model import Json
from flowjury.readonly import readonly
from flowjury.record import RunRecord
from flowjury.report.trial import Part, parts_of
from flowjury.snapshot import snapshot
from flowjury.store.runs import RunStore

BOUND: Final = 30.0
"""Seconds after which an evaluator is cancelled, if it is async."""
GRACE: Final = 5.0
"""Seconds after which one that was cancelled and goes on is left behind."""

Evaluator: TypeAlias = Callable[["Context", Json], object]
"""Answers `{passed, evidence}`, or a plain boolean; or what is awaited for it."""


@dataclass(frozen=True)
class Context:
    """What an evaluator sees; nothing in it can be changed."""

    observation: Json
    """The evidence document."""
    history: tuple[Json, ...]
    """Documents of earlier turns; for a whole case, of all of them."""
    cases: Json = None
    """All cases, for a check of the whole suite."""


def load_evaluators(loaded: Loaded) -> dict[str, Evaluator]:
    """Import every evaluator that the suite names. Raises InputError with all that is wrong."""
    forget_stale()
    paths = [str(folder) for folder in import_folders(loaded)]
    found: dict[str, Evaluator] = {}
    faults: list[Fault] = []
    places = {check.use: at for at, check in reversed([*evaluators(loaded)])}
    for use, at in sorted(places.items()):
        try:
            found[use] = _loaded(use, loaded, paths)
        except InputError as error:
            faults += [code_fault(loaded, f"{at}/use", fault) for fault in error.faults]
    if faults:
        raise InputError(faults)
    return found


def _loaded(use: str, loaded: Loaded, paths: Sequence[str]) -> Evaluator:
    function: object = load(use, root=loaded.folder, path=paths)
    if callable(function):
        return function
    message = f"{use!r} is a {type(function).__name__}, which cannot be called"
    raise InputError(Fault(file=use, message=message))


def evaluate(project: Project, store: RunStore, loaded: Loaded, run: RunRecord) -> int:
    """Run the evaluators that have not answered to a run's evidence; return how many ran.

    Raises InputError for an evaluator that cannot be imported, and StoreError.
    """
    if next(evaluators(loaded), None) is None:
        return 0
    return _answered(store, loaded, load_evaluators(loaded), _asked(project, store, loaded, run))


def evaluate_parts(
    store: RunStore, loaded: Loaded, functions: Mapping[str, Evaluator], parts: Iterable[Part]
) -> int:
    """Run the evaluators that have not answered to parts of one case; return how many ran.

    Raises StoreError.
    """
    asked = ((check, part.scope) for part in parts for check in _inside(part.of.checks))
    return _answered(store, loaded, functions, asked)


def _answered(
    store: RunStore,
    loaded: Loaded,
    functions: Mapping[str, Evaluator],
    asked: Iterable[tuple[EvaluatorCheck, Scope]],
) -> int:
    answered: set[str] = set()
    for check, scope in asked:
        digest = evaluator_digest(check, scope)
        if digest not in answered and _is_open(store.outcomes.get(digest)):
            outcome = call(functions[check.use], check.with_, scope, mask=loaded.suite.mask)
            store.outcomes.keep({digest: outcome})
            answered.add(digest)
    return len(answered)


def _is_open(outcome: Outcome | None) -> bool:
    """Tell whether to ask: not yet, or in vain, as what broke may work by now."""
    return outcome is None or outcome.passed is None


def _asked(
    project: Project, store: RunStore, loaded: Loaded, run: RunRecord
) -> Iterator[tuple[EvaluatorCheck, Scope]]:
    """Yield each evaluator with what it sees; those of the whole suite last, as they see all."""
    basis = basis_of(project, store, loaded, run)
    cases = {case.id: case for case in loaded.suite.cases}
    for record in store.records(run.id):
        if record.case in cases:
            for part in parts_of(basis, cases[record.case], record):
                yield from ((check, part.scope) for check in _inside(part.of.checks))
    if suite_wide := list(_inside(loaded.suite.checks)):
        scope = built_of(project, store, loaded, run).scope
        yield from ((check, scope) for check in suite_wide)


def _inside(checks: Sequence[Check]) -> Iterator[EvaluatorCheck]:
    return (check for _, check in walk_all(checks, "") if isinstance(check, EvaluatorCheck))


def call(
    function: Evaluator, parameters: Mapping[str, Json], scope: Scope, *, mask: Sequence[str] = ()
) -> Outcome:
    """Call an evaluator; whatever it raises is an outcome whose text is not kept.

    What it shows for its answer is masked. One that is not async is waited for without a bound.
    """
    context = Context(
        observation=scope.evidence.view,
        history=tuple(earlier.view for earlier in scope.history),
        cases=readonly(scope.cases),
    )
    try:
        with barred():
            answer = function(context, readonly(dict(parameters)))
            if inspect.isawaitable(answer):
                answer = _awaited(answer)
            outcome = _outcome(answer, mask)
    except UnstoppableError:
        outcome = Outcome(passed=None, reason="it did not stop")
    except BaseException as error:  # noqa: BLE001 - the user's code may raise anything
        let_through(error)
        outcome = Outcome(passed=None, reason=type(error).__name__)
    heed()
    return outcome


def _awaited(answer: Awaitable[object]) -> object:
    """Wait for an answer no longer than the bound, and then until it stops."""
    import asyncio  # noqa: PLC0415 - heavy, and most evaluators are not async

    async def bounded() -> object:
        async with asyncio.timeout(BOUND):
            return await answer

    return detached(lambda: asyncio.run(bounded()), seconds=BOUND + GRACE)


def _outcome(answer: object, mask: Sequence[str]) -> Outcome:
    if isinstance(answer, bool):
        return Outcome(passed=answer)
    passed = answer.get("passed") if isinstance(answer, Mapping) else None
    if not isinstance(answer, Mapping) or not isinstance(passed, bool):
        return Outcome(passed=None, reason="it answered neither a boolean nor {passed, evidence}")
    evidence = snapshot(answer.get("evidence"))
    if too_deep(evidence):
        return Outcome(passed=None, reason="its evidence is nested too deeply")
    return Outcome(passed=passed, evidence=masked(evidence, mask))
