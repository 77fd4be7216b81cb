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
wheel=("$PWD"/dist/flowjury-*-py3-none-any.whl)
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

# Run a command that must end with the exit code given first.
expect() {
    local wanted=$1 code=0
    shift
    alone "$@" || code=$?
    [ "$code" = "$wanted" ] || {
        echo "expected exit $wanted, not $code" >&2
        exit 1
    }
}

expect 0 flowjury --help
expect 0 flowjury init demo
expect 3 flowjury run demo # one case of the scaffold needs a judge
expect 3 flowjury pending
expect 0 flowjury schema judgement

# Answer the open request as a person would, from what the request itself says.
request=(.flowjury/requests/*.json)
expect 0 python - "${request[0]}" answer.json <<'PYTHON'
import json, sys

request = json.load(open(sys.argv[1]))
pointer, text = next(iter(request["evidence"].items()))
answer = {
    "format": 1,
    "request": request["digest"],
    "judge": {"name": "reader"},
    "criteria": [
        {
            "id": criterion["id"],
            "verdict": "met",
            "quotes": [{"pointer": pointer, "text": text}],
            "reason": "Read and found so.",
        }
        for criterion in request["criteria"]
    ],
    "created": "2026-01-01T00:00:00+00:00",
}
json.dump(answer, open(sys.argv[2], "w"))
PYTHON
expect 0 flowjury attach answer.json
expect 0 flowjury refresh
expect 0 flowjury run demo --workers 2
quietly "$scratch/venv/bin/python" -m pip install --no-input --disable-pip-version-check \
    -c "$constraints" "${wheel[0]}[openai,pytest]"
expect 0 python -m pytest -q demo
expect 0 flowjury judge --host openai_rubric --model any --dry-run
expect 0 flowjury judge --host demo/judges/openai_rubric.py --model any --dry-run
