"""The command `flowjury`: finds the subcommand, prints errors, and alone decides the exit."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

import typer

from flowjury.cli import groups, judged, read, setup, work
from flowjury.cli.streams import fill_closed, flush_all, silence
from flowjury.errors import FlowJuryError, InputError, StoreError
from flowjury.exits import end_process
from flowjury.interruption import Interruption

_ERR = 2
USAGE, HARNESS, INTERRUPTED = 2, 4, 130
_UNTIL_LOOKING = 50_000
"""Objects made before the interpreter looks for garbage: what a command makes mostly stays."""
_STOPPED = "interrupted; what had finished is stored"
_ENDED = b"flowjury: interrupted twice, so ended at once; what had finished is stored\n"

app = typer.Typer(
    name="flowjury",
    help="Test workflow graphs that call models: prove the route, the values, the counts and the "
    "cost, have the prose judged, and never pass what was not measured.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    epilog="Start with `flowjury init`, then `flowjury run`. Exit codes: 0 passed, 1 failed, "
    "2 wrong command or suite, 3 incomplete, 4 error, 130 interrupted.",
)
for module in (work, judged, read, setup):
    module.register(app)
groups.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"flowjury {version('flowjury')}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False,
        "--version",
        callback=_version,
        is_eager=True,
        help="Show the version and exit.",
    ),
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with the code that the command returns."""
    gc.set_threshold(_UNTIL_LOOKING)
    fill_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    interruption = Interruption(again=_end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interruption)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, interruption)
    code = _guarded(arguments)
    flush_all()
    gc.freeze()  # or the interpreter looks for garbage once more: a tenth of a large run
    sys.exit(code)


def _end() -> NoReturn:
    """End this process at once: the user has asked twice, so something does not stop."""
    with suppress(OSError):
        os.write(_ERR, _ENDED)
    end_process(INTERRUPTED)


def _guarded(arguments: Sequence[str] | None) -> int:
    """Return the exit code; every error becomes a message."""
    try:
        code = int(app(arguments, prog_name="flowjury", standalone_mode=False) or 0)
        # Typer makes this code of an interruption.
        return _said(_STOPPED, INTERRUPTED) if code == INTERRUPTED else code
    except typer.TyperException as error:
        return _told(error.show, USAGE)  # type: ignore[attr-defined]  # each that is raised has it
    except (KeyboardInterrupt, typer.Abort):
        return _said(_STOPPED, INTERRUPTED)
    except BrokenPipeError:
        silence()
        return HARNESS
    except SystemExit:
        raise
    except BaseException as error:
        if "FLOWJURY_TRACEBACK" in os.environ:
            raise
        return _said(_described(error), USAGE if isinstance(error, InputError) else HARNESS)


def _described(error: BaseException) -> str:
    match error:
        case FlowJuryError():
            return str(error)
        case FileNotFoundError(filename=None):
            return "the current folder is gone; change to one that is there"
        case OSError():
            return f"{error.filename or 'a file'}: {error.strerror or error}"
    reason = f"{type(error).__name__}: {error}"
    return f"a fault of FlowJury: {reason}; FLOWJURY_TRACEBACK=1 shows where, for a bug report"


def _said(message: str, code: int) -> int:
    from flowjury.cli.output import complain

    return _told(lambda: complain(message), code)


def _told(tell: Callable[[], None], code: int) -> int:
    try:
        tell()
    except (OSError, StoreError):  # nobody can be told
        silence()
    return code


if __name__ == "__main__":
    main()
