"""The suite: the workflow, how to run it, and the cases with what they assert."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, Union

from pydantic import Field, model_validator

from flowjury.case import Case, Rate, Step, Trials
from flowjury.check import Check
from flowjury.documents import Document
from flowjury.errors import Fault, InputError
from flowjury.model import Json, Model
from flowjury.rubric import Id, Pointer
from flowjury.scalars import Real, Whole
from flowjury.target import Target
from flowjury.validation import validate
from flowjury.workflow import Declared

if TYPE_CHECKING:
    from flowjury.check import AnyCheck

    AnyTarget = Target

Data = Literal["replay", "record", "live"]

_DOUBLED: Final = "ids occur more than once"
"""How the model says, of the whole suite, what reading it says of each place."""


class Gates(Model):
    """Bounds over the whole suite that decide the exit."""

    pass_rate: Rate | None = None
    """The share of trials that must pass."""
    case_pass_rate: Rate | None = None
    """The share of cases that must pass."""
    critical: Whole | None = Field(default=None, ge=0)
    """How many critical checks may fail."""
    warnings: Whole | None = Field(default=None, ge=0)
    """How many checks with `enforcement: warn` may fail."""


class Waiver(Model):
    """A scenario that is deliberately not tested."""

    scenario: str
    """`node` or `node#outcome`."""
    reason: str = Field(min_length=1)
    """Why."""


class Pins(Model):
    """What cannot be observed but must match when runs are compared."""

    models: dict[str, str] = Field(default_factory=dict)
    """Model identity by node."""
    system_prompt: str | None = None
    """Digest of the system prompt."""


class Suite(Model):
    """One suite file."""

    schema_: str | None = Field(default=None, alias="$schema", exclude=True)
    """Where editors find the schema of this file."""
    format: Literal[1]
    """The number of this format."""
    name: Id
    """Names the suite in reports and in the store."""
    title: str | None = None
    """A title for reports."""
    workflow: str | None = None
    """The file of the workflow under test, relative to the suite."""
    declares: Declared = Declared()
    """Nodes and tools that the workflow file does not show."""
    target: AnyTarget
    """How a case becomes a trace."""
    data: Data = "replay"
    """Whether boundary nodes are served from fixtures, recorded, or go live."""
    pins: Pins = Pins()
    """What must match when runs are compared."""
    judges: tuple[str, ...] = ()
    """Names of the judges whose judgements count; empty means anyone's."""
    waivers: tuple[Waiver, ...] = ()
    """Scenarios that are deliberately not tested."""
    mask: tuple[str, ...] = ()
    """Keys, beside the usual ones, whose values are secrets."""
    ignore: dict[str, tuple[Pointer, ...]] = Field(default_factory=dict)
    """Parts of a node's input that do not matter for its fixtures."""
    trials: Trials = Trials(n=1)
    """How often each case is repeated, unless it says otherwise."""
    timeout: Real = Field(default=60, gt=0)
    """Seconds after which a case is stopped, unless it says otherwise."""
    gates: Gates | None = None
    """Bounds over the whole suite that decide the exit."""
    checks: tuple[AnyCheck, ...] = ()
    """What is asserted of the whole suite."""
    cases: tuple[Case, ...] = Field(min_length=1)
    """The cases."""

    @model_validator(mode="after")
    def _unique_ids(self) -> Self:
        _refuse_doubles("case", (case.id for case in self.cases))
        for case in self.cases:
            _refuse_doubles("step", (step.id for step in case.steps))
        return self

    def trials_of(self, case: Case) -> Trials:
        """Return how often a case is repeated."""
        return case.trials or self.trials


def _refuse_doubles(what: str, ids: Iterable[str]) -> None:
    doubles = sorted(name for name, times in Counter(ids).items() if times > 1)
    if doubles:
        raise ValueError(f"{_DOUBLED}: {what} {', '.join(map(repr, doubles))}")


def read(document: Document, model: type[Suite]) -> Suite:
    """Return a document as a suite. Raises InputError with every fault, ids that recur included."""
    try:
        return validate(document, model)
    except InputError as error:
        faults = [fault for fault in error.faults if not fault.message.startswith(_DOUBLED)]
        faults += [
            Fault(file=document.name, message=message, pointer=at, line=document.line(at))
            for at, message in _doubles(document.value)
        ]
        raise InputError(sorted(faults, key=lambda fault: fault.line or 0)) from error


def _doubles(value: Json) -> Iterator[tuple[str, str]]:
    """Yield pointer and message of each id that a suite has had before, whatever else is wrong."""
    cases = _items(value, "cases")
    yield from _doubled("case", cases, "/cases")
    for number, case in enumerate(cases):
        yield from _doubled("step", _items(case, "steps"), f"/cases/{number}/steps")


def _doubled(what: str, items: Sequence[Json], at: str) -> Iterator[tuple[str, str]]:
    first: dict[str, int] = {}
    for number, item in enumerate(items):
        name = item.get("id") if isinstance(item, dict) else None
        if isinstance(name, str) and first.setdefault(name, number) != number:
            where = f"{at}/{first[name]}"
            yield f"{at}/{number}/id", f"{name!r} is the id of the {what} at {where} already"


def _items(value: Json, key: str) -> list[Json]:
    items = value.get(key) if isinstance(value, dict) else None
    return items if isinstance(items, list) else []


def bound(checks: Sequence[type[Check]], targets: Sequence[type[Target]]) -> type[Suite]:
    """Return the model of suite files that knows these kinds of check and target.

    The kinds are found, not listed, so the unions over their tags can only be made here.
    """
    names: dict[str, Any] = {
        "AnyCheck": _tagged(checks),
        "AnyTarget": _tagged(targets),
    }
    composites = [kind for kind in checks if kind.inner is not Check.inner]
    models: tuple[type[Model], ...] = (*composites, Step, Case, Suite)
    for model in models:
        model.model_rebuild(force=True, _types_namespace=names)
    return Suite


def _tagged(kinds: Sequence[type[Model]]) -> Any:  # noqa: ANN401 - a type made at run time
    if len(kinds) == 1:
        return kinds[0]
    return Annotated[Union[tuple(kinds)], Field(discriminator="kind")]  # noqa: UP007 - dynamic
