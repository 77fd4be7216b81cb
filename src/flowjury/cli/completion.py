"""The completion: what a shell offers for the values of options and arguments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flowjury.errors import FlowJuryError


def modes(incomplete: str) -> list[str]:
    """Offer the data modes."""
    return _beginning(incomplete, ("replay", "record", "live"))


def formats(incomplete: str) -> list[str]:
    """Offer the formats of reports."""
    from flowjury import families

    return _beginning(incomplete, families.members("formats", "SUFFIX", "render"))


def reports(incomplete: str) -> list[str]:
    """Offer `FORMAT=`; the name of the file is the user's."""
    return [f"{name}=" for name in formats(incomplete)]


def schemas(incomplete: str) -> list[str]:
    """Offer the formats that have a schema."""
    from flowjury.app.schemas import NAMES

    return _beginning(incomplete, NAMES)


def sources(incomplete: str) -> list[str]:
    """Offer the tools whose trace files can be read."""
    from flowjury import families

    return _beginning(incomplete, families.names("sources"))


def hosts(incomplete: str) -> list[str]:
    """Offer the host judges by name, those of the project included."""
    from flowjury import hosts as judges
    from flowjury.app.judging import search_path
    from flowjury.app.project import find_project

    try:
        found = judges.names(search_path(find_project(Path.cwd()), ()))
    except (FlowJuryError, OSError):
        return []
    return _beginning(incomplete, found)


def cases(incomplete: str) -> list[str]:
    """Offer the cases that are stored; none where nothing is, or the store cannot be read."""
    from flowjury.app.listing import case_ids
    from flowjury.app.project import find_project

    try:
        return _beginning(incomplete, case_ids(find_project(Path.cwd())))
    except (FlowJuryError, OSError):
        return []


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
