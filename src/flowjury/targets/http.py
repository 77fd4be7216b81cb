"""The target `http`: a service that is asked in JSON and answers in JSON."""

from __future__ import annotations

import os
from typing import ClassVar, Literal

from pydantic import ConfigDict

from flowjury.errors import Fault, InputError
from flowjury.job import Place, Prepared
from flowjury.targets._http_options import HttpOptions


class HttpTarget(HttpOptions):
    """A service that answers a request with JSON."""

    model_config = ConfigDict(title="http")
    replays: ClassVar[bool] = False
    runs: ClassVar[Literal["code", "program", "nothing"]] = "program"
    kind: Literal["http"]
    """Sends a request for each turn of a case."""

    def prepare(self, place: Place) -> Prepared:
        """Read what it needs of the environment. Raises InputError with all that is missing."""
        try:
            # A client is heavy, and an extra: only who asks a service needs it.
            from flowjury.targets._http import prepared  # noqa: PLC0415
        except ModuleNotFoundError as error:
            message = f"target http needs the package {error.name!r}: pip install 'flowjury[http]'"
            fault = Fault(file=str(place.root), pointer="/target/kind", message=message)
            raise InputError(fault) from error
        return prepared(self, os.environ, str(place.root))
