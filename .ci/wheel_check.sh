#!/usr/bin/env bash
# Build sdist and wheel into dist/, and use the wheel as a stranger would. Called by `make wheel`.
set -euo pipefail

python=${PY:-.venv/bin/python}
constraints=$PWD/.ci/constraints.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        return 1
    }
}

echo "building dist/ (the wheel is made from the sdist)"
rm -rf dist
quietly "$python" -m build --outdir dist .
wheel=(dist/flowjury-*-py3-none-any.whl)
"$python" -m zipfile -l "${wheel[0]}" >"$scratch/names"
for name in flowjury/py.typed flowjury/_judges/ dist-info/licenses/LICENSE; do
    grep -q "$name" "$scratch/names" || {
        echo "the wheel lacks $name" >&2
        exit 1
    }
done

echo "installing the wheel into a clean environment"
quietly "$python" -m venv "$scratch/venv"
quietly "$scratch/venv/bin/python" -m pip install --no-input --disable-pip-version-check \
    -c "$constraints" "${wheel[0]}"

mkdir "$scratch/home" "$scratch/elsewhere"
cd "$scratch/elsewhere"
alone() {
    echo "+ $*"
    env -i HOME="$scratch/home" PATH="$scratch/venv/bin:/usr/bin:/bin" LANG=C.UTF-8 "$@"
}

alone flowjury --help
alone flowjury init demo
alone flowjury run demo
