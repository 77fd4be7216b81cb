"""The target `command`: a program in any language, which reads and writes JSON."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from flowjury.errors import Fault, InputError
from flowjury.job import Place, Prepared
from flowjury.json_values import short
from flowjury.masking import hides
from flowjury.model import FileName
from flowjury.pointer import nearest
from flowjury.scalars import Flag
from flowjury.store.files import names_in
from flowjury.target import Target

_USUAL: Final = frozenset(
    ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM")
)
"""What every program needs of the environment; beside it, the settings `LC_…` of a locale."""
_OURS: Final = "FLOWJURY_"
_SHORTEST: Final = 8
"""How long a secret must be to be hidden wherever it occurs."""
_SUITE: Final = "{suite}"
_ID: Final = "{id}"


def _words(value: Any) -> Any:  # noqa: ANN401 - what stands in a suite file
    if not isinstance(value, str):
        return value
    try:
        words = shlex.split(value)
    except ValueError:
        words = value.split()
    raise ValueError(
        f"no shell reads it: write the words as a list, such as [{', '.join(words or ['tool'])}]"
    )


def _foreign(name: str) -> str:
    if name.upper().startswith(_OURS):
        raise ValueError(f"{name!r} is of the harness, and no program under test may see it")
    if not name or "=" in name or "\0" in name:
        raise ValueError(f"{name!a} is no name of an environment variable; values stay outside")
    return name


class CommandTarget(Target):
    """A program that reads a turn as JSON and writes its answer as JSON."""

    model_config = ConfigDict(title="command")
    replays: ClassVar[bool] = False
    runs: ClassVar[Literal["code", "program", "nothing"]] = "program"
    kind: Literal["command"]
    """Runs a program for each case, or keeps one that answers line by line."""
    run: Annotated[tuple[FileName, ...], BeforeValidator(_words)] = Field(min_length=1)
    """The program and its arguments; `{suite}` in them stands for the suite's folder."""
    keep: Flag = False
    """Whether one process answers many cases, a line of JSON for each turn."""
    env: tuple[Annotated[str, AfterValidator(_foreign)], ...] = ()
    """Names of the environment variables that it gets beside the usual ones."""
    workspace: FileName | Flag = False
    """The folder that is copied for each case, and in which the program runs; `{id}` stands for
    the case's id. With `true`, the copy begins empty."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if not self.run[0]:
            raise ValueError("`run` begins with an empty word, which is no program")
        if self.keep and self.workspace:
            raise ValueError(
                "`keep` and `workspace` exclude each other: a kept program stays in one folder"
            )
        return self

    def prepare(self, place: Place) -> Prepared:
        """Find the program, its environment and its workspace. Raises InputError."""
        root = place.root.absolute()
        environment = self._environment(place, os.environ)
        first, *others = (word.replace(_SUITE, str(root)) for word in self.run)
        argv = [_program(place, first, environment), *others]
        self._refuse_unless_there(place)
        # What starts programs is heavy, and a suite of stored traces starts none.
        from flowjury.targets._command import Programs  # noqa: PLC0415
        from flowjury.targets._command_process import Launch  # noqa: PLC0415

        secrets = [environment[name] for name in self.env if hides(name)]
        hidden = [each for each in secrets if len(each) >= _SHORTEST]
        return Programs(
            Launch(argv=argv, folder=root, environment=environment, secrets=hidden),
            keep=self.keep,
            workspace=(lambda case: self._source(root, case)) if self.workspace else None,
        )

    def files(self, root: Path, case: str) -> list[Path]:
        """Return the files that a case's trace depends on: words of `run`, and its workspace."""
        words = (root / word.replace(_SUITE, str(root)) for word in self.run)
        named = [path for path in words if path.is_relative_to(root) and _is_file(path)]
        source = self._source(root, case)
        inside = [] if source is None else [each for each in source.rglob("*") if _is_file(each)]
        return sorted({*named, *inside})

    def _environment(self, place: Place, given: Mapping[str, str]) -> dict[str, str]:
        if missing := [name for name in self.env if name not in given]:
            raise _fault(place, "/target/env", f"not set in this environment: {', '.join(missing)}")
        names = [name for name in given if name in _USUAL or name.startswith("LC_")]
        return {name: given[name] for name in (*names, *self.env)}

    def _source(self, root: Path, case: str) -> Path | None:
        named = self.workspace
        return root / named.replace(_ID, case) if isinstance(named, str) else None

    def _refuse_unless_there(self, place: Place) -> None:
        """Refuse a workspace that is no folder, where that does not depend on the case."""
        source = self._source(place.root, _ID)
        if source is not None and _ID not in str(self.workspace) and not source.is_dir():
            message = f"{self.workspace!r} is no folder beside the suite"
            raise _fault(place, "/target/workspace", message)


def _program(place: Place, name: str, environment: Mapping[str, str]) -> str:
    """Return where a program is: by a path from the suite's folder, or on the search path."""
    path = place.root.absolute() / name
    if os.sep not in name:
        found = shutil.which(name, path=environment.get("PATH", os.defpath))
        if found is None:
            here = "; to start a file beside the suite, write ./" + name
            hint = here if _is_file(path) else "; install it, or write the path to it"
            message = f"no program {short(name, 80)} on the search path{hint}"
            raise _fault(place, "/target/run/0", message)
        return os.path.abspath(found)  # noqa: PTH100 - a link stays, as some ask for their name
    if not _is_file(path):
        near = nearest(path.name, names_in(path.parent))
        hint = f"; nearest is {near!r}" if near else ""
        raise _fault(place, "/target/run/0", f"no file {short(name, 80)}{hint}")
    if not os.access(path, os.X_OK):
        message = f"{name!r} cannot be executed; chmod +x it, or write its interpreter before it"
        raise _fault(place, "/target/run/0", message)
    return str(path)


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises for names that are too long


def _fault(place: Place, pointer: str, message: str) -> InputError:
    return InputError(Fault(file=str(place.root), pointer=pointer, message=message))
