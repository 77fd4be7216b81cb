"""The runner of native workflows: tokens move through frames until all have ended or wait."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextvars import copy_context
from inspect import isawaitable, iscoroutinefunction
from typing import Any, TypeAlias

from flowjury.case import Resume
from flowjury.errors import TargetError
from flowjury.graphs.native import Flows, Site
from flowjury.model import Json
from flowjury.runner.frame import Frame, Result, Token
from flowjury.runner.iteration import Iteration
from flowjury.runner.waits import Wait, Waits
from flowjury.runner.way import WorkflowError
from flowjury.snapshot import snapshot
from flowjury.tracer.active import UNRECORDED, Ending, Outcome, Recording, Span
from flowjury.tracer.current import HERE
from flowjury.tracer.raising import told

__all__ = ["Function", "Functions", "Runner", "WorkflowError"]

Function: TypeAlias = Callable[[Any], Any]
"""A node's function: it is given one JSON value, and may be async."""
Functions: TypeAlias = Mapping[tuple[str, str], Function]
"""The function of each node with `use`, by file and node."""


class Runner:
    """Runs a workflow for one case: a run begins, comes to rest, and may be resumed."""

    def __init__(self, flows: Flows, functions: Functions, recording: Recording) -> None:
        self._flows = flows
        self._functions = functions
        self._recording = recording
        self._forget()

    def _forget(self) -> None:
        self._ready: deque[Token] = deque()
        self._calls: dict[asyncio.Task[Result], Token] = {}
        self._iterations: dict[Token, Iteration] = {}
        self._waits = Waits()
        self._ended: Result | None = None

    async def run(self, given: Json) -> Ending:
        """Begin a run and let it come to rest; one that still waits is given up.

        Raises TargetError for what is no doing of the workflow: a limit, a missing fixture.
        """
        self._forget()
        root = Site(self._flows.root)
        self._ready.extend(Frame(root, self._flows.files[root.file], snapshot(given)).start())
        return await self._rest()

    async def resume(self, resume: Resume) -> Ending:
        """Do what a person, or a clock, does at a wait, and let the run come to rest again.

        Raises TargetError as `run` does, and where no such wait is pending: NotWaiting if none is.
        """
        wait = self._waits.take(resume.wait)
        self._reopen(wait.token.frame)
        answer = {"action": resume.action, "content": snapshot(resume.content)}
        span = self._open(wait.token, again=wait.span)
        span.action = resume.action
        span.finish(answer, outcome=resume.action)
        self._leave(wait.token, Result(value=answer, outcome=resume.action))
        return await self._rest()

    async def _rest(self) -> Ending:
        """Let everything move until the run has ended or waits, and say which."""
        try:
            while self._ready or self._calls or self._give_up():
                while self._ready:
                    self._enter(self._ready.popleft())
                if self._calls:
                    await self._return()
        finally:
            await self._stop()
        return self._ending()

    # Nodes.

    def _enter(self, token: Token) -> None:
        """Begin what a node does."""
        work = token.work
        try:
            if token.item is UNRECORDED:
                token.frame.count(token.node)
                if work.map is not None:
                    self._iterate(Iteration(token))
                    return
            given = token.given()
        except WorkflowError as error:
            self._open(token).fail(error)
            self._leave(token, Result(error=error))
            return
        if work.workflow is not None:
            self._descend(token, given)
        elif work.wait is not None:
            self._suspend(token, given)
        else:
            self._call(token, given)

    def _iterate(self, iteration: Iteration) -> None:
        self._iterations |= dict.fromkeys(iteration.items, iteration)
        self._ready.extend(iteration.items)
        if iteration.done:
            self._leave(iteration.token, iteration.result())

    def _descend(self, token: Token, given: Json) -> None:
        site = self._flows.inside(token.frame.site, token.node)
        frame = Frame(site, self._flows.files[site.file], given, origin=token)
        frame.span = self._open(token, given)
        self._ready.extend(frame.start())

    def _suspend(self, token: Token, given: Json) -> None:
        span = self._open(token, given)
        span.end("interrupted")
        self._waits.add(Wait(token, span))

    def _call(self, token: Token, given: Json) -> None:
        here = copy_context()
        here.run(HERE.set, (self._recording, token.frame.span))
        task = asyncio.get_running_loop().create_task(self._visit(token, given), context=here)
        self._calls[task] = token

    async def _visit(self, token: Token, given: Json) -> Result:
        """Call a node's function, or let its fixture answer; what it raises is a result, too."""
        try:
            with self._recording.visiting(
                token.name,
                input=given,
                boundary=token.work.boundary,
                index=token.index,
            ) as span:
                answer = await self._answer(token, given) if span.answer is None else span.replay()
                span.finish(answer)
                value = answer.value if isinstance(answer, Outcome) else answer
                return Result(value=snapshot(value), outcome=span.outcome)
        except (TargetError, KeyboardInterrupt):
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return Result(error=error)  # what the node awaited was cancelled, not the node
        except BaseException as error:  # noqa: BLE001 - the node is the user's
            return Result(error=error)  # raised here, SystemExit would end the event loop

    async def _answer(self, token: Token, given: Json) -> object:
        """Call a function; in a fork or a map, where it would hold up others, in a thread."""
        function = self._functions[token.frame.site.file, token.node]
        if token.index and not iscoroutinefunction(function):
            answer = await asyncio.to_thread(function, given)
        else:
            answer = function(given)
        return await answer if isawaitable(answer) else answer

    async def _return(self) -> None:
        done, _ = await asyncio.wait(self._calls, return_when=asyncio.FIRST_COMPLETED)
        for task in [task for task in self._calls if task in done]:
            result = task.result()
            if isinstance(result.error, SystemExit):
                raise result.error
            self._leave(self._calls.pop(task), result)

    async def _stop(self) -> None:
        """Cancel what still runs."""
        for task in self._calls:
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        self._calls.clear()

    # Frames.

    def _leave(self, token: Token, result: Result) -> None:
        """Move on from a node whose result is there."""
        iteration = self._iterations.pop(token, None)
        if iteration is not None:
            iteration.take(token, result)
            if iteration.done:
                self._leave(iteration.token, iteration.result())
            return
        self._ready.extend(token.frame.advance(token, result))
        if token.frame.done:
            self._close(token.frame)

    def _close(self, frame: Frame) -> None:
        """End a frame in which nothing moves any more."""
        result = frame.result()
        if frame.origin is None or frame.span is None:
            self._ended = result
            return
        if result.error is not None:
            frame.span.fail(result.error)
        else:
            frame.span.finish(result.value, outcome=result.outcome)
        self._leave(frame.origin, result)

    def _give_up(self) -> bool:
        """At rest, end one frame that failed and only waits; tell whether there was one."""
        frame = self._waits.give_up()
        if frame is not None:
            self._close(frame)
        return frame is not None

    def _reopen(self, frame: Frame) -> None:
        """Begin the next try of each reference around a wait, the outermost first."""
        if frame.origin is not None and frame.span is not None and frame.span.status is not None:
            self._reopen(frame.origin.frame)
            frame.span = self._open(frame.origin, again=frame.span)

    def _open(self, token: Token, given: Json = UNRECORDED, *, again: Span | None = None) -> Span:
        """Begin an execution that is no call of a function."""
        return self._recording.begin(
            token.name,
            input=given if again is None else again.input,
            parent=token.frame.span,
            visit=again.visit if again else None,
            attempt=again.attempt + 1 if again else 1,
            index=token.index,
        )

    def _ending(self) -> Ending:
        """Say how the run rests."""
        wait = self._waits.interrupt()
        if self._ended is None:
            return Ending(status="wait", wait=wait)
        if self._ended.error is not None:
            return Ending(status="error", error=told(self._ended.error))
        return Ending(output=self._ended.value)
