"""The layout of `.flowjury`, the folder of a project in which runs and views of them are kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flowjury.store.files import make_folder, write_view

FOLDER: Final = ".flowjury"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things lie under the root of a project."""

    root: Path

    @property
    def folder(self) -> Path:
        """The folder itself."""
        return self.root / FOLDER

    @property
    def database(self) -> Path:
        """The run store."""
        return self.folder / "runs.db"

    @property
    def answers(self) -> Path:
        """Answers to requests of live runs."""
        return self.folder / "answers"

    @property
    def requests(self) -> Path:
        """Views of the open requests."""
        return self.folder / "requests"

    @property
    def results(self) -> Path:
        """Where others drop results, to be attached."""
        return self.folder / "results"

    @property
    def reports(self) -> Path:
        """Views of the reports."""
        return self.folder / "reports"

    def make(self) -> None:
        """Make the folder, kept out of version control, and the folder for results.

        Raises StoreError.
        """
        make_folder(self.results)
        write_view(self.folder / ".gitignore", b"*\n")
