#!/usr/bin/env bash
# The demo of the README: see FlowJury at work, offline. Called by `make demo`.
set -euo pipefail

"${VENV:-.venv}/bin/flowjury" --version
