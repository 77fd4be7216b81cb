"""The frame: one run of one workflow file, with its context and the tokens that are in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from flowjury.errors import LimitReached
from flowjury.graphs.native import INPUT, Flow, FlowNode, Site
from flowjury.model import Json
from flowjury.pointer import parse
from flowjury.reason import text_of
from flowjury.runner.way import WorkflowError, look, ways, ways_of_error
from flowjury.snapshot import snapshot
from flowjury.tracer.current import UNRECORDED
from flowjury.tracer.spans import Span

DEPTH_LIMIT = 50
"""How deep references may nest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a node, or of a whole frame."""

    value: Json = None
    outcome: str | None = None
    error: BaseException | None = None


@dataclass(slots=True, eq=False, kw_only=True)
class Token:
    """What moves through a frame: it is at one node, in one branch or iteration."""

    frame: Frame
    node: str
    index: tuple[int, ...]
    item: Json = UNRECORDED
    """What it stands for, where its node maps and this is one of many."""

    @property
    def work(self) -> FlowNode:
        """What its node does."""
        return self.frame.flow.nodes[self.node]

    @property
    def name(self) -> str:
        """The static name of its node."""
        return self.frame.site.name(self.node)

    def frames(self) -> Iterator[Frame]:
        """Yield the frames that it is in, the innermost first."""
        token: Token | None = self
        while token is not None:
            yield token.frame
            token = token.frame.origin

    def given(self) -> Json:
        """Return a copy of what its node is given; keys of nodes that did not run are left out."""
        context = self.frame.context
        if self.item is not UNRECORDED:
            context = {**context, "item": self.item, "index": self.index[-1]}
        if self.work.wait is not None and self.work.ask is not None:
            return snapshot(look(context, self.work.ask, what=f"what {self.node!r} asks"))
        if self.work.input is None:
            return snapshot(context)
        return {
            key: snapshot(look(context, at, what=f"input {key!r} of {self.node!r}"))
            for key, at in self.work.input.items()
            if not at or parse(at)[0] in context
        }


class Frame:
    """One run of one workflow file."""

    def __init__(self, site: Site, flow: Flow, given: Json, *, origin: Token | None = None) -> None:
        """Take where the file stands, what it is given, and the token at the reference to it."""
        self.site = site
        self.flow = flow
        self.origin = origin
        self.span: Span | None = None
        """The execution of the reference."""
        self.index = origin.index if origin else ()
        self.depth: int = origin.frame.depth + 1 if origin else 0
        self.context: dict[str, Json] = {INPUT: given}
        self._alive: set[Token] = set()
        self._arrived: defaultdict[str, list[Token]] = defaultdict(list)
        self._ends: list[tuple[Token, Result]] = []
        self._errors: list[tuple[tuple[int, ...], BaseException]] = []
        self._visits: Counter[str] = Counter()

    def start(self) -> Sequence[Token]:
        """Return the first token."""
        return self._branches((self.flow.start,), self.index)

    @property
    def done(self) -> bool:
        """Whether nothing moves in it any more."""
        return not self._alive

    @property
    def failed(self) -> bool:
        """Whether it can only end in an error."""
        return bool(self._errors)

    def count(self, node: str) -> None:
        """Count an arrival at a node.

        Raises LimitReached where it is one too many.
        """
        self._visits[node] += 1
        limit = self.flow.visit_limit
        if self._visits[node] > limit:
            name, file = self.site.name(node), self.site.file
            why = f"visit_limit of {file} is {limit}; raise it, or let the loop end"
            raise LimitReached(f"node {name!r} was to be visited {limit + 1} times: {why}")
        if self.depth > DEPTH_LIMIT:
            name = self.site.name(node)
            raise LimitReached(f"node {name!r} runs inside more than {DEPTH_LIMIT} references")

    def advance(self, token: Token, result: Result) -> Sequence[Token]:
        """Move a token on by what came of its node; return the tokens whose nodes run next."""
        self._alive.discard(token)
        try:
            onward = self._onward(token, result)
        except WorkflowError as error:
            self._errors.append((token.index, error))
            onward = ()
        moved = self._branches(onward, token.index)
        for one in moved:
            if one.work.join:
                self._arrived[one.node].append(one)
        return [*(one for one in moved if not one.work.join), *self._joined()]

    def _onward(self, token: Token, result: Result) -> tuple[str, ...]:
        if result.error is not None:
            self.context[token.node] = {"error": described(result.error)}
            onward = ways_of_error(self.flow, token.node)
            if not onward:
                self._errors.append((token.index, result.error))
            return onward
        self.context[token.node] = result.value
        onward = ways(self.flow, token.node, result.outcome, self.context)
        if not onward:
            self._ends.append((token, result))
        return onward

    def _branches(self, nodes: tuple[str, ...], index: tuple[int, ...]) -> Sequence[Token]:
        """Make a token for each node; where there are several, they are branches of a fork."""
        forked = len(nodes) > 1
        tokens = [
            Token(frame=self, node=node, index=(*index, number) if forked else index)
            for number, node in enumerate(nodes)
        ]
        self._alive.update(tokens)
        return tokens

    # Joins.

    def _joined(self) -> Sequence[Token]:
        """Make one token of those at each join that waits for nothing any more."""
        if self.failed:
            self._alive.difference_update(*self._arrived.values())
            self._arrived.clear()
        free = [node for node, tokens in self._arrived.items() if not self._awaits(node, tokens)]
        if not free and sum(map(len, self._arrived.values())) == len(self._alive):
            free = list(self._arrived)[:1]  # joins in a circle wait for one another
        return [self._join(node) for node in free]

    def _awaits(self, join: str, arrived: Sequence[Token]) -> bool:
        """Tell whether a token may yet arrive, or a branch of the innermost fork still runs."""
        scope = self._scope(arrived)
        others = self._alive.difference(arrived)
        running = others.difference(*self._arrived.values())
        return any(join in self.flow.reach[other.node] for other in others) or any(
            other.index[: len(scope)] == scope for other in running
        )

    def _join(self, node: str) -> Token:
        arrived = self._arrived.pop(node)
        self._alive.difference_update(arrived)
        [token] = self._branches((node,), self._scope(arrived))
        return token

    def _scope(self, arrived: Sequence[Token]) -> tuple[int, ...]:
        """Return the index around the innermost fork of these tokens."""
        bases = [one.index[: max(len(one.index) - 1, len(self.index))] for one in arrived]
        shared = takewhile(lambda numbers: len(set(numbers)) == 1, zip(*bases, strict=False))
        return tuple(numbers[0] for numbers in shared)

    # The end.

    def result(self) -> Result:
        """Return what came of it: its first error, or the answer where its last tokens ended."""
        if self._errors:
            return Result(error=min(self._errors, key=lambda pair: pair[0])[1])
        outermost = min((len(token.index) for token, _ in self._ends), default=0)
        last = [(token, result) for token, result in self._ends if len(token.index) == outermost]
        last.sort(key=lambda pair: pair[0].index)
        outcome = last[0][1].outcome if len(last) == 1 else None
        if self.flow.output is not None:
            return self._at_output(self.flow.output, outcome)
        if len(last) == 1:
            return Result(value=last[0][1].value, outcome=outcome)
        return Result(value={token.node: result.value for token, result in last})

    def _at_output(self, at: str, outcome: str | None) -> Result:
        try:
            value = look(self.context, at, what=f"output of {self.flow.name!r}")
        except WorkflowError as error:
            return Result(error=error)
        return Result(value=value, outcome=outcome)


def described(error: BaseException) -> dict[str, str]:
    """Describe an exception as the trace does."""
    return {"type": type(error).__name__, "message": text_of(error)}
