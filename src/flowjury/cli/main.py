"""The command `flowjury`: finds the subcommand, prints errors, and alone decides the exit."""

from __future__ import annotations

import sys

import typer
from typer._click.exceptions import ClickException

from flowjury.cli import groups, judged, read, setup, work
from flowjury.errors import FlowJuryError, HarnessError, InputError, TargetError

USAGE, HARNESS, INTERRUPTED = 2, 4, 130

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


def main() -> None:
    """Run the command line and exit with the code that the command returns."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_guarded())


def _guarded() -> int:
    """Return the exit code; every error that a user can cause becomes a message."""
    try:
        return int(app(standalone_mode=False) or 0)
    except ClickException as error:
        error.show()
        return error.exit_code
    except InputError as error:
        return _said(error, USAGE)
    except (HarnessError, TargetError, FlowJuryError) as error:
        return _said(error, HARNESS)
    except BrokenPipeError:
        sys.stderr.close()
        return HARNESS
    except (KeyboardInterrupt, typer.Abort):
        return _said("interrupted; what had finished is stored", INTERRUPTED)
    except OSError as error:
        return _said(f"{error.filename or 'file'}: {error.strerror or error}", HARNESS)


def _said(message: object, code: int) -> int:
    from flowjury.cli.output import complain

    complain(str(message))
    return code


if __name__ == "__main__":
    main()
