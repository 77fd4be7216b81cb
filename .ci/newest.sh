#!/usr/bin/env bash
# Run the tests on the newest Python of this machine, in .venv-newest. Called by `make newest`.
set -euo pipefail
shopt -s nullglob

usable='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))'

newest() {
    local minor python
    for minor in 14 13 12; do
        for python in "python3.$minor" {~,~root}/.pyenv/versions/3."$minor".*/bin/python; do
            if "$python" -c "$usable" 2>/dev/null; then
                echo "$python"
                return
            fi
        done
    done
}

python=$(newest)
if [[ -z $python ]]; then
    echo "newest: no Python >= 3.12 with venv on this machine; nothing was tested" >&2
    exit 0
fi
say_minor='import sys; print(*sys.version_info[:2], sep=".")'
if [[ -x .venv/bin/python && $("$python" -c "$say_minor") == $(.venv/bin/python -c "$say_minor") ]]; then
    echo "newest: .venv already has the newest Python of this machine; nothing more to test" >&2
    exit 0
fi
exec make --no-print-directory test VENV=.venv-newest PYTHON="$python" ARGS="$*"
