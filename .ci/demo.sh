#!/usr/bin/env bash
# The demo of the README: see FlowJury at work on the sample suite, offline. Called by `make demo`.
set -euo pipefail

bin=$(cd "${VENV:-.venv}/bin" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
place=${DEMO:-$here/.demo}

say() { printf '\n== %s\n' "$*"; }

# Run a command that must end with this exit code.
expect() {
    local wanted=$1 code=0
    shift
    echo "\$ $*"
    "$bin/$1" "${@:2}" || code=$?
    [ "$code" -eq "$wanted" ] || {
        echo "the demo expected exit $wanted, not $code" >&2
        exit 1
    }
}

rm -rf "$place"
mkdir -p "$place"
cp -R "$here/workflows/refunds/." "$place"
rm -rf "$place/.flowjury"
mkdir "$place/.flowjury" # makes the copy a project of its own
cd "$place"

say "1. Run: answers come from fixtures; one case is settled by a committed judgement, one is open (exit 3)"
expect 3 flowjury run refunds.suite.yaml --verbose

say "2. List what needs a judge: each file holds the question, the evidence and how to answer (exit 3)"
expect 3 flowjury pending

say "3. Attach a result that someone wrote: it quotes the evidence, and the report is built again"
expect 0 flowjury attach results/reply-states-the-refund.json

say "4. Refresh: the report again, from the same traces and the answers of now; nothing is run"
expect 0 flowjury refresh

say "Everything passed. The reports:"
find "$PWD/.flowjury/reports" -type f | sort
