"""The logs of the HTTP client: without the secrets that it sends, or that come back to it."""

from __future__ import annotations

import logging
from typing import Final

from flowjury.targets._http_env import Secrets

_LOGGERS: Final = ("httpx2", *(f"httpcore2.{name}" for name in ("connection", "http11", "proxy")))


class Discretion(logging.Filter):
    """Takes secrets out of what the client logs, if anybody wants to have it logged."""

    def __init__(self, secrets: Secrets) -> None:
        super().__init__()
        self._secrets = secrets
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Let a record through as its text without secrets."""
        record.msg, record.args = self._secrets.without(record.getMessage()), ()
        return True

    def end(self) -> None:
        """Let the client log again as it does by itself."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self)
