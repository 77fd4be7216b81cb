"""The iteration: a node that runs once for each item of a collection."""

from __future__ import annotations

from flowjury.runner.frame import Result, Token
from flowjury.runner.way import WorkflowError, look


class Iteration:
    """A node that maps: the token that waits at it, and what came of its items so far."""

    def __init__(self, token: Token) -> None:
        """Look up the items.

        Raises WorkflowError where there is no collection.
        """
        items = look(token.frame.context, token.work.map or "", what=f"map of {token.node!r}")
        if not isinstance(items, list):
            raise WorkflowError(f"map of {token.node!r} is {token.work.map}, which is no array")
        self.token = token
        self.items = [
            Token(
                frame=token.frame,
                node=token.node,
                index=(*token.index, number),
                item=item,
            )
            for number, item in enumerate(items)
        ]
        self._results: dict[int, Result] = {}

    def take(self, item: Token, result: Result) -> None:
        """Keep what came of an item."""
        self._results[item.index[-1]] = result

    @property
    def done(self) -> bool:
        """Whether every item has come to its end."""
        return len(self._results) == len(self.items)

    def result(self) -> Result:
        """Return the list of what came of the items, or the error of the first that failed."""
        results = [self._results[number] for number in range(len(self.items))]
        failed = next((result for result in results if result.error is not None), None)
        return failed or Result(value=[result.value for result in results])
