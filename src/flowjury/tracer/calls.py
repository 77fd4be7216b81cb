"""The calls of an instrumented function: each visits its node, for as long as it runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self, TypeAlias

from flowjury.tracer.binding import binder
from flowjury.tracer.current import UNRECORDED, Outcome, Running, Visited, here

_Any: TypeAlias = Any
"""A value of the user's."""
_Function: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """What is said of an instrumented function; it is its attribute `__flowjury__`."""

    name: str
    boundary: bool = False
    writes: bool = False
    values: bool = True


@dataclass(frozen=True, slots=True)
class _Call:
    """What the wrappers of one function share."""

    function: _Function
    instrument: Instrument
    bind: Callable[[tuple[_Any, ...], dict[str, _Any]], dict[str, _Any]]

    def visit(self, args: tuple[_Any, ...], kwargs: dict[str, _Any]) -> Visited | None:
        """Visit the node, if a recording is on."""
        found = here()
        if found is None:
            return None
        name, boundary = self.instrument.name, self.instrument.boundary
        wanted = boundary or (self.instrument.values and found[0].values)
        given = self.bind(args, kwargs) if wanted else UNRECORDED
        return found[0].visiting(name, input=given, boundary=boundary)

    def answered(self, running: Running, result: _Any) -> _Any:
        """Finish with the result of the function, and return it."""
        running.finish(result if self.instrument.values else UNRECORDED)
        return result


def instrumented(function: _Function, instrument: Instrument) -> _Function:
    """Return the function so that its calls are recorded, as a function of the same kind."""
    call = _Call(function, instrument, binder(function))
    wrapped = functools.wraps(function)(_wrapper(function)(call))
    wrapped.__flowjury__ = instrument  # type: ignore[attr-defined]  # for engines that ask
    return wrapped


def _wrapper(function: _Function) -> Callable[[_Call], _Function]:
    code = function if inspect.isroutine(function) else type(function).__call__
    for each in (function, code):
        for test, wrap in _WRAPPERS.items():
            if test(each):
                return wrap
    return _plain


def _plain(call: _Call) -> _Function:
    function = call.function

    def called(*args: _Any, **kwargs: _Any) -> _Any:
        if here() is None:
            return function(*args, **kwargs)
        with call.visit(args, kwargs) or UNSEEN as running:
            if running.answer is None:
                return call.answered(running, function(*args, **kwargs))
            return call.answered(running, _as_answered(running, running.replay()))

    return called


def _coroutine(call: _Call) -> _Function:
    async def called(*args: _Any, **kwargs: _Any) -> _Any:
        with call.visit(args, kwargs) or UNSEEN as running:
            if running.answer is None:
                return call.answered(running, await call.function(*args, **kwargs))
            return call.answered(running, _as_answered(running, await running.replay_async()))

    return called


def _generator(call: _Call) -> _Function:
    """Wrap a generator: its steps run inside the node, what its consumer does between does not."""

    def called(*args: _Any, **kwargs: _Any) -> Generator[_Any, _Any, _Any]:
        visited = call.visit(args, kwargs) or UNSEEN
        with visited as running:
            heard = _listener(running, call.instrument)
            stream = _items(running) if running.answer else call.function(*args, **kwargs)
            step = partial(next, stream)
            while True:
                try:
                    item = step()
                except StopIteration as stop:
                    return stop.value
                heard(item)
                visited.leave()
                try:
                    step = partial(stream.send, (yield item))
                except BaseException as error:  # noqa: BLE001 - the stream decides what becomes of it
                    step = partial(stream.throw, error)
                finally:
                    visited.enter()

    return called


def _async_generator(call: _Call) -> _Function:
    """Wrap an asynchronous generator, likewise."""

    async def called(*args: _Any, **kwargs: _Any) -> AsyncGenerator[_Any, _Any]:
        visited = call.visit(args, kwargs) or UNSEEN
        with visited as running:
            heard = _listener(running, call.instrument)
            stream = _items_async(running) if running.answer else call.function(*args, **kwargs)
            step = partial(anext, stream)
            while True:
                try:
                    item = await step()
                except StopAsyncIteration:
                    return
                heard(item)
                visited.leave()
                try:
                    step = partial(stream.asend, (yield item))
                except BaseException as error:  # noqa: BLE001 - likewise
                    step = partial(stream.athrow, error)
                finally:
                    visited.enter()

    return called


def _listener(running: Running, instrument: Instrument) -> Callable[[object], None]:
    if not instrument.values:
        return lambda _: None
    running.output([])
    return running.yielded


def _as_answered(running: Running, value: _Any) -> _Any:
    """Return what was replayed as the function did: with its outcome, if it had one."""
    outcome = running.answer.outcome if running.answer else None
    return value if outcome is None else Outcome(outcome, value)


def _items(running: Running) -> Generator[_Any, _Any, _Any]:
    yield from _listed(running.replay())


async def _items_async(running: Running) -> AsyncGenerator[_Any, _Any]:
    for item in _listed(await running.replay_async()):
        yield item


def _listed(output: _Any) -> list[_Any]:
    """Return the recorded items; a fixture written by hand may have one without a list."""
    return output if isinstance(output, list) else [output]


class _Nothing:
    """What stands for a visit, and for what runs in it, where no recording is on."""

    answer: Final = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def leave(self) -> None:
        """Do nothing."""

    def enter(self) -> None:
        """Do nothing."""

    def replay(self) -> None:
        """Do nothing."""

    async def replay_async(self) -> None:
        """Do nothing."""

    def output(self, value: object) -> None:
        """Do nothing."""

    def yielded(self, item: object) -> None:
        """Do nothing."""

    def finish(self, output: object = UNRECORDED, *, outcome: str | None = None) -> None:
        """Do nothing."""

    def spend(self, usage: Mapping[str, int | float]) -> None:
        """Do nothing."""


UNSEEN: Final[Visited] = _Nothing()

_WRAPPERS: Final = {
    inspect.isasyncgenfunction: _async_generator,
    inspect.iscoroutinefunction: _coroutine,
    inspect.isgeneratorfunction: _generator,
}
