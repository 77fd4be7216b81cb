"""The target of a suite: how a case is turned into a trace, as options; running it is elsewhere."""

from __future__ import annotations

from typing import ClassVar

from flowjury.model import Model


class Target(Model):
    """Options of one kind of target. Each kind is a subclass with a required tag `kind`."""

    replays: ClassVar[bool] = True
    """Whether it can be kept from going live, so that `data: replay` makes sense."""
