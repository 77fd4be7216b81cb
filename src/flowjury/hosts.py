"""The hosts: judges that ask a model, each one a file that is found by path or by name."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Protocol
from uuid import uuid4

from pydantic import BaseModel

from flowjury import families
from flowjury.documents import Document
from flowjury.errors import FlowJuryError, JudgeFailure, PluginError, UsageError
from flowjury.json_values import short
from flowjury.judging import check_answer
from flowjury.loading import installing
from flowjury.model import Json
from flowjury.pointer import nearest
from flowjury.reason import reason_of
from flowjury.request import Judgement, Request, Vote
from flowjury.validation import validate

FAMILY: Final = "judges"
HOPELESS: Final = frozenset({"auth", "quota", "not-found"})
"""Failures that every other request would end in, too."""

_PACKAGE: Final = Path(__file__).parent
_BUILT_IN: Final = (_PACKAGE / "_judges", _PACKAGE.parent.parent / FAMILY)
"""Where our own judges are: in an installed package, and in a checkout."""
_NEEDS: Final = ("NAME", "VERSION", "Settings", "open_judge")


class HostJudge(Protocol):
    """A judge that is ready to be asked, until it is closed."""

    async def judge(self, request: Request, vote: Vote | None) -> Judgement:
        """Answer one request. Raises JudgeFailure where no usable answer came of it."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class OpenJudge(Protocol):
    """Make a judge ready; the environment and the clock are given to it."""

    def __call__(
        self,
        settings: Any,  # noqa: ANN401 - of the judge's own type
        environment: Mapping[str, str],
        now: Callable[[], str],
    ) -> HostJudge:
        """Make it. Raises InputError where a setting or a key is missing."""
        ...


