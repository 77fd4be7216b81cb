"""The command, as `python -m flowjury`."""

from __future__ import annotations

from flowjury.cli.main import main

if __name__ == "__main__":
    main()
