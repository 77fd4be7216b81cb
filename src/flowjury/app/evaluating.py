"""Evaluating: the user's evaluators answer once for each piece of evidence, and are recorded."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flowjury.app.codes import evaluator_digests, evaluators, import_folders
from flowjury.app.project import Loaded
from flowjury.check import Check, Outcome, Scope, walk_all
from flowjury.checks.evaluator import EvaluatorCheck, evaluator_digest
from flowjury.json_values import too_deep
from flowjury.loading import load
from flowjury.model import Json
from flowjury.names import Names
from flowjury.readonly import readonly
from flowjury.record import RunRecord
from flowjury.report.trial import Answers, parts_of
from flowjury.snapshot import snapshot
from flowjury.store.runs import RunStore

BOUND = 30.0
"""Seconds after which an evaluator is cancelled, if it is async."""


@dataclass(frozen=True)
class Context:
    """What an evaluator sees; nothing in it can be changed."""

    observation: Json
    """The evidence document."""
    history: tuple[Json, ...]
    """Documents of earlier turns; for a whole case, of all of them."""
    cases: Json = None
    """All cases, for a check of the whole suite."""


def load_evaluators(loaded: Loaded) -> dict[str, Callable[..., object]]:
    """Import every evaluator that the suite names. Raises InputError."""
    paths = [str(folder) for folder in import_folders(loaded)]
    return {
        use: load(use, root=loaded.folder, path=paths)  # type: ignore[misc]  # called below, guarded
        for use in sorted({check.use for check in evaluators(loaded)})
    }


def evaluate(store: RunStore, loaded: Loaded, run: RunRecord) -> int:
    """Run the evaluators that have not answered to a run's evidence; return how many ran."""
    if not any(True for _ in evaluators(loaded)):
        return 0
    functions = load_evaluators(loaded)
    names = Names(run.workflow, loaded.suite.declares)
    answers = Answers(outcomes=store.outcomes, evaluators=evaluator_digests(loaded))
    count = 0
    for check, scope in _asked(store, loaded, run, names, answers):
        digest = evaluator_digest(check, scope)
        if digest not in store.outcomes:
            outcome = call(functions[check.use], check, scope)
            store.outcomes.keep({digest: outcome})
            count += 1
    return count


def _asked(
    store: RunStore, loaded: Loaded, run: RunRecord, names: Names, answers: Answers
) -> Iterator[tuple[EvaluatorCheck, Scope]]:
    cases = {case.id: case for case in loaded.suite.cases}
    for record in store.records(run.id):
        if record.case in cases:
            for part in parts_of(cases[record.case], record, names, answers):
                yield from ((check, part.scope) for check in _inside(part.of.checks))


def _inside(checks: Sequence[Check]) -> Iterator[EvaluatorCheck]:
    return (check for _, check in walk_all(checks, "") if isinstance(check, EvaluatorCheck))


def call(function: Callable[..., object], check: EvaluatorCheck, scope: Scope) -> Outcome:
    """Call an evaluator; whatever it raises is an outcome whose text is not kept."""
    context = Context(
        observation=readonly(scope.evidence.document),
        history=tuple(readonly(earlier.document) for earlier in scope.history),
        cases=readonly(scope.cases),
    )
    try:
        answer = function(context, readonly(check.with_))
        if inspect.isawaitable(answer):
            answer = asyncio.run(_bounded(answer))
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything
        return Outcome(passed=None, reason=type(error).__name__)
    return _outcome(answer)


async def _bounded(answer: object) -> object:
    return await asyncio.wait_for(answer, BOUND)  # type: ignore[arg-type]  # is awaitable


def _outcome(answer: object) -> Outcome:
    """Read `{passed, evidence}`, or a plain boolean."""
    if isinstance(answer, bool):
        return Outcome(passed=answer)
    if not isinstance(answer, dict) or not isinstance(answer.get("passed"), bool):
        return Outcome(passed=None, reason="it answered neither a boolean nor {passed, evidence}")
    evidence = snapshot(answer.get("evidence"))
    if too_deep(evidence):
        return Outcome(passed=None, reason="its evidence is nested too deeply")
    return Outcome(passed=answer["passed"], evidence=evidence)
