"""Answers: the folder of judgements, each a small file under the digest of its request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeVar

from flowjury import documents
from flowjury.errors import Fault, InputError
from flowjury.judging import content_hash
from flowjury.model import Json, Model
from flowjury.request import Judgement, Ticket
from flowjury.store.files import json_bytes, names_in, read_bytes, write
from flowjury.validation import refuse_newer, validate

M = TypeVar("M", bound=Model)

TICKET: Final = "ticket.json"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class Answers:
    """A folder `<request digest>/<content hash>.json`; it is read by request, when asked."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which need not be there."""
        self.folder = folder

    def all_for(self, request: str) -> tuple[Judgement, ...]:
        """Return every answer to a request, by content hash.

        Raises InputError with every file that is no answer to it.
        """
        answers: list[Judgement] = []
        faults: list[Fault] = []
        for name in names_in(self.folder / request):
            try:
                answers.extend(self._read(self.folder / request / name, request))
            except InputError as error:
                faults.extend(error.faults)
        if faults:
            raise InputError(faults)
        return tuple(answers)

    def requests(self) -> tuple[str, ...]:
        """Return the digests of all requests that have a folder here, sorted.

        Raises InputError for what lies here and is no such folder, but for texts about them.
        """
        names = names_in(self.folder)
        strays = [name for name in names if _is_stray(self.folder / name)]
        if strays:
            raise InputError([_stray(self.folder / name) for name in strays])
        return tuple(name for name in names if _DIGEST.fullmatch(name))

    def ticket(self, request: str) -> Ticket | None:
        """Return what was kept of a request beside its answers, if it is there.

        Raises InputError.
        """
        if TICKET not in names_in(self.folder / request):
            return None
        path = self.folder / request / TICKET
        ticket = _parsed(path, Ticket)
        if ticket.digest != request:
            raise InputError(_elsewhere(path, "/digest", ticket.digest))
        return ticket

    def keep(self, judgement: Judgement, ticket: Ticket) -> Literal["kept", "already-there"]:
        """Write an answer, and what explains later changes of its request, unless they are there.

        Raises StoreError.
        """
        folder = self.folder / judgement.request
        state = _put(folder / f"{content_hash(judgement)}.json", _dumped(judgement))
        _put(folder / TICKET, _dumped(ticket))
        return state

    def _read(self, path: Path, request: str) -> Iterator[Judgement]:
        if path.name == TICKET:
            return
        judgement = _parsed(path, Judgement)
        if judgement.request != request:
            raise InputError(_elsewhere(path, "/request", judgement.request))
        if path.name != f"{content_hash(judgement)}.json":
            message = (
                "this was changed or renamed: its name is not the digest of its content; move it "
                "out of here and hand it in with `flowjury attach`"
            )
            raise InputError(Fault(file=str(path), message=message))
        yield judgement


def _dumped(model: Model) -> Json:
    """Dump what is no default, so that equal answers are equal files; the format is always said."""
    return {"format": 1, **model.model_dump(exclude_defaults=True)}


def _put(path: Path, content: Json) -> Literal["kept", "already-there"]:
    text = json_bytes(content)
    if path.is_file() and read_bytes(path) == text:
        return "already-there"
    write(path, text)
    return "kept"


def _parsed(path: Path, model: type[M]) -> M:
    if path.suffix != ".json" or path.is_dir():
        raise InputError(_stray(path))
    document = documents.parse(read_bytes(path), name=str(path))
    refuse_newer(document)
    return validate(document, model)


def _elsewhere(path: Path, pointer: str, digest: str) -> Fault:
    message = f"{digest!r} is not the name of this folder; move the file out of here"
    return Fault(file=str(path), pointer=pointer, message=message)


def _is_stray(path: Path) -> bool:
    """Tell a folder of answers, or a text about them, from what might be a lost answer."""
    if path.is_dir():
        return not _DIGEST.fullmatch(path.name)
    return path.suffix == ".json" or bool(_DIGEST.fullmatch(path.name))


def _stray(path: Path) -> Fault:
    message = "this is not where an answer lies; hand it in with `flowjury attach`, or remove it"
    return Fault(file=str(path), message=message)