@dataclass(frozen=True, slots=True)
class HostModule:
    """A host judge as its file defines it."""

    name: str
    version: str
    settings: type[BaseModel]
    open_judge: OpenJudge

    def open(
        self,
        options: Mapping[str, Json],
        *,
        environment: Mapping[str, str],
        now: Callable[[], str],
    ) -> HostJudge:
        """Make the judge ready. Raises InputError with every option that is wrong."""
        document = Document(dict(options), name=f"settings of judge {self.name}")
        settings = validate(document, self.settings)
        try:
            return self.open_judge(settings, environment, now)
        except (FlowJuryError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a stranger's: it may raise anything
            raise UsageError(f"judge {self.name} cannot be opened: {reason_of(error)}") from error


def load(name_or_path: str, search: Sequence[Path] = ()) -> HostModule:
    """Load a judge: a path that ends in `.py`, or a name in the folders, ours or a plugin's.

    Raises UsageError where there is none, it needs what is not installed or its file holds no
    judge, and PluginError where a plugin cannot be used.
    """
    if name_or_path.endswith(".py"):
        return _host(_module(Path(name_or_path)), name_or_path, UsageError)
    plugins = families.names(FAMILY)
    if name_or_path in plugins and not any(_files(name_or_path, search)):
        return _host(families.member(FAMILY, name_or_path), f"plugin {name_or_path}", PluginError)
    path = file_of(name_or_path, search)
    return _host(_module(path), str(path), UsageError)


def file_of(name: str, search: Sequence[Path] = ()) -> Path:
    """Return the file of a judge, from the first folder that has it; ours come last.

    Raises UsageError where there is none.
    """
    path = next(_files(name, search), None)
    if path is None:
        raise UsageError(_unknown(name, names(search)))
    return path


def names(search: Sequence[Path] = ()) -> list[str]:
    """Return the names of the judges in the folders, ours and those of plugins; none is loaded."""
    return sorted({*families.names(FAMILY), *_names_in((*search, *_BUILT_IN))})


def _files(name: str, search: Sequence[Path]) -> Iterator[Path]:
    paths = (folder / f"{name}.py" for folder in (*search, *_BUILT_IN))
    return (path for path in paths if path.is_file())


def _names_in(folders: Iterable[Path]) -> list[str]:
    return [path.stem for folder in folders for path in folder.glob("[!_]*.py")]


def _unknown(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    hint = f"; nearest is {near!r}" if near else ""
    listed = ", ".join(known) or "none"
    return f"no host judge is named {name!r}{hint} (known: {listed}); a path must end in .py"


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(
            f"{path}: there is no such file; write the path of a host judge, or a name"
        )
    place = hashlib.sha256(str(path.resolve()).encode(errors="surrogatepass")).hexdigest()[:12]
    name = f"flowjury_judge_{place}"
    module = ModuleType(name)
    module.__file__ = str(path.resolve())
    sys.modules[name] = module  # where pydantic looks up the names in its annotations
    try:
        SourceFileLoader(name, str(path)).exec_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(f"judge file {path} needs {_wanted(error.name)}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's file: it may raise anything
        raise UsageError(f"judge file {path} cannot be loaded: {reason_of(error)}") from error
    return module


def _wanted(package: str | None) -> str:
    how = installing(package) or f"install it, or correct {package!r}"
    return f"the package {package!r}, which is not installed: {how}"


def _host(module: Any, where: str, refusal: Callable[[str], Exception]) -> HostModule:  # noqa: ANN401 - a stranger's module
    if missing := [name for name in _NEEDS if not hasattr(module, name)]:
        raise refusal(f"judge {where} does not define {' and '.join(missing)}")
    for name in ("NAME", "VERSION"):
        if not isinstance(getattr(module, name), str) or not getattr(module, name).strip():
            shown = short(repr(getattr(module, name)))
            raise refusal(f"judge {where}: {name} must be a text that is not blank, not {shown}")
    if not (isinstance(module.Settings, type) and issubclass(module.Settings, BaseModel)):
        raise refusal(f"judge {where}: Settings must be a subclass of flowjury.model.Model")
    if not callable(module.open_judge):
        raise refusal(f"judge {where}: open_judge must be a function")
    return HostModule(module.NAME, module.VERSION, module.Settings, module.open_judge)


async def answer_all(  # noqa: PLR0913 - what is asked, how often, and where answers go
    host: HostJudge,
    requests: Sequence[Request],
    *,
    votes: int = 1,
    concurrency: int = 4,
    on_answer: Callable[[Request, Judgement], None],
    on_failure: Callable[[Request, JudgeFailure], None],
) -> None:
    """Ask a judge every request, each as often as there are votes, and close it.

    Each answer is handed over as it comes, so what is done is kept on an interruption. A failure
    concerns its own request, unless every other request would end in it, too.
    """
    batch = uuid4().hex
    ballots = [Vote(batch=batch, n=n + 1, of=votes) if votes > 1 else None for n in range(votes)]
    gate = asyncio.Semaphore(concurrency)
    hopeless: list[JudgeFailure] = []

    async def ask(request: Request, vote: Vote | None) -> None:
        async with gate:
            try:
                judgement = await _answer(host, request, vote, hopeless)
            except JudgeFailure as failure:
                on_failure(request, failure)
            else:
                on_answer(request, judgement)

    tasks = [asyncio.create_task(ask(request, vote)) for request in requests for vote in ballots]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await host.close()


async def _answer(
    host: HostJudge, request: Request, vote: Vote | None, hopeless: list[JudgeFailure]
) -> Judgement:
    if hopeless:
        raise JudgeFailure(hopeless[0].code, f"not asked, as another request failed: {hopeless[0]}")
    try:
        judgement = await host.judge(request, vote)
    except JudgeFailure as failure:
        if failure.code in HOPELESS:
            hopeless.append(failure)
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the judge is a stranger's: the other requests go on
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
            raise
        raise JudgeFailure("broken", f"the judge itself raised {type(error).__name__}") from error
    if faults := check_answer(request, judgement):
        raise JudgeFailure("half-filled", "; ".join(faults), usage=judgement.usage)
    return judgement
