"""The target `python`: a callable, or an object of an engine that we can record, run in process."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, ClassVar, Literal, TypeAlias

from flowjury import families
from flowjury.errors import Fault, InputError
from flowjury.exits import barred
from flowjury.interruption import heed, let_through
from flowjury.job import Place, Prepared
from flowjury.loading import load
from flowjury.model import FileName
from flowjury.reason import reason_of
from flowjury.target import Target

_Live: TypeAlias = Any
"""What the user's code answers."""


class PythonTarget(Target):
    """A callable of Python: sync, async or a generator, called with the input as one argument."""

    knows_graph: ClassVar[bool] = True
    kind: Literal["python"]
    """Calls Python code in the process that runs the case."""
    call: str
    """What is called, as `module:attribute`; also an object of an engine such as a LangGraph."""
    path: tuple[FileName, ...] = (".",)
    """Folders in which modules are found first, relative to the suite's folder."""

    def prepare(self, place: Place) -> Prepared:
        """Import what is to be called; a factory, which has no parameter, is called to see.

        Raises:
            InputError: it cannot be imported, or is nothing that can be called with an input.
        """
        found = load(self.call, root=place.root, path=self.path)
        factory = _is_factory(found)
        made = self._made(found) if factory else found
        for module in families.members("recorders").values():
            if hasattr(module, "recognises") and module.recognises(made):
                prepared: Prepared = module.prepared(made, found if factory else None)
                return prepared
        if not callable(made):
            what = "gives" if factory else "is"
            kind = type(made).__name__
            raise self._refusal(
                f"{self.call!r} {what} an object of type {kind!r}, which cannot be"
                " called with an input"
            )
        # What runs code is heavy, and a suite of stored traces runs none.
        from flowjury.targets._python import PreparedCall  # noqa: PLC0415

        return PreparedCall(made)

    def _made(self, factory: Callable[[], _Live]) -> _Live:
        try:
            with barred():
                made = factory()
            heed()
            return made  # noqa: TRY300 - the one way out
        except BaseException as error:  # it may raise anything
            let_through(error)
            raise self._refusal(f"factory {self.call!r} fails: {reason_of(error)}") from error

    def _refusal(self, message: str) -> InputError:
        return InputError(Fault(file=self.call, message=message))


def _is_factory(found: _Live) -> bool:
    """Tell whether something can be called, but not with an input."""
    try:
        return callable(found) and not signature(found).parameters
    except Exception:  # noqa: BLE001 - it does not say what it takes, or by code of its own
        return False
