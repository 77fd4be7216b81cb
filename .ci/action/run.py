"""Run suites in a step of GitHub Actions, and tell the next steps what came of it.

While the suites run, GitHub is told to read no commands: what a model or a program prints must not
act on the workflow. The step itself ends well; a later one ends as the run did.
"""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp

WRONG = 2


def main(environment: Mapping[str, str]) -> int:
    """Run the suites, annotate what did not pass, and write the summary."""
    try:
        suites, args = (shlex.split(environment.get(name, "")) for name in ("SUITES", "ARGS"))
    except ValueError as error:
        print(f"::error title=FlowJury::suites and args are read as a shell does: {error}")
        _tell(environment, exit=str(WRONG))
        return 0
    folder = Path(mkdtemp(prefix="flowjury-", dir=environment["RUNNER_TEMP"]))
    code = _run(folder, [*args, *suites])
    print(_joined(folder, "annotations*") or _no_annotations(code), end="")
    text = _joined(folder, "summary*") or _no_summary(code)
    with Path(environment["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as file:
        file.write(text)
    summary = folder / "all.md"
    summary.write_text(text, encoding="utf-8")
    _tell(environment, exit=str(code), summary=str(summary), reports=_reports(Path.cwd()))
    return 0


def _run(folder: Path, arguments: Sequence[str]) -> int:
    """Run the suites; of several, the reports are files with their names."""
    token = secrets.token_hex(32)
    print(f"::stop-commands::{token}", flush=True)
    reports = (f"github={folder}/annotations.txt", f"markdown={folder}/summary.md")
    options = [word for report in reports for word in ("--report", report)]
    command = [sys.executable, "-m", "flowjury", "run", *options, *arguments]
    code = subprocess.run(command, check=False).returncode
    print(f"\n::{token}::", flush=True)
    return code if code >= 0 else 128 - code


def _joined(folder: Path, pattern: str) -> str:
    files = sorted(folder.glob(pattern))
    return "".join(file.read_text(encoding="utf-8") for file in files)


def _no_annotations(code: int) -> str:
    if code == 0:
        return ""
    return f"::error title=FlowJury::flowjury run ended with exit {code}; its log says why\n"


def _no_summary(code: int) -> str:
    return f"### FlowJury: no report\n\n`flowjury run` ended with exit {code}; its log says why.\n"


def _reports(here: Path) -> str:
    """Return the folder of the reports: in the store of the project, which may lie above."""
    found = (folder / ".flowjury" / "reports" for folder in (here, *here.parents))
    return str(next((folder for folder in found if folder.is_dir()), ""))


def _tell(environment: Mapping[str, str], **outputs: str) -> None:
    with Path(environment["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        for name, value in outputs.items():
            end = secrets.token_hex(16)  # no value can hold it, and so begin another output
            file.write(f"{name}<<{end}\n{value}\n{end}\n")


if __name__ == "__main__":
    sys.exit(main(os.environ))
